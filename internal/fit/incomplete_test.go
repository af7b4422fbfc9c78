package fit_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// slanted are measurements of three groups that only their correlations tell
// apart, complete and with that share of the records incomplete.
func slanted(seed uint64, n int, share float64) (whole, holed sparse.Rows, group []int) {
	r := stream.New(seed, "slanted")
	whole.Dim, holed.Dim = 4, 4
	for i := range n {
		g := float64(i % 3)
		a, b := 2*r.NormFloat64(), r.NormFloat64()
		x := []float64{a + g, a - 2.5*g + .4*r.NormFloat64(), b + g, b - g + .4*r.NormFloat64()}
		group = append(group, i%3)
		whole.Dense = append(whole.Dense, x...)
		if r.Float64() < share {
			x[r.IntN(4)] = math.NaN()
		}
		holed.Dense = append(holed.Dense, x...)
	}
	return whole, holed, group
}

func warned(o *fit.Outcome, code string) bool {
	return slices.ContainsFunc(o.Model.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == code }) ||
		o.Tree != nil && slices.ContainsFunc(o.Tree.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == code })
}

// Measurements of which few records are incomplete keep their covariances: the
// same number of groups as complete ones, and as good groups, flat and tree, from
// memory and from disk, with any number of workers.
func TestFewIncomplete(t *testing.T) {
	for seed := range uint64(numtest.Scale(1, 3, 3)) {
		whole, holed, group := slanted(seed, numtest.Scale(600, 900, 900), .05)
		for e := range 4 { // one record without any value
			holed.Dense[4*77+e] = math.NaN()
		}
		for _, k := range []int{0, 3} {
			journey := fit.Flat
			if k == 0 {
				journey = fit.Tree
			}
			s := fit.Settings{K: k, Seed: 1}
			want, err := journey(t.Context(), dataOf(whole, record.Real, 2), s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := journey(t.Context(), dataOf(holed, record.Real, 2), s)
			if err != nil {
				t.Fatal(err)
			}
			a, _ := agree.ARI(labels(want), group)
			b, _ := agree.ARI(labels(got), group)
			t.Logf("seed %d, %d asked for: %d groups, ARI %.3f complete, %d groups, %.3f with blanks", seed, k, want.K(), a, got.K(), b)
			if got.K() != 3 || want.K() != 3 || b < a-.02 {
				t.Errorf("seed %d, %d asked for: %d groups, ARI %.3f, want %d and %.3f", seed, k, got.K(), b, want.K(), a)
			}
			if g, w := got.Model.Spec, want.Model.Spec; g.Model != "gaussian" || g.Covariance == "diagonal" || w.Covariance == "diagonal" {
				t.Errorf("seed %d: %s, %s, and %s of complete records", seed, g.Model, g.Covariance, w.Covariance)
			}
			if !warned(got, "missing-expected") || warned(got, "missing-skipped") || warned(want, "missing-expected") {
				t.Errorf("seed %d, %d asked for: not said, or said of complete records", seed, k)
			}
			disk := dataOf(holed, record.Real, 8)
			disk.Run, disk.Memory = passtest.Streamed(holed, 8), 1<<20
			there, err := journey(t.Context(), disk, s)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(saved(t, got), saved(t, there)) || !slices.Equal(got.Group, there.Group) {
				t.Errorf("seed %d, %d asked for: another model on disk", seed, k)
			}
			if p := got.Probability[77]; k == 3 && numtest.Off(float64(p), slices.Max(got.Model.Params.Weights), 1e-6) {
				t.Errorf("a record of blanks is in its group by %v, want the largest weight of %v", p, got.Model.Params.Weights)
			}
		}
	}
}

// Columns of measurements are measurements where some values are missing; new
// records are placed by what is there of them; more than a tenth of incomplete
// records has the model of columns.
func TestIncompleteColumns(t *testing.T) {
	_, holed, group := slanted(7, 600, .05)
	columns := func(rows sparse.Rows) fit.Training {
		data := dataOf(rows, record.Mixed, 2)
		for h, name := range data.Vocab.Names {
			data.Vocab.Columns = append(data.Vocab.Columns, vocab.Column{Name: name, Kind: vocab.Real, From: h, To: h + 1})
		}
		return data
	}
	for _, spec := range []model.Spec{{}, {Model: "gaussian", Covariance: "full"}, {Model: "mixed"}} {
		got, err := fit.Flat(t.Context(), columns(holed), fit.Settings{K: 3, Seed: 1, Spec: spec})
		if err != nil {
			t.Fatal(err)
		}
		want := "gaussian"
		if spec.Model == "mixed" {
			want = "mixed"
		}
		if got.Model.Spec.Model != want || spec.Covariance != "" && got.Model.Spec.Covariance != spec.Covariance {
			t.Errorf("%+v: fitted with %s, %s", spec, got.Model.Spec.Model, got.Model.Spec.Covariance)
		}
		if want == "mixed" {
			continue
		}
		fam, err := got.Model.Family()
		if err != nil {
			t.Fatal(err)
		}
		_, fresh, truth := slanted(8, 600, .5)
		a, err := assign.All(t.Context(), fam, got.Model.Params, pass.NewLocal(fresh, 1))
		if err != nil {
			t.Fatal(err)
		}
		ari, _ := agree.ARI(a.Labels(), truth)
		old, _ := agree.ARI(labels(got), group)
		t.Logf("ARI %.3f, of new records of which half are incomplete %.3f", old, ari)
		if old < .95 || ari < .95 {
			t.Errorf("ARI %.3f, of new records %.3f", old, ari)
		}
	}
	_, many, _ := slanted(7, 600, .2)
	got, err := fit.Flat(t.Context(), columns(many), fit.Settings{K: 3, Seed: 1})
	if err != nil || got.Model.Spec.Model != "mixed" {
		t.Errorf("a fifth is incomplete: %v, %v", got, err)
	}
}

// More groups than the records show are cut out of nearly complete records, too.
func TestIncompleteExtended(t *testing.T) {
	_, holed, _ := slanted(3, 600, .05)
	got, err := fit.Tree(t.Context(), dataOf(holed, record.Real, 2), fit.Settings{Seed: 1, Tree: fit.TreeShape{Leaves: 6}})
	if err != nil || got.K() != 6 || got.Model.Spec.Model != "gaussian" {
		t.Fatalf("%v, %v", got, err)
	}
}
