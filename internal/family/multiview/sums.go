package multiview

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// others holds, for part p, the two other parts.
var others = [3][2]int{{1, 2}, {0, 2}, {0, 1}}

// pairOf numbers the pairs of parts: {0,1}, {0,2}, {1,2}.
func pairOf(p, q int) int { return p + q - 1 }

// project returns the three parts of a block and their products with the bases.
func (s *threeParts) project(b pass.Block) (v [3]seen, z [3][]float64, err error) {
	if err := s.f.fits(b); err != nil {
		return v, z, err
	}
	sides := make([]side, len(s.f.views))
	for i := range sides {
		sides[i] = s.f.side(b, i)
	}
	for i, p := range s.parts {
		v[i] = p.see(sides[p.view], s.f.views[p.view].From, b.Rows.N())
		z[i] = v[i].mul(s.basis[i])
	}
	return v, z, nil
}

// threeParts is what both sums know.
type threeParts struct {
	f     *Family
	parts []*part
	basis [3]*mat.Dense // n×r of each part
}

func (s *threeParts) r(i int) int { _, r := s.basis[i].Dims(); return r }

// rangeSum adds up, for every part, the number of records of the two pairs it
// is in, and Σ y_p⊗z_q side by side for the two other parts q.
type rangeSum struct{ threeParts }

func (s *rangeSum) width(p int) int { return s.r(others[p][0]) + s.r(others[p][1]) }

func (s *rangeSum) Len() int {
	n := 3
	for i, p := range s.parts {
		n += p.n() * s.width(i)
	}
	return n
}

// tables returns the number of records of each pair and the tables of the
// parts, n×r of the first other part and of the second.
func (s *rangeSum) tables(state []float64) (pairs []float64, out [3][2][]float64) {
	pairs, state = state[:3], state[3:]
	for i, p := range s.parts {
		for e, q := range others[i] {
			n := p.n() * s.r(q)
			out[i][e], state = state[:n:n], state[n:]
		}
	}
	return pairs, out
}

func (s *rangeSum) Add(state []float64, b pass.Block) error {
	v, z, err := s.project(b)
	if err != nil {
		return err
	}
	pairs, tables := s.tables(state)
	countPairs(pairs, v)
	for i := range s.parts {
		for e, q := range others[i] {
			v[i].addCross(tables[i][e], z[q], s.r(q))
		}
	}
	return nil
}

func countPairs(pairs []float64, v [3]seen) {
	for i := range v[0].present {
		for p := range 3 {
			for q := p + 1; q < 3; q++ {
				if v[p].present[i] && v[q].present[i] {
					pairs[pairOf(p, q)]++
				}
			}
		}
	}
}

// coreSum adds up, in the bases: numbers of records of the three pairs and with
// all three parts; Σ z_p⊗z_q of the pairs; Σ z_0⊗z_1⊗z_2.
type coreSum struct{ threeParts }

type core struct {
	pairs  []float64
	all    []float64
	second [3][]float64 // by pairOf
	third  []float64
}

func (s *coreSum) Len() int {
	a, b, c := s.r(0), s.r(1), s.r(2)
	return 4 + a*b + a*c + b*c + a*b*c
}

func (s *coreSum) cut(state []float64) core {
	take := func(n int) (t []float64) {
		t, state = state[:n:n], state[n:]
		return t
	}
	a, b, c := s.r(0), s.r(1), s.r(2)
	return core{
		pairs: take(3), all: take(1),
		second: [3][]float64{take(a * b), take(a * c), take(b * c)}, third: take(a * b * c),
	}
}

func (s *coreSum) Add(state []float64, b pass.Block) error {
	v, z, err := s.project(b)
	if err != nil {
		return err
	}
	to := s.cut(state)
	countPairs(to.pairs, v)
	dense := func(p int) sparse.Rows { return sparse.Rows{Dim: s.r(p), Dense: z[p]} }
	for p := range 3 {
		for q := p + 1; q < 3; q++ {
			dense(p).AddTransMul(to.second[pairOf(p, q)], z[q], s.r(q))
		}
	}
	// Products of the second and third part, a panel at a time.
	const panel = 256
	r1, r2 := s.r(1), s.r(2)
	both := make([]float64, panel*r1*r2)
	for lo := 0; lo < b.Rows.N(); lo += panel {
		hi := min(lo+panel, b.Rows.N())
		for i := lo; i < hi; i++ {
			if v[0].present[i] && v[1].present[i] && v[2].present[i] {
				to.all[0]++
			}
			for e, x := range z[1][i*r1:][:r1] {
				floats.ScaleTo(both[((i-lo)*r1+e)*r2:][:r2], x, z[2][i*r2:][:r2])
			}
		}
		dense(0).Slice(lo, hi).AddTransMul(to.third, both[:(hi-lo)*r1*r2], r1*r2)
	}
	return nil
}
