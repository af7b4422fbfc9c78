package gaussian

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// correlated are two components of three features, the second by its logarithm,
// and the same without the third feature.
func correlated(f Shaped) (whole, without mixture.Params) {
	cov := map[normals.Shape][2]*mat.Dense{
		normals.Tied: {
			mat.NewDense(3, 3, []float64{1, .5, .7, .5, 2, .2, .7, .2, 1}),
			mat.NewDense(2, 2, []float64{1, .5, .5, 2}),
		},
		normals.Diagonal: {
			mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}),
			mat.NewDense(2, 2, []float64{1, 2, 3, 4}),
		},
	}[f.shape]
	weights := []float64{.3, .7}
	whole = f.Scaled(mat.NewDense(3, 2, []float64{0, 3, 2, 5, -1, 4}), weights, []float64{1, .5, 2}).With(CovarianceOf, cov[0])
	without = f.Scaled(mat.NewDense(2, 2, []float64{0, 3, 2, 5}), weights, []float64{1, .5}).With(CovarianceOf, cov[1])
	return whole, without
}

// A record without its third value has the density and the groups that it has
// under the model without the third feature; one without any has the weights.
func TestBlankIsMarginal(t *testing.T) {
	records := sparse.Rows{Dim: 3, Dense: []float64{.4, 3, math.NaN(), 2.8, 4, math.NaN(), math.NaN(), math.NaN(), math.NaN()}}
	narrow := sparse.Rows{Dim: 2, Dense: []float64{.4, 3, 2.8, 4}}
	same := func(name string, f family.Family, p mixture.Params, g family.Family, q mixture.Params) {
		t.Helper()
		post, want, dens, density := make([]float64, 6), make([]float64, 4), make([]float64, 3), make([]float64, 2)
		for _, err := range []error{
			f.Posterior(p, pass.Block{Rows: records}, post), g.Posterior(q, pass.Block{Rows: narrow}, want),
			f.LogDensity(p, pass.Block{Rows: records}, dens), g.LogDensity(q, pass.Block{Rows: narrow}, density),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		want, density = append(want, p.Weights...), append(density, 0)
		for i, v := range want {
			if numtest.Off(post[i], v, 1e-12) {
				t.Errorf("%s: posterior %v, want %v", name, post, want)
				break
			}
		}
		for i, v := range density {
			if numtest.Off(dens[i], v, 1e-12) {
				t.Errorf("%s: log densities %v, want %v", name, dens, density)
				break
			}
		}
	}
	for _, shape := range []normals.Shape{normals.Diagonal, normals.Tied} {
		f := NewShaped(shape, []int{1})
		p, q := correlated(f)
		same(shape.String(), f, p, f, q)
	}
	p := NewParams(mat.NewDense(3, 2, []float64{0, 3, 2, 5, -1, 4}), []float64{.3, .7}, []float64{1, 2}).With(ScaleOf, mat.NewDense(3, 1, []float64{1, 2, 4}))
	q := NewParams(mat.NewDense(2, 2, []float64{0, 3, 2, 5}), []float64{.3, .7}, []float64{1, 2}).With(ScaleOf, mat.NewDense(2, 1, []float64{1, 2}))
	same("spherical", New(Options{}), p, New(Options{}), q)
}

// EM climbs over records of which every fifth value is missing, and finds the
// means and the correlation that complete records have.
func TestClimbsOverBlanks(t *testing.T) {
	r := stream.New(3, "test/blanks")
	rows, product := sparse.Rows{Dim: 2}, 0.0 // of the first group, before values are lost
	for i := range 4000 {
		a, b := r.NormFloat64(), r.NormFloat64()
		x := []float64{a + 6*float64(i%2), .8*a + .6*b - 6*float64(i%2)}
		product += x[0] * x[1] * float64(1-i%2) / 2000
		if r.IntN(5) == 0 {
			x[r.IntN(2)] = math.NaN()
		}
		rows.Dense = append(rows.Dense, x...)
	}
	for _, shape := range []normals.Shape{normals.Common, normals.Diagonal, normals.Tied, normals.Own} {
		f := NewShaped(shape, nil)
		p := f.Scaled(mat.NewDense(2, 2, []float64{1, 5, -1, -4}), []float64{.5, .5}, []float64{1, 1})
		last := math.Inf(-1)
		for range 40 {
			step, err := f.EStep(p, true)
			if err != nil {
				t.Fatal(err)
			}
			state, err := pass.RunOne(t.Context(), pass.NewLocal(rows, 2), step)
			if err != nil {
				t.Fatal(err)
			}
			if state[0] < last-1e-6 {
				t.Fatalf("%v: the log-likelihood falls from %v to %v", shape, last, state[0])
			}
			last = state[0]
			if p, _, err = f.MStep(state, p, 0); err != nil {
				t.Fatal(err)
			}
		}
		for i, v := range []float64{0, 6, 0, -6} {
			if got := p.Centers.At(i/2, i%2); numtest.Off(got, v, .08) {
				t.Errorf("%v: center %v, want %v", shape, got, v)
			}
		}
		if c := p.Extra[CovarianceOf]; f.shape == normals.Own && numtest.Off(c.At(0, 1), product, .03) { // a tenth less where values are filled in by means
			t.Errorf("%v: covariance %v, and %v of the same records without blanks", shape, c.At(0, 1), product)
		}
	}
}
