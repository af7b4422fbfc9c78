package hmm

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// rangeSum adds up P_uv·G for the six ordered pairs of different views, side by
// side: dim×6l.
type rangeSum struct {
	v *lens
	g *mat.Dense // dim×l
}

func (s rangeSum) Len() int { d, l := s.g.Dims(); return 6 * d * l }

func (s rangeSum) Add(state []float64, b pass.Block) error {
	_, l := s.g.Dims()
	return chunks(b, func(b pass.Block) error {
		rows, seen, err := s.v.see(b)
		if err != nil {
			return err
		}
		starts, err := triples(b, seen)
		if err != nil {
			return err
		}
		z := make([]float64, rows.N()*l)
		rows.MulTo(z, s.g.RawMatrix().Data, l)
		u := make([]float64, rows.N()*6*l) // what each row is multiplied with
		for _, t := range starts {
			for pair, uv := range [6][2]int{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}} {
				floats.Add(u[(t+uv[0])*6*l+pair*l:][:l], z[(t+uv[1])*l:][:l])
			}
		}
		rows.AddTransMul(state, u, 6*l)
		return nil
	})
}

// tripleSum adds up all that the source keeps, in basis q (dim×r):
//
//	number of triples, number of first rows; Σ b (dim); Σ first (r);
//	P_ab, P_bc, P_ac (r×r each); Σ a⊗b⊗c (r×r×r); Σ|t_b|²a, Σ|t_b|²c (r each)
type tripleSum struct {
	v *lens
	q *mat.Dense
	r int
}

func (s tripleSum) Len() int {
	r := s.r
	return 2 + s.v.dim() + r + 3*r*r + r*r*r + 2*r
}

// sums are a state of tripleSum cut into its parts.
type sums struct {
	n, sequences    []float64
	mean, first     []float64
	ab, bc, ac, abc []float64
	powerA, powerC  []float64
}

func (s tripleSum) parts(state []float64) sums {
	take := func(n int) (t []float64) {
		t, state = state[:n:n], state[n:]
		return t
	}
	r := s.r
	return sums{
		n: take(1), sequences: take(1), mean: take(s.v.dim()), first: take(r),
		ab: take(r * r), bc: take(r * r), ac: take(r * r), abc: take(r * r * r),
		powerA: take(r), powerC: take(r),
	}
}

// means divides the sums by their numbers.
func (s tripleSum) means(state []float64) sums {
	m := s.parts(append([]float64(nil), state...))
	for _, t := range [][]float64{m.mean, m.ab, m.bc, m.ac, m.abc, m.powerA, m.powerC} {
		floats.Scale(1/m.n[0], t)
	}
	if m.sequences[0] > 0 {
		floats.Scale(1/m.sequences[0], m.first)
	}
	return m
}

func (s tripleSum) Add(state []float64, b pass.Block) error {
	to := s.parts(state)
	return chunks(b, func(b pass.Block) error { return s.add(to, b) })
}

func (s tripleSum) add(to sums, b pass.Block) error {
	rows, seen, err := s.v.see(b)
	if err != nil {
		return err
	}
	starts, err := triples(b, seen)
	if err != nil {
		return err
	}
	r := s.r
	z := make([]float64, rows.N()*r)
	rows.MulTo(z, s.q.RawMatrix().Data, r)
	middle := make([]float64, rows.N())
	for _, t := range starts {
		middle[t+1] = 1
	}
	rows.AddTransMul(to.mean, middle, 1)
	to.n[0] += float64(len(starts))
	s.addThird(to, z, starts)
	if s.v.f != nil {
		s.addPower(to, rows, z, starts)
	}
	return sequences(b, func(_, lo, hi int) {
		if lo < hi && seen[lo] {
			to.sequences[0]++
			floats.Add(to.first, z[lo*r:][:r])
		}
	})
}

// panelTriples is the number of triples whose products are held at once.
const panelTriples = 256

func (s tripleSum) addThird(to sums, z []float64, starts []int) {
	r := s.r
	a, c := make([]float64, 0, panelTriples*r), make([]float64, 0, panelTriples*r)
	bb, bc := make([]float64, 0, panelTriples*r), make([]float64, 0, panelTriples*r*r)
	flush := func() {
		as, bs := sparse.Rows{Dim: r, Dense: a}, sparse.Rows{Dim: r, Dense: bb}
		as.AddTransMul(to.ab, bb, r)
		as.AddTransMul(to.ac, c, r)
		bs.AddTransMul(to.bc, c, r)
		as.AddTransMul(to.abc, bc, r*r)
		a, bb, c, bc = a[:0], bb[:0], c[:0], bc[:0]
	}
	for i, t := range starts {
		zb, zc := z[(t+1)*r:][:r], z[(t+2)*r:][:r]
		a, bb, c = append(a, z[t*r:][:r]...), append(bb, zb...), append(c, zc...)
		for _, x := range zb {
			for _, y := range zc {
				bc = append(bc, x*y)
			}
		}
		if len(bb) == panelTriples*r || i == len(starts)-1 {
			flush()
		}
	}
}

// addPower adds |t_b|² times the outer rows; the last coordinate is the
// constant.
func (s tripleSum) addPower(to sums, rows sparse.Rows, z []float64, starts []int) {
	r, d := s.r, s.v.d
	for _, t := range starts {
		y := rows.DenseRow(t + 1)[:d]
		q := floats.Dot(y, y)
		floats.AddScaled(to.powerA, q, z[t*r:][:r])
		floats.AddScaled(to.powerC, q, z[(t+2)*r:][:r])
	}
}
