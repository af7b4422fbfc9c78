package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// ErrNoData says that a real data set is not on this machine.
var ErrNoData = errors.New("no data")

// missing is the name of a data set that is not on this machine.
type missing string

func (m missing) Error() string { return "data set " + string(m) + " not found" }

// Is makes all missing data sets ErrNoData.
func (missing) Is(target error) bool { return target == ErrNoData }

// Path returns the place of a file or folder of the real data: inside
// $MOIETY_DATA, or in shared/data beside the repository.
func Path(name ...string) (string, error) {
	root := os.Getenv("MOIETY_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			return "", err
		}
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
		}
		root = filepath.Join(dir, "..", "..", "shared", "data") // the module lies in the repository
	}
	path := filepath.Join(append([]string{root}, name...)...)
	if _, err := os.Stat(path); err != nil {
		return "", missing(name[0])
	}
	return path, nil
}

// Skipped prints which data set is missing and takes the error away; other
// errors stay.
func Skipped(w io.Writer, err error) error {
	if !errors.Is(err, ErrNoData) {
		return err
	}
	fmt.Fprintf(w, "skipped: %v\n\n", err)
	return nil
}

// Real is a real data set, read through the product's own door.
type Real struct {
	*dataset.Dataset
	Summary *encode.Summary
	Seconds float64 // CPU to read and encode it
}

// Open reads the named files or folders, given relative to the real data.
func Open(ctx context.Context, names [][]string, o read.Options, s encode.Settings) (*Real, error) {
	var args []string
	for _, n := range names {
		path, err := Path(n...)
		if err != nil {
			return nil, err
		}
		args = append(args, path)
	}
	real := &Real{}
	seconds, err := Timed(func() error {
		p := &record.Problems{}
		src, err := read.Open(ctx, args, o, p)
		if err != nil {
			return err
		}
		res, err := encode.Encode(ctx, src, s, p)
		if err != nil {
			return err
		}
		real.Dataset, real.Summary = res.Set.(*dataset.Dataset), res.Summary // no limit of memory was set
		return nil
	})
	real.Seconds = seconds
	return real, err
}

// Fit returns the data as fits take it, on one core.
func (r *Real) Fit() fit.Training {
	run := r.Runner(1)
	return fit.Training{
		Run: run, Vocab: r.Vocab, Kind: r.Kind,
		Sequences: r.Steps != nil, Fingerprint: r.Fingerprint(),
	}
}

// Part returns some of the records as fits take them.
func (r *Real) Part(records []int) fit.Training {
	rows := r.Rows.Pick(records)
	return fit.Training{
		Run: pass.NewLocal(rows, 1), Vocab: r.Vocab, Kind: r.Kind,
		Fingerprint: "part",
	}
}

// Only keeps the records that a rule lets in.
func (r *Real) Only(keep func(i int) bool) *Real {
	var list []int
	for i := range r.Len() {
		if keep(i) {
			list = append(list, i)
		}
	}
	d := &dataset.Dataset{Kind: r.Kind, Rows: r.Rows.Pick(list), Vocab: r.Vocab}
	for _, s := range r.Side {
		side := dataset.Side{Name: s.Name}
		for _, i := range list {
			side.Values = append(side.Values, s.Values[i])
		}
		d.Side = append(d.Side, side)
	}
	for _, i := range list {
		d.IDs = append(d.IDs, r.ID(i))
	}
	return &Real{Dataset: d, Summary: r.Summary, Seconds: r.Seconds}
}

// Codes returns the number of features in record i.
func Codes(rows sparse.Rows, i int) int {
	index, _ := rows.Row(i)
	return len(index)
}

// Numbers turns words into labels, in the order of their first use.
func Numbers(words []string) (labels []int, names []string) {
	at := map[string]int{}
	for _, word := range words {
		n, ok := at[word]
		if !ok {
			n = len(names)
			at[word], names = n, append(names, word)
		}
		labels = append(labels, n)
	}
	return labels, names
}
