package singletopic_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// exactTol is the promise on exact moments; roundTol a few hundred roundings.
const (
	exactTol = 1e-9
	roundTol = 1e-12
)

func TestExact(t *testing.T) {
	ctx := context.Background()
	truth, f := topics(), newFamily(t, singletopic.Options{})
	src := moment.NewExact(truth)
	raw, err := decompose.Auto(ctx, src, truth.K(), decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, warnings, err := f.Normalise(ctx, src, raw.Params)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	match, err := agree.Columns(truth.Centers, p.Centers)
	if err != nil {
		t.Fatal(err)
	}
	for j, m := range match {
		if numtest.Off(p.Weights[m], truth.Weights[j], exactTol) {
			t.Errorf("weight %d is %v, want %v", j+1, p.Weights[m], truth.Weights[j])
		}
		for h := range truth.Dim() {
			if got, want := p.Centers.At(h, m), truth.Centers.At(h, j); numtest.Off(got, want, exactTol) {
				t.Errorf("word %d of topic %d is %v, want %v", h+1, j+1, got, want)
			}
		}
	}
}

// Normalise accepts what a failed decomposition may return.
func TestNormalise(t *testing.T) {
	f := newFamily(t, singletopic.Options{})
	nan := math.NaN()
	raw := mixture.New(mat.NewDense(6, 3, []float64{
		-.5, 0, nan,
		-.3, 0, 1,
		-.2, 0, -1,
		.1, 0, 3,
		0, 0, math.Inf(1),
		0, 0, 0,
	}), []float64{nan, -1, 2})
	p, warnings, err := f.Normalise(context.Background(), moment.NewExact(topics()), raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(p); err != nil {
		t.Error(err)
	}
	if len(warnings) != 1 || warnings[0].Code != "empty-topic" {
		t.Errorf("warnings %v, want one on the topic without words", warnings)
	}
	if p.Centers.At(0, 0) < .49 { // the first column was upside down
		t.Errorf("the turned topic is %v", mat.Col(nil, 0, p.Centers))
	}
	for h := range 6 {
		for j := range 3 {
			if !(p.Centers.At(h, j) > 0) {
				t.Errorf("word %d of topic %d is %v", h+1, j+1, p.Centers.At(h, j))
			}
		}
	}
}

// The probabilities of all bags of a length add up to one.
func TestDensityIsNormalised(t *testing.T) {
	p := mixture.New(mat.NewDense(3, 2, []float64{.7, .1, .2, .3, .1, .6}), []float64{.6, .4})
	f := newFamily(t, singletopic.Options{})
	for length := range 6 {
		var table [][]float64
		for a := range length + 1 {
			for b := range length - a + 1 {
				table = append(table, []float64{float64(a), float64(b), float64(length - a - b)})
			}
		}
		logp := make([]float64, len(table))
		if err := f.LogDensity(p, pass.Block{Rows: sparse.FromDense(table, 3, false)}, logp); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range logp {
			sum += math.Exp(v)
		}
		if numtest.Off(sum, 1, roundTol) {
			t.Errorf("bags of %d words have probability %v in all", length, sum)
		}
	}
}

// An empty document and one of words that no topic knows get the weights.
func TestPosteriorOfNothing(t *testing.T) {
	p := mixture.New(mat.NewDense(3, 2, []float64{.8, .4, 0, 0, .2, .6}), []float64{.7, .3})
	f := newFamily(t, singletopic.Options{})
	out := make([]float64, 4)
	b := pass.Block{Rows: sparse.FromDense([][]float64{{0, 0, 0}, {0, 4, 0}}, 3, false)}
	if err := f.Posterior(p, b, out); err != nil {
		t.Fatal(err)
	}
	for i, v := range out {
		if numtest.Off(v, p.Weights[i%2], roundTol) {
			t.Errorf("posterior %v, want the weights", out)
		}
	}
	bad := pass.Block{Rows: sparse.Rows{Dim: 3, Dense: []float64{1, math.NaN(), 0}}}
	if f.Posterior(p, bad, out) == nil {
		t.Error("a missing count was accepted")
	}
}

func TestIllegalSettings(t *testing.T) {
	for _, o := range []singletopic.Options{{Weights: "heavy"}, {L0: -1}, {L0: math.Inf(1)}} {
		if _, err := singletopic.New(o); err == nil {
			t.Errorf("options %+v were accepted", o)
		}
	}
}

// BIC with the family's count of parameters finds the number of topics.
func TestFreeParametersChoose(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: learns models of 2 to 8 topics")
	}
	const n = 1000
	ctx := context.Background()
	set := synth.MomentDocuments(3, n, synth.PeakedTopics, false)
	run := pass.NewLocal(set.Rows, 0)
	f := newFamily(t, singletopic.Options{})
	best, chosen := math.Inf(1), 0
	for k := 2; k <= 8; k++ {
		src, err := f.Source(ctx, run, k)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := decompose.Auto(ctx, src, k, decompose.Options{Fewer: true})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := f.Normalise(ctx, src, raw.Params)
		if err != nil {
			t.Fatal(err)
		}
		state := []float64(nil)
		for range 20 {
			sum, err := f.EStep(p, true)
			if err != nil {
				t.Fatal(err)
			}
			if state, err = pass.RunOne(ctx, run, sum); err != nil {
				t.Fatal(err)
			}
			if p, _, err = f.MStep(state, p, 1); err != nil {
				t.Fatal(err)
			}
		}
		bic := -2*state[0] + float64(f.FreeParameters(p))*math.Log(n)
		t.Logf("k %d: log-likelihood %.1f, %d parameters, BIC %.1f", k, state[0], f.FreeParameters(p), bic)
		if bic < best {
			best, chosen = bic, k
		}
	}
	if chosen != 5 {
		t.Errorf("BIC chooses %d topics, want 5", chosen)
	}
}
