package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestTiersNewton holds curvatures and log-odds against sums written out.
func TestTiersNewton(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 33} {
			for _, rows := range []int{0, 1, 3, 6} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(rows)))
				name := fmt.Sprintf("n=%d rows=%d", n, rows)
				sum, p, overall, prior := shifted(normals(r, rows*n), 1), normals(r, rows*n), normals(r, rows), normals(r, 3*n)
				grad, curve := make([]float64, rows*n), make([]float64, rows*n)
				Curves(grad, curve, sum, p, overall, prior)
				g, c := make([]float64, rows*n), make([]float64, rows*n)
				for i := range g {
					at := i % n
					g[i] = sum[i] + prior[n+at]*overall[i/n] + prior[2*n+at] - prior[at]*p[i]
					c[i] = prior[at] * p[i] * (1 - p[i])
				}
				agree(t, "grad "+name, grad, g, 10)
				agree(t, "curve "+name, curve, c, 10)

				if rows == 0 {
					continue
				}
				const groups, steep = 3, 1 // most are cut off somewhere
				b, shift := normals(r, groups*rows), normals(r, rows*n)
				got, want := make([]float64, rows*groups*n), make([]float64, rows*groups*n)
				Shifts(got, b, shift, rows, steep)
				for i := range want {
					j, k, at := i/(groups*n), i/n%groups, i%n
					want[i] = min(max(b[k*rows+j]+shift[j*n+at], -steep), steep)
				}
				agree(t, "Shifts "+name, got, want, 1)
			}
		}
		for name, f := range map[string]func(){
			"curves": func() {
				Curves(make([]float64, 3), make([]float64, 4), nil, nil, make([]float64, 2), make([]float64, 6))
			},
			"shifts": func() { Shifts(make([]float64, 3), make([]float64, 4), make([]float64, 4), 2, 1) },
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			})
		}
	})
}
