package moiety_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/moiety-go/moiety"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
)

// broken is a source that fails.
type broken struct{}

func (broken) Schema() *record.Schema {
	return &record.Schema{Kind: record.Presence, Dict: record.NewDict()}
}

func (broken) Read(context.Context, func(*record.Batch) error) error {
	return errors.New("the disk is on fire")
}

// TestMisuse calls the library wrongly; every call gives an error that says what
// is wrong, and none panics.
func TestMisuse(t *testing.T) {
	ctx := context.Background()
	good := moiety.Table([]string{"a", "b", "c"}, cellsOf(60))
	rows := sparse.FromDense([][]float64{{1, 0}, {0, 1}, {1, 1}, {0, 0}}, 2, true)
	fit := func(s moiety.Source, o moiety.Options) error {
		r, err := moiety.Fit(ctx, s, o)
		if r != nil {
			r.Close()
		}
		return err
	}
	with := func(o moiety.Options) func() error { return func() error { return fit(good, o) } }
	of := func(s moiety.Source) func() error { return func() error { return fit(s, moiety.Options{Groups: 2}) } }
	number := func(x float64) *float64 { return &x }
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	found, err := moiety.Fit(ctx, good, moiety.Options{Groups: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	assign := func(s moiety.Source) func() error {
		return func() error { _, err := found.Assign(ctx, s); return err }
	}
	for _, c := range []struct {
		name, says string
		call       func() error
	}{
		{"no source", "without a Source", of(nil)},
		{"no file", "without a path", of(moiety.Files())},
		{"a file that is not there", "nowhere.csv", of(moiety.Files("nowhere.csv"))},
		{"no text", "without a document", of(moiety.Texts(nil))},
		{"empty texts", "", of(moiety.Texts([]string{"", ""}))},
		{"no columns", "without columns", of(moiety.Table(nil, nil))},
		{"no rows", "without rows", of(moiety.Table([]string{"a"}, nil))},
		{"a short row", "row 1 of the table has 1 cells", of(moiety.Table([]string{"a", "b"}, [][]string{{"1"}}))},
		{"no records", "Records of nil", of(moiety.Records(nil))},
		{"a broken source", "on fire", of(moiety.Records(broken{}))},
		{"no data set", "Dataset of nil", of(moiety.Dataset(nil))},
		{"a nil data set", "Dataset of nil", of(moiety.Dataset((*dataset.Dataset)(nil)))},
		{"a data set without names", "Vocab is nil", of(moiety.Dataset(&dataset.Dataset{Rows: rows}))},
		{"rows without names", "0 feature names for 2", of(moiety.Rows(nil, rows))},
		{"one name twice", "two features are called", of(moiety.Rows([]string{"a", "a"}, rows))},
		{"broken rows", "Ptr", of(moiety.Rows([]string{"a", "b"}, sparse.Rows{Dim: 2, Ptr: []int{0, 9}, Index: []uint32{0}}))},
		{"a feature beyond", "", of(moiety.Rows([]string{"a", "b"}, sparse.Rows{Dim: 2, Ptr: []int{0, 1}, Index: []uint32{7}}))},
		{"no record", "", of(moiety.Rows([]string{"a", "b"}, sparse.Rows{Dim: 2, Ptr: []int{0}}))},
		{"fewer than no groups", "Options.Groups is -1", with(moiety.Options{Groups: -1})},
		{"groups and leaves", "set one of them", with(moiety.Options{Groups: 2, Leaves: 2})},
		{"more groups than records", "records", with(moiety.Options{Groups: 61})},
		{"an unknown model", "Options.Model is \"gauss\"", with(moiety.Options{Model: "gauss"})},
		{"an unknown method", "Options.Method", with(moiety.Options{Method: "magic"})},
		{"a flat method for a tree", "for flat models", with(moiety.Options{Leaves: 2, Method: "svtd"})},
		{"an unknown refinement", "Options.Refine is", with(moiety.Options{Refine: "more"})},
		{"a negative prior", "Options.Prior is -1", with(moiety.Options{Prior: number(-1)})},
		{"a prior that is no number", "Options.Prior is NaN", with(moiety.Options{Prior: number(math.NaN())})},
		{"an unknown setting", "no model has", with(moiety.Options{Settings: family.Values{"colour": "red"}})},
		{"a setting of another model", "alpha0", with(moiety.Options{Groups: 2, Settings: family.Values{"alpha0": "1"}})},
		{"a wrong word", "want one of", with(moiety.Options{Settings: family.Values{"variance": "big"}})},
		{"views without their model", "Options.Views", with(moiety.Options{Views: []string{"a"}})},
		{"a model and a family", "leave Model out", with(moiety.Options{Model: "lda", Family: poisson.New()})},
		{"a family for other records", "counts", func() error {
			return fit(moiety.Table([]string{"a", "b"}, [][]string{{"1.5", "2.5"}, {"2.5", "-1.5"}, {"0.1", "7.25"}, {"0.3", "8"}}), moiety.Options{Groups: 2, Family: poisson.New()})
		}},
		{"a negative number of workers", "Options.Workers", with(moiety.Options{Workers: -1})},
		{"an unknown format", "format", with(moiety.Options{Read: record.Reading{Format: "runes"}})},
		{"a column that is not there", "", with(moiety.Options{Read: record.Reading{Label: []string{"z"}}})},
		{"a column of ids that is not there", "Options.Read.ID: there is no column", with(moiety.Options{Read: record.Reading{ID: "z"}})},
		{"a column of codes that is not there", "Options.Read.Code: there is no column", with(moiety.Options{Read: record.Reading{Code: "z"}})},
		{"a column of frequencies that is not there", "Options.Read.Freq: there is no column", with(moiety.Options{Read: record.Reading{Freq: "z"}})},
		{"a cell against the format", "Options.Read.Format", func() error {
			cells := append(cellsOf(60), []string{"2", "1", "1"})
			return fit(moiety.Table([]string{"a", "b", "c"}, cells), moiety.Options{Groups: 2, Read: record.Reading{Format: "binary"}})
		}},
		{"a condition on no column", "Options.Encode.Where", with(moiety.Options{Encode: dataset.Encoding{Where: "d > 3"}})},
		{"a condition that is none", "Options.Encode", with(moiety.Options{Encode: dataset.Encoding{Where: "a >"}})},
		{"an unknown language", "Options.Encode", with(moiety.Options{Encode: dataset.Encoding{Stopwords: "klingon"}})},
		{"a stopped context", "cancel", func() error { _, err := moiety.Fit(stopped, good, moiety.Options{}); return err }},
		{"placing nothing", "without a Source", assign(nil)},
		{"placing no file", "without a path", assign(moiety.Files())},
		{"placing other columns", "", assign(moiety.Table([]string{"x", "y"}, [][]string{{"1", "2"}}))},
		{"placing texts in a table", "", assign(moiety.Texts([]string{"what is this"}))},
		{"no run", "", func() error { _, err := moiety.Open("nowhere"); return err }},
		{"a folder that is no run", "", func() error { _, err := moiety.Open(t.TempDir()); return err }},
		{"a wrong report", "", func() error { _, err := found.Report(ctx, report.Settings{Top: -3}); return err }},
		{"saving over something", "", func() error { return found.Save(filepath.Dir(t.TempDir())) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.call()
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: want it to say %q", err, c.says)
			}
			if flag := regexp.MustCompile(`(^|[ (])--?[a-z]`).FindString(err.Error()); flag != "" {
				t.Errorf("%v: it names a flag of the command line", err)
			}
		})
	}
}

func cellsOf(n int) [][]string {
	var out [][]string
	for i := range n {
		a, b := i%2, (i/3)%2
		out = append(out, []string{[]string{"0", "1"}[a], []string{"0", "1"}[(a+b*(i%5)/4)%2], []string{"1", "0"}[(a+b)%2]})
	}
	return out
}
