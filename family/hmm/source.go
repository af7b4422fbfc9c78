package hmm

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/stream"
)

// source holds the moments of the middle of three consecutive rows a, b, c,
// which are independent given the state of b. With P_uv = E[u⊗v] over all
// triples, seen in a basis Q, the outer rows are turned into views of the
// middle (algorithms §6)
//
//	a~ = P_bc pinv_k(P_ac) a      c~ = P_ba pinv_k(P_ca) c
//
// and M2 = sym E[a~⊗c~], M3 = sym E[a~⊗b⊗c~].
type source struct {
	moment.Compressed
	lens  *lens
	moves *mat.Dense // r×r: (P_ab + P_bc)/2
	first []float64  // r: mean of the first rows of the sequences
	// power is E[|t_b|²·(a~+c~)/2], r numbers: Σ_j ω_j E[|t|² | j] center_j.
	power []float64
	n     float64 // triples
}

// Source returns the moments of triples of consecutive rows.
func (f Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	if k < 1 {
		return nil, fmt.Errorf("hmm: %d states, want at least 1", k)
	}
	v, err := f.newLens(ctx, run)
	if err != nil {
		return nil, err
	}
	if k > v.dim() {
		return nil, fmt.Errorf("hmm: %w", &moment.ErrTooFew{
			Reason: fmt.Sprintf("%d states cannot be told apart by %d features: ask for at most %d", k, v.d, v.dim()),
		})
	}
	q, err := span(ctx, run, v, k)
	if err != nil {
		return nil, err
	}
	_, r := q.Dims()
	sum := tripleSum{v, q, r}
	state, err := pass.RunOne(ctx, run, sum)
	if err != nil {
		return nil, err
	}
	if state[0] == 0 {
		return nil, fmt.Errorf("hmm: %w", &moment.ErrTooFew{Reason: "no sequence has three observed steps in a row, which the moments need"})
	}
	return newSource(v, q, sum.means(state), k), nil
}

// extra is the number of dimensions kept beyond k.
const extra = 5

// span returns an orthonormal basis (dim×r) of what consecutive rows have in
// common: the leading left directions of all P_uv together, by three scans, or
// all coordinates where they are few.
func span(ctx context.Context, run pass.Runner, v *lens, k int) (*mat.Dense, error) {
	r := min(v.dim(), k+extra)
	if v.dim() <= r {
		q := mat.NewDense(v.dim(), v.dim(), nil)
		for i := range v.dim() {
			q.Set(i, i, 1)
		}
		return q, nil
	}
	q := spectral.Orth(spectral.Random(stream.New(1, "hmm/span"), v.dim(), r))
	const scans = 3
	for range scans {
		state, err := pass.RunOne(ctx, run, rangeSum{v, q})
		if err != nil {
			return nil, err
		}
		_, l := q.Dims()
		y := mat.NewDense(v.dim(), 6*l, state)
		if next := leadingLeft(y, r); next != nil {
			q = next
		}
	}
	return q, nil
}

// leadingLeft returns the r leading left singular vectors of y (d×m, m small),
// nil where y is zero.
func leadingLeft(y *mat.Dense, r int) *mat.Dense {
	var gram mat.Dense
	gram.Mul(y.T(), y)
	values, vectors := spectral.SymEig(&gram)
	if !(values[0] > 0) {
		return nil
	}
	m, _ := vectors.Dims()
	var q mat.Dense
	q.Mul(y, vectors.Slice(0, m, 0, min(r, m)))
	return spectral.Orth(&q)
}

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

// newSource turns the means over triples into symmetric moments of the middle.
func newSource(v *lens, q *mat.Dense, m sums, k int) *source {
	_, r := q.Dims()
	ab, bc, ac := mat.NewDense(r, r, m.ab), mat.NewDense(r, r, m.bc), mat.NewDense(r, r, m.ac)
	inverse, _ := spectral.PseudoInverse(ac, k)
	var fa, fc mat.Dense // a~ = fa·a, c~ = fc·c
	fa.Mul(bc, inverse)
	fc.Mul(ab.T(), inverse.T())
	s := &source{lens: v, n: m.n[0], first: m.first, moves: mat.NewDense(r, r, nil)}
	s.moves.Add(ab, bc)
	s.moves.Scale(0.5, s.moves)
	var half, second mat.Dense
	half.Mul(&fa, ac)
	second.Mul(&half, fc.T())
	s.Compressed = moment.Compressed{
		Basis: q, Mean: m.mean, Second: symmetric(&second), Third: symmetricCube(m.abc, &fa, &fc),
	}
	var pa, pc mat.VecDense
	pa.MulVec(&fa, mat.NewVecDense(r, m.powerA))
	pc.MulVec(&fc, mat.NewVecDense(r, m.powerC))
	s.power = make([]float64, r)
	floats.AddScaled(s.power, 0.5, pa.RawVector().Data)
	floats.AddScaled(s.power, 0.5, pc.RawVector().Data)
	return s
}

func symmetric(m *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Add(m, m.T())
	out.Scale(0.5, &out)
	return &out
}

// symmetricCube returns the mean over all orders of Σ (fa·a)⊗b⊗(fc·c), given
// Σ a⊗b⊗c (r×r×r).
func symmetricCube(abc []float64, fa, fc *mat.Dense) *spectral.Cube {
	r, _ := fa.Dims()
	first := mat.NewDense(r, r*r, nil) // (p | b,c)
	first.Mul(fa, mat.NewDense(r, r*r, abc))
	both := mat.NewDense(r*r, r, nil) // (p,b | s)
	both.Mul(mat.NewDense(r*r, r, first.RawMatrix().Data), fc.T())
	t := both.RawMatrix().Data
	at := func(a, b, c int) float64 { return t[(a*r+b)*r+c] }
	out := spectral.NewCube(r)
	for a := range r {
		for b := range r {
			for c := range r {
				out.Data[(a*r+b)*r+c] = (at(a, b, c) + at(a, c, b) + at(b, a, c) + at(b, c, a) + at(c, a, b) + at(c, b, a)) / 6
			}
		}
	}
	return out
}
