package fit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

func dataOf(rows sparse.Rows, kind record.Kind, workers int) fit.Training {
	return fit.Training{
		Run:   pass.NewLocal(rows, workers),
		Vocab: vocab.Numbered(rows.Dim), Kind: kind, Fingerprint: "test",
	}
}

func labels(o *fit.Outcome) []int {
	out := make([]int, len(o.Group))
	for i, g := range o.Group {
		out[i] = int(g)
	}
	return out
}

func TestFlatFindsTheGroups(t *testing.T) {
	for _, c := range []struct {
		model string
		set   synth.Set
		kind  record.Kind
		least float64 // ARI; the oracle reaches a little more
	}{
		{"bernoulli", synth.ExponentialBernoulli(1, 3000, 60, 3, synth.UniformWeights), record.Presence, .9},
		{"poisson", synth.PoissonMixture(1, 3000, 40, 3, 40), record.Counts, .9},
		{"single-topic", synth.HierarchicalTopics(1, 1000, 200, .1), record.Counts, .6},
	} {
		t.Run(c.model, func(t *testing.T) {
			o, err := fit.Flat(context.Background(), dataOf(c.set.Rows, c.kind, 0), fit.Settings{K: c.set.Truth.K(), Spec: model.Spec{Model: c.model}})
			if err != nil {
				t.Fatal(err)
			}
			ari, err := agree.ARI(labels(o), c.set.Labels)
			if err != nil || ari < c.least {
				t.Errorf("ARI %.3f (%v), want at least %.2f", ari, err, c.least)
			}
			if err := o.Model.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBitsDoNotDependOnWorkers fits more than fifty blocks with an uneven last
// one and compares the bytes of the model files.
func TestBitsDoNotDependOnWorkers(t *testing.T) {
	n := 50*pass.BlockRecords + 1234
	if testing.Short() {
		n = pass.BlockRecords + 1234
	}
	set := synth.Patients(1, n, 40, 4, 6)
	for _, journey := range []struct {
		name string
		fit  func(context.Context, fit.Training, fit.Settings) (*fit.Outcome, error)
		s    fit.Settings
	}{
		{"flat", fit.Flat, fit.Settings{K: 4}},
		{"tree", fit.Tree, fit.Settings{Tree: fit.TreeShape{Leaves: 4}}},
		{"free tree", fit.Tree, fit.Settings{Tree: fit.TreeShape{Leaves: 4, Free: true}, Refine: fit.None}},
	} {
		if testing.Short() && journey.name == "tree" {
			continue // TestSameTreeForWorkersMemoryAndDisk grows it
		}
		t.Run(journey.name, func(t *testing.T) {
			var first []byte
			var groups []int32
			for _, workers := range numtest.Workers() {
				s := journey.s
				s.Workers = workers
				o, err := journey.fit(context.Background(), dataOf(set.Rows, record.Presence, workers), s)
				if err != nil {
					t.Fatal(err)
				}
				data := saved(t, o)
				if first == nil {
					first, groups = data, o.Group
					continue
				}
				if !bytes.Equal(first, data) {
					t.Errorf("%d workers give other bytes", workers)
				}
				for i, g := range o.Group {
					if g != groups[i] {
						t.Fatalf("%d workers place record %d in group %d, one places it in %d", workers, i, g, groups[i])
					}
				}
			}
		})
	}
}

// saved returns the bytes of the outcome's files.
func saved(t *testing.T, o *fit.Outcome) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	save := o.Model.Save
	if o.Tree != nil {
		save = o.Tree.Save
	}
	if err := save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHostileData fits what no model can explain: an error with its reason or
// finite parameters, never NaN, never a panic.
func TestHostileData(t *testing.T) {
	nan := math.NaN()
	sets := map[string]sparse.Rows{
		"one record":               table([][]float64{{1, 0, 1, 0, 1}}),
		"two records":              table([][]float64{{1, 0, 1, 0, 1}, {0, 1, 0, 1, 0}}),
		"all rows equal":           repeated([]float64{1, 0, 1, 1, 0}, 50),
		"all rows empty":           repeated([]float64{0, 0, 0, 0, 0}, 50),
		"a feature in every row":   mixedRows(60, func(i, h int) float64 { return b2f(h == 0 || (i+h)%3 == 0) }),
		"half of the rows empty":   mixedRows(60, func(i, h int) float64 { return b2f(i%2 == 0 && (i/2+h)%3 == 0) }),
		"two identical features":   mixedRows(60, func(i, h int) float64 { return b2f((i+h/2)%3 == 0) }),
		"large counts":             mixedRows(60, func(i, h int) float64 { return float64((i*7+h*3)%5) * 1e6 }),
		"dense with missing cells": dense(40, func(i, h int) float64 { return []float64{nan, 1, 2, 3}[(i+h)%4] }),
		"dense and constant":       dense(40, func(_, _ int) float64 { return 3 }),
		"negative numbers":         dense(40, func(i, h int) float64 { return float64((i*3+h*5)%7) - 3 }),
	}
	for name, rows := range sets {
		for _, m := range model.Names() {
			for _, k := range []int{1, 2, 5, 40} {
				if m == "multiview" {
					continue // needs its views
				}
				t.Run(fmt.Sprintf("%s, %s, k=%d", name, m, k), func(t *testing.T) {
					data := dataOf(rows, record.Presence, 1)
					o, err := fit.Flat(context.Background(), data, fit.Settings{K: k, Spec: model.Spec{Model: m}})
					if err != nil {
						if err.Error() == "" {
							t.Error("an error without words")
						}
						return
					}
					if err := o.Model.Check(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// TestTreeOfMixedDocuments grows a tree over documents that mix topics: every
// leaf is a topic, and documents are placed by their largest share.
func TestTreeOfMixedDocuments(t *testing.T) {
	set := synth.LDADocuments(1, 1500, 200, 4, .4, .05, 80)
	o, err := fit.Tree(context.Background(), dataOf(set.Rows, record.Counts, 2), fit.Settings{
		Spec: model.Spec{Model: "lda"}, Tree: fit.TreeShape{Leaves: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Model.Spec.Model != "lda" || o.Model.Params.Extra["alpha"] == nil {
		t.Errorf("the leaves are no topics of mixed documents: %v", o.Model.Spec)
	}
	largest := make([]int, set.Rows.N())
	for i := range largest {
		for j, v := range set.Theta.RawRowView(i) {
			if v > set.Theta.At(i, largest[i]) {
				largest[i] = j
			}
		}
	}
	if ari, err := agree.ARI(labels(o), largest); err != nil || ari < .7 {
		t.Errorf("ARI with the largest true shares %.3f (%v)", ari, err)
	}
}

func TestTooLittleIsTyped(t *testing.T) {
	rows := repeated([]float64{1, 0, 1, 1, 0}, 50)
	_, err := fit.Flat(context.Background(), dataOf(rows, record.Presence, 1), fit.Settings{K: 3})
	if !errors.Is(err, fit.ErrTooLittle) {
		t.Errorf("equal rows: %v, want ErrTooLittle", err)
	}
}

func TestTreeOnHostileData(t *testing.T) {
	for name, rows := range map[string]sparse.Rows{
		"one record":     table([][]float64{{1, 0, 1}}),
		"all rows equal": repeated([]float64{1, 0, 1}, 50),
		"all rows empty": repeated([]float64{0, 0, 0}, 50),
	} {
		for _, s := range []fit.TreeShape{{}, {Leaves: 4}, {Levels: 3}, {Free: true}} {
			o, err := fit.Tree(context.Background(), dataOf(rows, record.Presence, 1), fit.Settings{Tree: s})
			if err == nil && len(o.Group) != rows.N() {
				t.Errorf("%s: %d of %d records placed", name, len(o.Group), rows.N())
			}
		}
	}
}

func TestSettingsCheck(t *testing.T) {
	for _, s := range []fit.Settings{
		{K: -1},
		{K: 3, Tree: fit.TreeShape{Leaves: 4}},
		{K: 3, Method: "sidiwoo"},
		{K: 3, Refine: "mcmc"},
		{K: 3, Spec: model.Spec{Model: "beroulli"}},
		{K: 3, Spec: model.Spec{Covariance: "diagonal"}, Refine: fit.None},
		{K: 3, Spec: model.Spec{Covariance: "common"}, Refine: fit.None},
	} {
		if s.Check() == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

func table(t [][]float64) sparse.Rows { return sparse.FromDense(t, len(t[0]), false) }

func repeated(row []float64, n int) sparse.Rows {
	out := make([][]float64, n)
	for i := range out {
		out[i] = row
	}
	return table(out)
}

func mixedRows(n int, value func(i, h int) float64) sparse.Rows {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, 6)
		for h := range out[i] {
			out[i][h] = value(i, h)
		}
	}
	return table(out)
}

func dense(n int, value func(i, h int) float64) sparse.Rows {
	rows := sparse.Rows{Dim: 4}
	for i := range n {
		for h := range 4 {
			rows.Dense = append(rows.Dense, value(i, h))
		}
	}
	return rows
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
