package multiview

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// source holds the moments of all features side by side, followed by the
// constants of the three parts. With P_pq = E[y_p⊗y_q] over the records that
// have both, L_p turns part p into a view of all parts (algorithms §6)
//
//	(L_p)_p = I    (L_p)_q = P_qs pinv_k(P_ps)    s the third part
//
// M2 has the blocks P_pq, completed on its diagonal by P_pq pinv_k(P_sq) P_sp,
// and M3 = sym E[L_0 y_0 ⊗ L_1 y_1 ⊗ L_2 y_2] over the records with all parts.
type source struct {
	moment.Compressed
	f     *Family
	run   pass.Runner
	parts []*part
	all   float64 // records with all parts
	n     int
}

// extra is the number of dimensions kept of each part beyond k.
const extra = 5

// Source returns the moments of products of different views.
func (f *Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	if run.Dim() != f.d {
		return nil, fmt.Errorf("multiview: records of %d features for views of %d", run.Dim(), f.d)
	}
	if k < 1 {
		return nil, fmt.Errorf("multiview: %d components, want at least 1", k)
	}
	three := threeParts{f: f, parts: f.parts()}
	if err := three.standardise(ctx, run); err != nil {
		return nil, err
	}
	for _, p := range three.parts {
		if k > p.n() {
			return nil, fmt.Errorf("multiview: %w", &moment.ErrTooFew{Reason: fmt.Sprintf(
				"%d groups cannot be told apart by %d features of view %s: ask for at most %d, or join views",
				k, len(p.features), f.views[p.view].Name, p.n())})
		}
	}
	if err := three.span(ctx, run, k); err != nil {
		return nil, err
	}
	sum := &coreSum{three}
	state, err := pass.RunOne(ctx, run, sum)
	if err != nil {
		return nil, err
	}
	return three.source(run, sum.cut(state), k)
}

// standardise finds shift, scale and constant of the parts.
func (s *threeParts) standardise(ctx context.Context, run pass.Runner) error {
	sum := spreadSum{s.f, s.parts}
	for _, p := range s.parts {
		p.shift, p.inv = make([]float64, len(p.features)), make([]float64, len(p.features))
	}
	for round := range 2 { // the mean, then the spread around it
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			return err
		}
		for i, st := range sum.cut(state) {
			p := s.parts[i]
			if st[0] == 0 {
				return fmt.Errorf("multiview: %w", &moment.ErrTooFew{Reason: "no record has view " + s.f.views[p.view].Name})
			}
			for e := range p.shift {
				m := st[1+e] / st[0]
				if m-m != 0 {
					return fmt.Errorf("multiview: view %s, feature %d holds a value that is no finite number: repair it", s.f.views[p.view].Name, p.features[e]+1)
				}
				if round == 0 {
					p.shift[e] = m
					continue
				}
				v := st[1+len(p.shift)+e]/st[0] - m*m
				if least := 1e-14 * p.shift[e]; v > least*least && v > 0 {
					p.inv[e] = 1 / math.Sqrt(v)
				}
			}
		}
	}
	for _, p := range s.parts {
		active := 0.0
		for _, g := range p.inv {
			if g > 0 {
				active++
			}
		}
		// c² is the sum of all variances: truncation never loses the constant.
		p.c = math.Sqrt(math.Max(active, 1))
	}
	return nil
}

// span finds for every part an orthonormal basis of what it has in common with
// the others, by three scans, or takes all coordinates where they are few.
func (s *threeParts) span(ctx context.Context, run pass.Runner, k int) error {
	few := true
	for i, p := range s.parts {
		r := min(p.n(), k+extra)
		if r == p.n() {
			s.basis[i] = identity(r)
			continue
		}
		few = false
		s.basis[i] = spectral.Orth(spectral.Random(stream.New(uint64(i), "multiview/span"), p.n(), r))
	}
	const scans = 3
	for range scans {
		if few {
			return nil
		}
		sum := &rangeSum{*s}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			return err
		}
		pairs, tables := sum.tables(state)
		for i, p := range s.parts {
			if r := min(p.n(), k+extra); r < p.n() {
				y := mat.NewDense(p.n(), sum.width(i), nil)
				at := 0
				for e, q := range others[i] {
					w := sum.r(q)
					t := mat.NewDense(p.n(), w, tables[i][e])
					t.Scale(1/math.Max(pairs[pairOf(i, q)], 1), t)
					y.Slice(0, p.n(), at, at+w).(*mat.Dense).Copy(t)
					at += w
				}
				if next := leadingLeft(y, r); next != nil {
					s.basis[i] = next
				}
			}
		}
	}
	return nil
}

// leadingLeft returns the r leading left singular vectors of y (n×m, m small),
// nil where y is zero.
func leadingLeft(y *mat.Dense, r int) *mat.Dense {
	var gram, q mat.Dense
	gram.Mul(y.T(), y)
	values, vectors := spectral.SymEig(&gram)
	if !(values[0] > 0) {
		return nil
	}
	m, _ := vectors.Dims()
	q.Mul(y, vectors.Slice(0, m, 0, min(r, m)))
	return spectral.Orth(&q)
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// source puts the stacked moments together.
func (s *threeParts) source(run pass.Runner, c core, k int) (*source, error) {
	var cross [3][3]*mat.Dense // P_pq in the bases
	for p := range 3 {
		for q := p + 1; q < 3; q++ {
			n := c.pairs[pairOf(p, q)]
			if n == 0 {
				return nil, fmt.Errorf("multiview: %w", &moment.ErrTooFew{Reason: fmt.Sprintf("no record has both view %s and view %s",
					s.f.views[s.parts[p].view].Name, s.f.views[s.parts[q].view].Name)})
			}
			m := mat.NewDense(s.r(p), s.r(q), append([]float64(nil), c.second[pairOf(p, q)]...))
			m.Scale(1/n, m)
			cross[p][q], cross[q][p] = m, mat.DenseCopyOf(m.T())
		}
	}
	if c.all[0] == 0 {
		return nil, fmt.Errorf("multiview: %w", &moment.ErrTooFew{Reason: "no record has all views: third moments need some that do"})
	}
	third := append([]float64(nil), c.third...)
	floats.Scale(1/c.all[0], third)
	lift := s.lifts(cross, k)
	out := &source{f: s.f, run: run, parts: s.parts, all: c.all[0], n: run.Len()}
	out.Compressed = moment.Compressed{
		Basis: s.stacked(), Mean: s.mean(), Second: s.second(cross, lift), Third: s.third(third, lift),
	}
	return out, nil
}

// offsets returns where each part begins among the stacked bases, and the end.
func (s *threeParts) offsets() [4]int {
	return [4]int{0, s.r(0), s.r(0) + s.r(1), s.r(0) + s.r(1) + s.r(2)}
}

// lifts returns L_p (R×r_p) for the three parts.
func (s *threeParts) lifts(cross [3][3]*mat.Dense, k int) [3]*mat.Dense {
	at := s.offsets()
	var out [3]*mat.Dense
	for p := range 3 {
		out[p] = mat.NewDense(at[3], s.r(p), nil)
		for i := range s.r(p) {
			out[p].Set(at[p]+i, i, 1)
		}
		for e, q := range others[p] {
			third := others[p][1-e]
			inverse, _ := spectral.PseudoInverse(cross[p][third], k) // r_third×r_p
			out[p].Slice(at[q], at[q+1], 0, s.r(p)).(*mat.Dense).Mul(cross[q][third], inverse)
		}
	}
	return out
}

// second returns M2 in the stacked bases.
func (s *threeParts) second(cross [3][3]*mat.Dense, lift [3]*mat.Dense) *mat.Dense {
	at := s.offsets()
	out := mat.NewDense(at[3], at[3], nil)
	for p := range 3 {
		for _, q := range others[p] {
			out.Slice(at[p], at[p+1], at[q], at[q+1]).(*mat.Dense).Copy(cross[p][q])
		}
		// P_pp = (L_q)_p P_qp, from either of the other parts, both ways round.
		block := out.Slice(at[p], at[p+1], at[p], at[p+1]).(*mat.Dense)
		for _, q := range others[p] {
			var x mat.Dense
			x.Mul(lift[q].Slice(at[p], at[p+1], 0, s.r(q)), cross[q][p])
			block.Add(block, &x)
			block.Add(block, x.T())
		}
		block.Scale(0.25, block)
	}
	return out
}

// third returns sym (L_0⊗L_1⊗L_2) applied to the mean of z_0⊗z_1⊗z_2.
func (s *threeParts) third(t []float64, lift [3]*mat.Dense) *moment.Cube {
	n := s.offsets()[3]
	r0, r1, r2 := s.r(0), s.r(1), s.r(2)
	var a, c mat.Dense
	a.Mul(lift[0], mat.NewDense(r0, r1*r2, t)) // (n | r1,r2)
	b := mat.NewDense(n*n, r2, nil)            // (n,n | r2)
	for i := range n {
		b.Slice(i*n, (i+1)*n, 0, r2).(*mat.Dense).Mul(lift[1], mat.NewDense(r1, r2, a.RawRowView(i)))
	}
	c.Mul(b, lift[2].T()) // (n,n | n)
	x := c.RawMatrix().Data
	at := func(i, j, l int) float64 { return x[(i*n+j)*n+l] }
	out := moment.NewCube(n)
	for i := range n {
		for j := range n {
			for l := range n {
				out.Data[(i*n+j)*n+l] = (at(i, j, l) + at(i, l, j) + at(j, i, l) + at(j, l, i) + at(l, i, j) + at(l, j, i)) / 6
			}
		}
	}
	return out
}

// stacked returns the bases as one (d+3)×R matrix: the features in their own
// order, then the three constants.
func (s *threeParts) stacked() *mat.Dense {
	at, d := s.offsets(), s.f.d
	out := mat.NewDense(d+3, at[3], nil)
	for i, p := range s.parts {
		for a := range s.r(i) {
			for e, h := range p.features {
				out.Set(h, at[i]+a, s.basis[i].At(e, a))
			}
			out.Set(d+i, at[i]+a, s.basis[i].At(len(p.features), a))
		}
	}
	return out
}

// mean returns M1: zeros, since features are centred, and the constants.
func (s *threeParts) mean() []float64 {
	out := make([]float64, s.f.d+3)
	for i, p := range s.parts {
		out[s.f.d+i] = p.c
	}
	return out
}
