package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/bernoullitrees"
	"github.com/moiety-go/moiety/experiments/counterexample"
	"github.com/moiety-go/moiety/experiments/divina"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/overcomplete"
	"github.com/moiety-go/moiety/experiments/realizable"
	"github.com/moiety-go/moiety/experiments/sotu"
	"github.com/moiety-go/moiety/experiments/svtdfails"
	"github.com/moiety-go/moiety/experiments/topictree"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// TestResultsPage measures the cheap rows of docs/results.md again. The rows
// stand in the table "Rows that a test measures again": name, value, tolerance.
// Tolerances are those of the page: the fits are deterministic on one machine,
// other instruction sets differ in the last bits, which may move single
// records.
func TestResultsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("measures experiments again")
	}
	rows := pageRows(t)
	measured := 0
	for _, m := range measurements() {
		got, err := m.measure(context.Background())
		if errors.Is(err, lab.ErrNoData) {
			t.Logf("%v: rows left out", err)
			for _, name := range m.names {
				delete(rows, name)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", m.names, err)
		}
		for i, name := range m.names {
			row, ok := rows[name]
			if !ok {
				t.Errorf("docs/results.md has no row %q; measured %.4f", name, got[i])
				continue
			}
			delete(rows, name)
			measured++
			if math.Abs(got[i]-row.value) > row.tolerance {
				t.Errorf("%s: measured %.4f, docs/results.md says %.4f ± %g", name, got[i], row.value, row.tolerance)
			}
		}
	}
	for name := range rows {
		t.Errorf("docs/results.md has a row %q that nothing measures", name)
	}
	t.Logf("%d rows measured again", measured)
}

type pageRow struct{ value, tolerance float64 }

// pageRows reads the table of rows that can be measured again.
func pageRows(t *testing.T) map[string]pageRow {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "docs", "results.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]pageRow{}
	inside := false
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := s.Text()
		if strings.HasPrefix(line, "#") {
			inside = strings.Contains(line, "Rows that a test measures again")
		}
		cells := strings.Split(line, "|")
		if !inside || len(cells) < 5 {
			continue
		}
		value, err1 := strconv.ParseFloat(strings.TrimSpace(cells[2]), 64)
		tolerance, err2 := strconv.ParseFloat(strings.TrimSpace(cells[3]), 64)
		if err1 == nil && err2 == nil {
			out[strings.TrimSpace(cells[1])] = pageRow{value, tolerance}
		}
	}
	if len(out) == 0 {
		t.Fatal("docs/results.md has no rows to measure again")
	}
	return out
}

// measurement makes several rows.
type measurement struct {
	names   []string
	measure func(ctx context.Context) ([]float64, error)
}

func measurements() []measurement {
	out := []measurement{
		{[]string{"counterexample, Lemma A.1", "counterexample, least off the diagonal"}, func(ctx context.Context) ([]float64, error) {
			r, err := counterexample.Measure(ctx)
			if err != nil {
				return nil, err
			}
			return []float64{r.Gap, r.Off}, nil
		}},
		{[]string{"svtd-fails, one slice", "svtd-fails, default"}, func(ctx context.Context) ([]float64, error) {
			_, errs, err := svtdfails.Measure(ctx, lab.Seeds(0, 10))
			if err != nil {
				return nil, err
			}
			return []float64{errs[0].Mean(), errs[2].Mean()}, nil
		}},
		{[]string{"realizable, SIDIWO, exact moments"}, func(ctx context.Context) ([]float64, error) {
			s, err := realizable.Exact(ctx, "sidiwo", lab.Seeds(0, 10))
			if err != nil {
				return nil, err
			}
			return []float64{s.Mean()}, nil
		}},
		{[]string{"overcomplete, square, default tree", "overcomplete, square, k-means"}, func(ctx context.Context) ([]float64, error) {
			r, err := overcomplete.Measure(ctx, overcomplete.Shapes()[0], lab.Seeds(0, 10))
			return []float64{r[0].Mean(), r[3].Mean()}, err
		}},
		{[]string{"bernoulli-trees, hier8, default tree", "bernoulli-trees, hier8, bisecting k-means"}, func(ctx context.Context) ([]float64, error) {
			c, err := bernoullitrees.Measure(ctx, bernoullitrees.Settings()[3], 5)
			if err != nil {
				return nil, err
			}
			return []float64{c.Of(bernoullitrees.Default).Mean(), c.Of(bernoullitrees.Bisecting).Mean()}, nil
		}},
		{[]string{"divina, two groups, inferno in its own", "divina, two groups, paradiso in its own"}, divinaTwo},
		{[]string{"sotu, 11 groups, ARI with the president"}, sotuPresidents},
		{[]string{"beyond, iris", "beyond, wine"}, classics},
	}
	for _, words := range []int{50, 100, 200} {
		name := fmt.Sprintf("tree, %d words", words)
		out = append(out, measurement{[]string{name + ", default", name + ", SIDIWO"}, func(ctx context.Context) ([]float64, error) {
			c, err := topictree.Measure(ctx, words, lab.Seeds(0, 10))
			if err != nil {
				return nil, err
			}
			return []float64{c.Score[0].Mean(), c.Score[1].Mean()}, nil
		}})
	}
	return out
}

// divinaTwo counts, with two groups of the default, the cantos of hell and of
// heaven that lie with most of their kind.
func divinaTwo(ctx context.Context) ([]float64, error) {
	data, cantica, err := divina.Read(ctx, dataset.Amount{Count: 3000})
	if err != nil {
		return nil, err
	}
	o, err := lab.Flat(ctx, data.Fit(), model.Spec{Model: "single-topic"}, 2, "", fit.EM)
	if err != nil {
		return nil, err
	}
	var held [3][2]float64
	for i, g := range o.Group {
		held[cantica[i]][g]++
	}
	return []float64{math.Max(held[0][0], held[0][1]), math.Max(held[2][0], held[2][1])}, nil
}

func sotuPresidents(ctx context.Context) ([]float64, error) {
	data, addresses, err := sotu.Read(ctx, dataset.Amount{Share: .7})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, a := range addresses {
		names = append(names, a.President)
	}
	truth, known := lab.Numbers(names)
	o, err := lab.Flat(ctx, data.Fit(), model.Spec{Model: "single-topic"}, len(known), "", fit.EM)
	if err != nil {
		return nil, err
	}
	a, err := agree.ARI(lab.Ints(o.Group), truth)
	return []float64{a}, err
}

func classics(ctx context.Context) ([]float64, error) {
	var out []float64
	for _, c := range []struct{ file, label string }{{"iris.csv", "Species"}, {"wine27.csv", "Type"}} {
		data, err := lab.Open(ctx, [][]string{{"classics", c.file}}, read.Options{Reading: record.Reading{Label: []string{c.label}}}, encode.Settings{})
		if err != nil {
			return nil, err
		}
		side, _ := data.SideColumn(c.label)
		truth, _ := lab.Numbers(side.Values)
		o, err := lab.Flat(ctx, data.Fit(), model.Spec{Model: "gaussian"}, 3, "", fit.EM)
		if err != nil {
			return nil, err
		}
		a, err := agree.ARI(lab.Ints(o.Group), truth)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}
