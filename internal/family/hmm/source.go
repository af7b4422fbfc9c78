package hmm

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
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
	v, err := f.newLens(ctx, run, k)
	if err != nil {
		return nil, err
	}
	if most := v.apart(); k > most {
		return nil, fmt.Errorf("hmm: %w", &moment.ErrTooFew{
			Reason: fmt.Sprintf("%d states cannot be told apart by %s: ask for at most %d", k, v.words(), most),
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
func symmetricCube(abc []float64, fa, fc *mat.Dense) *moment.Cube {
	r, _ := fa.Dims()
	first := mat.NewDense(r, r*r, nil) // (p | b,c)
	first.Mul(fa, mat.NewDense(r, r*r, abc))
	both := mat.NewDense(r*r, r, nil) // (p,b | s)
	both.Mul(mat.NewDense(r*r, r, first.RawMatrix().Data), fc.T())
	t := both.RawMatrix().Data
	at := func(a, b, c int) float64 { return t[(a*r+b)*r+c] }
	out := moment.NewCube(r)
	for a := range r {
		for b := range r {
			for c := range r {
				out.Data[(a*r+b)*r+c] = (at(a, b, c) + at(a, c, b) + at(b, a, c) + at(b, c, a) + at(c, a, b) + at(c, b, a)) / 6
			}
		}
	}
	return out
}
