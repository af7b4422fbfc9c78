package exponential_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/exponential"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func params() mixture.Params {
	r, centers := stream.New(31, "exponential"), mat.NewDense(12, 3, nil)
	for h := range 12 {
		unit := math.Pow(10, float64(h%4)) // days, minutes, seconds
		for j := range 3 {
			centers.Set(h, j, unit*(.2+3*r.Float64()))
		}
	}
	return mixture.New(centers, []float64{.45, .35, .2})
}

func scaled(src moment.Source, p mixture.Params) mixture.Params {
	return familytest.Divide(p, src.(*moment.Sampled).Formula().Scale)
}

func TestBattery(t *testing.T) {
	zero := params()
	zero.Centers.Set(3, 1, 0)
	familytest.Run(t, exponential.New(), familytest.Case{
		Params:      params(),
		N:           3000,
		Coordinates: scaled,
		Illegal:     []mixture.Params{zero},
		Free:        2 + 36,
	})
}

// TestDensity compares with the definition.
func TestDensity(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 2, []float64{1, 2, 3, .5}), []float64{.25, .75})
	table := [][]float64{{2, .1}, {.5, 3}}
	pdf := func(mu, x float64) float64 { return math.Exp(-x/mu) / mu }
	rows := sparse.Rows{Dim: 2}
	for _, row := range table {
		rows.Dense = append(rows.Dense, row...)
	}
	out := make([]float64, 2)
	if err := exponential.New().LogDensity(p, pass.Block{Rows: rows}, out); err != nil {
		t.Fatal(err)
	}
	for i, x := range table {
		want := math.Log(.25*pdf(1, x[0])*pdf(3, x[1]) + .75*pdf(2, x[0])*pdf(.5, x[1]))
		if numtest.Off(out[i], want, 1e-14) {
			t.Errorf("record %d: log density %v, want %v", i, out[i], want)
		}
	}
}

func TestSourceRefuses(t *testing.T) {
	for name, x := range map[string]float64{"negative": -1, "zero": 0, "missing": math.NaN()} {
		dense := sparse.Rows{Dim: 2, Dense: []float64{1, 2, 3, x}}
		valued := sparse.FromDense([][]float64{{1, 2}, {3, x}}, 2, false)
		for _, rows := range []sparse.Rows{dense, valued} {
			_, err := exponential.New().Source(context.Background(), pass.NewLocal(rows, 1), 2)
			var value *moment.ValueError
			if !errors.As(err, &value) || value.Record != 1 || value.Feature != 1 {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
	sparseRows := sparse.FromDense([][]float64{{1, 2}, {3, 4}}, 2, false)
	if _, err := exponential.New().Source(context.Background(), pass.NewLocal(sparseRows, 1), 2); err != nil {
		t.Errorf("sparse rows of positive values: %v", err)
	}
}
