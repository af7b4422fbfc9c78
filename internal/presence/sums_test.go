package presence_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/presence"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// TestCore: the products of different codes, by three loops.
func TestCore(t *testing.T) {
	const k = 2
	basis := []float64{1, 2, -1, .5, .3, 1, 2, -2}
	s := presence.Cores{Basis: basis, L: k, Norm: math.Inf(1)}
	state := make([]float64, s.Len())
	if err := s.Add(state, pass.Block{Rows: sparse.Rows{Dim: 4, Ptr: []int{0, 4}, Index: []uint32{0, 1, 2, 3}}}); err != nil {
		t.Fatal(err)
	}
	at := 0
	for a := range k {
		for b := a; b < k; b++ {
			for c := b; c < k; c++ {
				want := 0.0
				for h := range 4 {
					for m := range 4 {
						for j := range 4 {
							if h != m && m != j && h != j {
								want += basis[h*k+a] * basis[m*k+b] * basis[j*k+c]
							}
						}
					}
				}
				if numtest.Off(state[at], want, 1e-9) {
					t.Errorf("entry %d%d%d: %v, want %v", a, b, c, state[at], want)
				}
				at++
			}
		}
	}
}
