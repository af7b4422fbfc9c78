// Package presence has the moments of presences (codes a record has or has not) as
// a few sums of plain meaning: how many records there are, how many have each code
// and each pair of codes, and the products of three codes in a basis. They are what
// leaves the records where noise is laid over sums, and what stays of them where the
// records do not. Source makes moments of such sums.
//
// Step in the flow: beside the families of presences. It must not know where sums
// come from.
package presence

import (
	"math"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Records counts records: one person changes it by 1.
type Records struct{}

// Len implements pass.Sum.
func (Records) Len() int { return 1 }

// Add implements pass.Sum.
func (Records) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.N())
	return nil
}

// Singles counts the records of every code: one person of L codes changes it by √L.
type Singles struct{ Dim int }

// Len implements pass.Sum.
func (s Singles) Len() int { return s.Dim }

// Add implements pass.Sum.
func (s Singles) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		for _, h := range index {
			state[h]++
		}
	}
	return nil
}

// Doubles counts the records of every two codes h < m, packed by rows: one person
// changes it by √(L(L−1)/2).
type Doubles struct{ Dim int }

// Len implements pass.Sum.
func (s Doubles) Len() int { return s.Dim * (s.Dim - 1) / 2 }

// At is the place of a pair h < m.
func (s Doubles) At(h, m int) int { return h*(2*s.Dim-h-1)/2 + m - h - 1 }

// Add implements pass.Sum.
func (s Doubles) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		for e, h := range index {
			for _, m := range index[e+1:] {
				state[s.At(int(h), int(m))]++
			}
		}
	}
	return nil
}

// Cores adds up the products of three different codes of a record in a basis (d×l),
// each record's share cut to a norm: one person changes it by that.
//
//	Σ_{h,m,j different} b_h⊗b_m⊗b_j = y⊗y⊗y − 3·sym(D⊗y) + 2·Σ_h b_h⊗b_h⊗b_h,  y = Σ b_h, D = Σ b_h b_hᵀ
type Cores struct {
	Basis []float64 // d×l
	L     int
	Norm  float64 // infinite to cut nothing
}

// Len implements pass.Sum.
func (s Cores) Len() int { return moment.PackedLen(s.L) }

// Add implements pass.Sum.
func (s Cores) Add(state []float64, b pass.Block) error {
	l := s.L
	y, d, share := make([]float64, l), make([]float64, l*l), make([]float64, s.Len())
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		if len(index) < 3 {
			continue
		}
		clear(y)
		clear(d)
		clear(share)
		for _, h := range index {
			row := s.Basis[int(h)*l:][:l]
			for a, v := range row {
				y[a] += v
				for c, w := range row {
					d[a*l+c] += v * w
				}
			}
			s.cube(share, row, 2)
		}
		norm := s.add(share, y, d)
		f := min(1, s.Norm/math.Sqrt(norm))
		for e, v := range share {
			state[e] += f * v
		}
	}
	return nil
}

// cube adds f·v⊗v⊗v.
func (s Cores) cube(share, v []float64, f float64) {
	at := 0
	for a := range s.L {
		for b := a; b < s.L; b++ {
			w := f * v[a] * v[b]
			for c := b; c < s.L; c++ {
				share[at] += w * v[c]
				at++
			}
		}
	}
}

// add adds the other terms, and returns the square of the norm of the whole cube.
func (s Cores) add(share, y, d []float64) float64 {
	l, at, norm := s.L, 0, 0.0
	for a := range l {
		for b := a; b < l; b++ {
			for c := b; c < l; c++ {
				share[at] += y[a]*y[b]*y[c] - d[a*l+b]*y[c] - d[a*l+c]*y[b] - d[b*l+c]*y[a]
				times := 6.0
				switch {
				case a == b && b == c:
					times = 1
				case a == b || b == c:
					times = 3
				}
				norm += times * share[at] * share[at]
				at++
			}
		}
	}
	return norm
}
