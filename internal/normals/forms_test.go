package normals

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// A step by products of matrices adds up what a step row by row does, with every shape and
// tail: shares by the scores, which are found without them.
func TestStepByProducts(t *testing.T) {
	const k = 3
	table, _ := twins(5, 300) // more than one panel
	start := KMeans(table, k, 2, stream.New(1, "test/forms"))
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		for _, nu := range []float64{0, 4} {
			o := Options{Shape: shape, Nu: nu, Steps: 2}
			m := EM(table, start, k, o)
			want := newSums(table, k, o)
			score := make([]float64, table.N*k)
			m.Scores(table, score)
			share := append([]float64(nil), score...)
			loglik := Posterior(share, k)
			sc := m.scorer()
			for i := range table.N {
				sc.distances(sc.dist[:k], table.Row(i))
				weight := make([]float64, k)
				for c, r := range share[i*k:][:k] {
					weight[c] = r
					if nu > 0 {
						weight[c] *= (nu + 2) / (nu + sc.dist[c])
					}
					want.mass[c] += weight[c]
				}
				want.add(table.Row(i), weight)
			}
			got := newSums(table, k, o)
			if v := table.forms().gather(got, m); numtest.Off(v, loglik, 1e-8) {
				t.Errorf("%v, %g degrees: log-likelihood %v, want %v", shape, nu, v, loglik)
			}
			for c := range k { // sizes are without the weights of the tails
				want.Size[c] = 0
				for i := range table.N {
					want.Size[c] += share[i*k+c]
				}
			}
			for i, v := range append(want.list, want.mass...) {
				if g := append(got.list, got.mass...)[i]; numtest.Off(g, v, 1e-7*(1+math.Abs(v))) {
					t.Errorf("%v, %g degrees: sum %d is %v, want %v", shape, nu, i, g, v)
				}
			}
		}
	}
}

// What a table keeps from fit to fit changes no bit of them.
func TestKept(t *testing.T) {
	table, _ := twins(6, 200)
	kept, start := table.Kept(), KMeans(table, 2, 2, stream.New(1, "test/forms"))
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		for range 2 {
			a := EM(table, start, 2, Options{Shape: shape, Steps: 5})
			if b := EM(kept, start, 2, Options{Shape: shape, Steps: 5}); a.LogLik != b.LogLik {
				t.Errorf("%v: log-likelihood %v, %v of a table that is kept", shape, a.LogLik, b.LogLik)
			}
		}
	}
}
