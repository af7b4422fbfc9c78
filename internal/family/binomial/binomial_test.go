package binomial_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/binomial"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func params(m float64, d int) mixture.Params {
	r, centers := stream.New(21, "binomial"), mat.NewDense(d, 3, nil)
	for h := range d {
		for j := range 3 {
			centers.Set(h, j, m*(.05+.9*r.Float64()))
		}
	}
	return mixture.New(centers, []float64{.45, .35, .2}).With(binomial.Trials, mat.NewDense(1, 1, []float64{m}))
}

func newFamily(t *testing.T, trials int) binomial.Family {
	t.Helper()
	f, err := binomial.New(binomial.Options{Trials: trials})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBattery(t *testing.T) {
	for _, m := range []float64{1, 2, 5} {
		t.Run(fmt.Sprintf("%v trials", m), func(t *testing.T) {
			p := params(m, 18)
			above := mixture.Params{Centers: mat.DenseCopyOf(p.Centers), Weights: p.Weights, Extra: p.Extra}
			above.Centers.Set(1, 1, m+.5)
			part := p.With(binomial.Trials, mat.NewDense(1, 1, []float64{m + .5}))
			none := mixture.New(p.Centers, p.Weights)
			familytest.Run(t, newFamily(t, 0), familytest.Case{
				Params: p,
				Coordinates: func(src moment.Source, p mixture.Params) mixture.Params {
					return familytest.Divide(p, binomial.ScaleOf(src))
				},
				Illegal: []mixture.Params{above, part, none},
				Free:    2 + 18*3,
			})
		})
	}
}

// TestDensity compares with the definition.
func TestDensity(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 2, []float64{.5, 1.5, 1, .2}), []float64{.25, .75})
	rows := sparse.FromDense([][]float64{{2, 0}, {1, 1}, {0, 0}}, 2, false)
	pmf := func(mu, x float64) float64 {
		q := mu / 2
		choose := []float64{1, 2, 1}[int(x)]
		return choose * math.Pow(q, x) * math.Pow(1-q, 2-x)
	}
	out := make([]float64, 3)
	if err := newFamily(t, 2).LogDensity(p, pass.Block{Rows: rows}, out); err != nil {
		t.Fatal(err)
	}
	for i, x := range [][]float64{{2, 0}, {1, 1}, {0, 0}} {
		want := math.Log(.25*pmf(.5, x[0])*pmf(1, x[1]) + .75*pmf(1.5, x[0])*pmf(.2, x[1]))
		if numtest.Off(out[i], want, 1e-14) {
			t.Errorf("record %d: log density %v, want %v", i, out[i], want)
		}
	}
}

func TestRefuses(t *testing.T) {
	if _, err := binomial.New(binomial.Options{Trials: -1}); err == nil {
		t.Error("negative trials are accepted")
	}
	for name, x := range map[string]float64{"negative": -1, "half": .5, "missing": math.NaN(), "too many": 3} {
		rows := sparse.FromDense([][]float64{{1, 2}, {0, x}}, 2, false)
		_, err := newFamily(t, 2).Source(context.Background(), pass.NewLocal(rows, 1), 2)
		var value *moment.ValueError
		if !errors.As(err, &value) || value.Record != 1 || value.Feature != 1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
