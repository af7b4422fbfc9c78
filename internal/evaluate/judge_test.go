package evaluate_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// The likelihood of presences, written out.
func TestLikelihood(t *testing.T) {
	set := synth.ExponentialBernoulli(1, 500, 6, 2, synth.UniformWeights)
	f := bernoulli.New(bernoulli.Options{})
	got, err := evaluate.Likelihood(t.Context(), f, set.Truth, pass.NewLocal(set.Rows, 2))
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i := range 500 {
		p := 0.0
		for j, w := range set.Truth.Weights {
			for h := range 6 {
				m := set.Truth.Centers.At(h, j)
				if set.Rows.At(i, h) == 0 {
					m = 1 - m
				}
				w *= m
			}
			p += w
		}
		want += math.Log(p)
	}
	numtest.Slices(t, "likelihood", []float64{got.LogLikelihood / 500, got.PerRecord}, []float64{want / 500, want / 500}, 1e-11)
	numtest.Slices(t, "criteria", []float64{got.BIC, got.AIC}, []float64{-2*want + 13*math.Log(500), -2*want + 26}, 1e-8)
	if got.Parameters != 13 || got.Records != 500 { // 12 centers and one weight
		t.Errorf("%d parameters, %d records", got.Parameters, got.Records)
	}
}

func TestStability(t *testing.T) {
	const n = 101
	var fits [][]int
	steady, err := evaluate.Stability(t.Context(), n, evaluate.StabilityOptions{Runs: 2}, func(_ context.Context, rows []int) ([]int, error) {
		if !slices.IsSorted(rows) {
			t.Error("records out of order")
		}
		fits = append(fits, slices.Clone(rows))
		labels := make([]int, len(rows))
		for x, i := range rows {
			labels[x] = (i%3 + len(fits)) % 3 // the same groups, otherwise named
		}
		return labels, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if steady.Mean != 1 || steady.SD != 0 || steady.Shared != 81 || steady.Own != 10 || len(steady.ARI) != 2 {
		t.Errorf("%+v", steady)
	}
	both := 0
	for _, i := range fits[0] {
		if slices.Contains(fits[1], i) {
			both++
		}
	}
	if len(fits[0]) != 91 || len(fits[1]) != 91 || both != 81 {
		t.Errorf("fits of %d and %d records share %d", len(fits[0]), len(fits[1]), both)
	}
	r := stream.New(1, "noise")
	loose, err := evaluate.Stability(t.Context(), 2000, evaluate.StabilityOptions{}, func(_ context.Context, rows []int) ([]int, error) {
		labels := make([]int, len(rows))
		for x := range labels {
			labels[x] = r.IntN(3)
		}
		return labels, nil
	})
	if err != nil || numtest.Off(loose.Mean, 0, 0.01) || !(loose.SD > 0) {
		t.Errorf("groups by chance: %+v, %v", loose, err)
	}
}

func TestStabilityRefuses(t *testing.T) {
	none := func(context.Context, []int) ([]int, error) { return nil, nil }
	bad := errors.New("bad")
	for _, n := range []int{0, 2, 4} {
		if _, err := evaluate.Stability(t.Context(), n, evaluate.StabilityOptions{}, none); err == nil {
			t.Errorf("%d records accepted", n)
		}
	}
	if _, err := evaluate.Stability(t.Context(), 100, evaluate.StabilityOptions{}, none); err == nil {
		t.Error("a fit without labels accepted")
	}
	_, err := evaluate.Stability(t.Context(), 100, evaluate.StabilityOptions{}, func(context.Context, []int) ([]int, error) { return nil, bad })
	if !errors.Is(err, bad) {
		t.Errorf("a fit that fails: %v", err)
	}
}

// Group 7 has the outcome in 80 % of its records, group 9 in 20 %: accuracy 0.8
// and an area of 0.8 under the curve.
func TestPredictFromGroups(t *testing.T) {
	const n = 1000
	labels, outcome := make([]int, n), make([]bool, n)
	for i := range n {
		labels[i] = 7 + 2*(i%2)
		outcome[i] = (i/2%5 != 0) == (i%2 == 0)
	}
	p, err := evaluate.PredictFromGroups(t.Context(), labels, outcome, evaluate.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const exact = 1e-9 // the folds are of equal size, so their mean is that of all records
	if numtest.Off(p.Accuracy, .8, exact) || numtest.Off(p.AUC, .8, 0.01) || p.Baseline != .5 || p.Records != n {
		t.Errorf("%+v", p)
	}
	r := stream.New(2, "noise")
	for i := range outcome {
		outcome[i] = r.Float64() < .7
	}
	p, err = evaluate.PredictFromGroups(t.Context(), labels, outcome, evaluate.PredictOptions{Folds: 10})
	if err != nil || numtest.Off(p.AUC, .5, .06) || numtest.Off(p.Accuracy, p.Baseline, .01) {
		t.Errorf("groups that mean nothing: %+v, %v", p, err)
	}
}

func TestPredictRefuses(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	for _, outcome := range [][]bool{{true}, {true, true, true, true}, {true, true, true, false}} {
		if _, err := evaluate.Predict(t.Context(), x, outcome, evaluate.PredictOptions{Folds: 2}); err == nil {
			t.Errorf("outcomes %v accepted", outcome)
		}
	}
	if _, err := evaluate.PredictFromGroups(t.Context(), nil, nil, evaluate.PredictOptions{}); err == nil {
		t.Error("no records accepted")
	}
}

func TestJoin(t *testing.T) {
	a, err := evaluate.ReadLabels(strings.NewReader("id,group,probability\np1,1,0.9\np2,1,0.8\np3,2,0.7\np9,2,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := evaluate.ReadLabels(strings.NewReader("\ufeffLabel,ID\nx,p1\nx,p2\ny,p3\n\"z, or not\",p4\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := evaluate.Join(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if *got != (evaluate.Agreement{N: 3, ARI: 1, NMI: 1, OnlyA: 1, OnlyB: 1, GroupsA: 2, GroupsB: 2}) {
		t.Errorf("%+v", *got)
	}
	if _, err := evaluate.Join(a, map[string]string{"q": "x"}); err == nil {
		t.Error("lists without a common id accepted")
	}
	for _, text := range []string{"", "name,group\n", "id,value\n", "id,group\np1,1\np1,2\n", "id,group\np1\n"} {
		if _, err := evaluate.ReadLabels(strings.NewReader(text)); err == nil {
			t.Errorf("labels %q accepted", text)
		}
	}
}

func TestLikelihoodRefuses(t *testing.T) {
	set := synth.ExponentialBernoulli(1, 5, 6, 2, synth.UniformWeights)
	if _, err := evaluate.Likelihood(t.Context(), bernoulli.New(bernoulli.Options{}), set.Truth, pass.NewLocal(sparse.Rows{Dim: 6, Ptr: []int{0}}, 1)); err == nil {
		t.Error("no records accepted")
	}
}
