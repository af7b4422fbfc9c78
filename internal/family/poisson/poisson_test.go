package poisson_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func params() mixture.Params {
	return mixture.New(mat.NewDense(8, 3, []float64{
		3, .5, 1,
		.1, 4, 1,
		.2, .3, 2,
		0, 0, 0, // a feature that nobody has
		1, 1, 1,
		0, 2, .5,
		5, 1, 3,
		.7, .7, 6,
	}), []float64{.5, .3, .2})
}

func scaled(src moment.Source, p mixture.Params) mixture.Params {
	return familytest.Divide(p, src.(*moment.Sampled).Formula().Scale)
}

func TestBattery(t *testing.T) {
	negative := params()
	negative.Centers.Set(2, 1, -.1)
	familytest.Run(t, poisson.New(), familytest.Case{
		Params:      params(),
		Coordinates: scaled,
		Illegal:     []mixture.Params{negative},
		Free:        2 + 7*3,
	})
}

// TestDensity compares with the definition e^−λ λ^x / x!.
func TestDensity(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 2, []float64{1, 2, 3, .5}), []float64{.25, .75})
	rows := sparse.FromDense([][]float64{{2, 0}, {0, 3}, {0, 0}}, 2, false)
	pmf := func(lambda, x float64) float64 {
		return math.Exp(-lambda) * math.Pow(lambda, x) / math.Gamma(x+1)
	}
	out := make([]float64, 3)
	if err := poisson.New().LogDensity(p, pass.Block{Rows: rows}, out); err != nil {
		t.Fatal(err)
	}
	for i, x := range [][]float64{{2, 0}, {0, 3}, {0, 0}} {
		want := math.Log(.25*pmf(1, x[0])*pmf(3, x[1]) + .75*pmf(2, x[0])*pmf(.5, x[1]))
		if numtest.Off(out[i], want, 1e-14) {
			t.Errorf("record %d: log density %v, want %v", i, out[i], want)
		}
	}
}

// TestMStep is the formula on numbers small enough for paper.
func TestMStep(t *testing.T) {
	old := mixture.New(mat.NewDense(1, 2, []float64{1, 2}), []float64{.5, .5})
	stats := []float64{-1, 4, 3, 1, 6, 2} // log-likelihood, n, counts 3 and 1, sums 6 and 2: mean 2
	p, _, err := poisson.New().MStep(stats, old, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Centers.RawRowView(0); got[0] != (6+2)/4.0 || got[1] != (2+2)/2.0 {
		t.Errorf("centers %v", got)
	}
	if p.Weights[0] != .75 || p.Weights[1] != .25 {
		t.Errorf("weights %v", p.Weights)
	}
}

// TestUnknownFeature: a feature that no component knows does not decide.
func TestUnknownFeature(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 2, []float64{4, .1, 0, 0}), []float64{.5, .5})
	rows := sparse.FromDense([][]float64{{5, 1}, {5, 0}}, 2, false)
	out := make([]float64, 4)
	if err := poisson.New().Posterior(p, pass.Block{Rows: rows}, out); err != nil {
		t.Fatal(err)
	}
	if numtest.Off(out[0], out[2], 1e-9) {
		t.Errorf("posterior %v with the unknown feature, %v without", out[0], out[2])
	}
}

func TestSourceRefuses(t *testing.T) {
	for name, x := range map[string]float64{"negative": -1, "half": .5, "missing": math.NaN()} {
		rows := sparse.FromDense([][]float64{{1, 2}, {0, x}}, 2, false)
		_, err := poisson.New().Source(context.Background(), pass.NewLocal(rows, 1), 2)
		var value *moment.ValueError
		if !errors.As(err, &value) || value.Record != 1 || value.Feature != 1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
