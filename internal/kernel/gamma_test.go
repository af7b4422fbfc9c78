package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// gammaTol is what the comment of Gammas promises.
const gammaTol = 1e-13

func TestGammas(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 9))
		for _, n := range []int{0, 1, 8, 24} {
			x, lg, psis := make([]float64, n), make([]float64, n), make([]float64, n)
			for range 500 {
				for i := range x {
					x[i] = math.Exp(30*r.Float64() - 15)
				}
				if n > 1 {
					x[0], x[1] = 1e-20, 1e12
				}
				Gammas(lg, psis, x)
				for i, v := range x {
					if want, _ := math.Lgamma(v); !(math.Abs(lg[i]-want) <= gammaTol*math.Max(30, math.Abs(want))) {
						t.Fatalf("log Γ(%v) = %v, want %v", v, lg[i], want)
					}
					if want := psi(v); !(math.Abs(psis[i]-want) <= gammaTol*math.Max(1, math.Abs(want))) {
						t.Fatalf("ψ(%v) = %v, want %v", v, psis[i], want)
					}
				}
			}
		}
	})
}

// Numbers beyond those of the assembly are left to Go.
func TestGammasFar(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, v := range []float64{1e-300, 1e250} {
			x, lg, psis := []float64{1, 2, 3, 4, 5, 6, 7, v}, make([]float64, 8), make([]float64, 8)
			Gammas(lg, psis, x)
			for i, v := range x {
				if want, _ := math.Lgamma(v); !(math.Abs(lg[i]-want) <= gammaTol*math.Max(30, math.Abs(want))) {
					t.Errorf("log Γ(%v) = %v, want %v", v, lg[i], want)
				}
			}
		}
	})
}

func BenchmarkGammas(b *testing.B) {
	best := active
	defer func() { active = best }()
	x, lg, psis := normals(rand.New(rand.NewPCG(1, 1)), 8), make([]float64, 8), make([]float64, 8)
	for i, v := range x {
		x[i] = math.Exp(v)
	}
	for _, active = range upTo(available()) {
		b.Run(fmt.Sprint(Tier()), func(b *testing.B) {
			for b.Loop() {
				Gammas(lg, psis, x)
			}
		})
	}
}
