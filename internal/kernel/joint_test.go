package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestPlanes compares with GᵀAG by matrix products.
func TestPlanes(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, n := range []int{2, 3, 5, 9} {
			for _, m := range []int{1, 2, 7, 8, 9, 16, 50} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(m)))
				p := NewPlanes(n, m)
				whole := make([][]float64, m)
				for k := range whole {
					whole[k] = make([]float64, n*n)
				}
				for i := range n {
					for j := i; j < n; j++ {
						copy(p.At(i, j), normals(r, m))
						for k := range m {
							whole[k][i*n+j], whole[k][j*n+i] = p.At(j, i)[k], p.At(i, j)[k]
						}
					}
				}
				for i := range n {
					for j := i + 1; j < n; j++ {
						name := fmt.Sprintf("n=%d m=%d (%d,%d)", n, m, i, j)
						var want [3]float64
						for _, a := range whole {
							f, h := a[i*n+i]-a[j*n+j], 2*a[i*n+j]
							want[0], want[1], want[2] = want[0]+f*f, want[1]+h*h, want[2]+f*h
						}
						ff, hh, fh := p.Sums(i, j)
						near(t, "Sums "+name, []float64{ff, hh, fh}, want[:])
						s, c := math.Sincos(r.Float64())
						p.Rotate(i, j, c, s)
						for k, a := range whole {
							turned(a, n, i, j, c, s)
							got := make([]float64, 0, n*n)
							for x := range n {
								for y := range n {
									got = append(got, p.At(x, y)[k])
								}
							}
							near(t, "Rotate "+name, got, a)
						}
					}
				}
			}
		}
	})
}

// turned applies GᵀAG to a by its definition.
func turned(a []float64, n, i, j int, c, s float64) {
	for x := range n {
		v, w := a[x*n+i], a[x*n+j]
		a[x*n+i], a[x*n+j] = c*v+s*w, c*w-s*v
	}
	for y := range n {
		v, w := a[i*n+y], a[j*n+y]
		a[i*n+y], a[j*n+y] = c*v+s*w, c*w-s*v
	}
}

func BenchmarkPlanes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{10, 50} {
		p := NewPlanes(n, n)
		copy(p.A, normals(r, len(p.A)))
		perTier(b, fmt.Sprintf("sweep/n=%d", n), float64(6*n*n*n*(n-1)/2), func() {
			for i := range n {
				for j := i + 1; j < n; j++ {
					p.Rotate(i, j, 0.6, 0.8)
				}
			}
		})
		perTier(b, fmt.Sprintf("sums/n=%d", n), float64(6*n*n*(n-1)/2), func() {
			for i := range n {
				for j := i + 1; j < n; j++ {
					p.Sums(i, j)
				}
			}
		})
	}
}
