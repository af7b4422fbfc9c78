package lda

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/stream"
)

// view is the raw moments in the leading subspace U of the raw M2, which does
// not depend on α0.
type view struct {
	u      *mat.Dense     // d×k
	m1     []float64      // d
	second *mat.Dense     // d×k: M2·U
	y      []float64      // k: UᵀM1
	g      *mat.Dense     // k×k: UᵀM2U
	core   *spectral.Cube // k×k×k: M3(U,U,U)
}

const (
	// viewExtra columns beyond k help to find the subspace.
	viewExtra = 10
	// viewPasses bounds the scans of M2. viewSettle is the residual of the k
	// leading eigenpairs, as a share of the k-th eigenvalue, at which the
	// subspace counts as found: sampling errors are larger (one corpus each
	// of 10,000 and 50,000 documents, 50 topics: L1 the same to four digits from
	// 0.01 to 0.1).
	viewPasses = 6
	viewSettle = 0.1
)

// newView finds the subspace by power steps on k + viewExtra columns. The scan
// that is expected to settle it brings the third moment along.
func newView(ctx context.Context, bag moment.Source, k int, seed uint64) (*view, error) {
	d := bag.Dim()
	l := min(d, k+viewExtra)
	q := spectral.Random(stream.New(seed, "lda alpha0 basis"), d, l)
	want := moment.Second
	for scans := 1; ; scans++ {
		if scans >= viewPasses || l == d {
			want |= moment.Core
		}
		p, err := bag.Project(ctx, q, want)
		if err != nil {
			return nil, err
		}
		if scans > 1 || l == d { // the first basis is only a draw
			r := newRitz(q, p.Second, k)
			if p.Core != nil && (r.residual <= viewSettle || scans >= viewPasses || l == d) {
				m1, err := bag.First(ctx)
				return r.view(m1, p.Core), err
			}
			if r.residual*r.decay <= viewSettle {
				want |= moment.Core
			}
		}
		q = spectral.Orth(p.Second)
	}
}

// ritz is the Rayleigh-Ritz step of a basis.
type ritz struct {
	v        *mat.Dense // l×k: the k leading vectors
	u, mu    *mat.Dense // d×k: those lifted, and M2 times them
	residual float64    // largest ‖M2·u − λu‖ as a share of λ_k
	decay    float64    // by how much a power step shrinks it, at a guess
}

func newRitz(q, z *mat.Dense, k int) *ritz {
	var small mat.Dense
	spectral.MulTrans(&small, q, z)
	values, vectors := spectral.SymEig(&small)
	l := len(values)
	k = min(k, l)
	r := &ritz{v: mat.DenseCopyOf(vectors.Slice(0, l, 0, k)), u: new(mat.Dense), mu: new(mat.Dense), decay: 1}
	spectral.Mul(r.u, q, r.v)
	spectral.Mul(r.mu, z, r.v)
	last := math.Max(values[k-1], math.SmallestNonzeroFloat64)
	squares := make([]float64, k)
	d, _ := q.Dims()
	for h := range d {
		u, mu := r.u.RawRowView(h), r.mu.RawRowView(h)
		for j := range squares {
			x := mu[j] - values[j]*u[j]
			squares[j] += x * x
		}
	}
	for _, s := range squares {
		r.residual = math.Max(r.residual, math.Sqrt(s)/last)
	}
	if k < l {
		r.decay = math.Min(1, math.Abs(values[l-1])/last)
	}
	return r
}

// view puts together what the last scan told.
func (r *ritz) view(m1 []float64, core *spectral.Cube) *view {
	if m1 == nil {
		return nil
	}
	v := &view{u: r.u, m1: m1, second: r.mu, y: mulTransVec(r.u, m1), g: new(mat.Dense), core: core.Congruence(r.v)}
	spectral.MulTrans(v.g, r.u, r.mu)
	return v
}

// whitening returns the eigenvalues of the corrected M2 in U, falling, and A
// (k×k) with W = U·A whitening it; ok is false where one is not positive.
func (v *view) whitening(alpha0 float64) (values []float64, a *mat.Dense, ok bool) {
	c1, _, _, scale, _ := factors(alpha0)
	k := len(v.y)
	g := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			g.Set(i, j, scale*(v.g.At(i, j)-c1*v.y[i]*v.y[j]))
		}
	}
	values, a = spectral.SymEig(g)
	for j, s := range values {
		if !(s > 0) {
			return values, nil, false
		}
		for i := range k {
			a.Set(i, j, a.At(i, j)/math.Sqrt(s))
		}
	}
	return values, a, true
}

// corrected returns the corrected third moment in U.
func (v *view) corrected(alpha0 float64) *spectral.Cube {
	t := v.core.Clone()
	correctCore(t, v.g, v.y, alpha0)
	return t
}

// Whitening hands decompose what the estimation of α0 already knows: W and E
// (d×k) with WᵀM2W = I and M2 ≈ EEᵀ, and the eigenvalues. It serves the k that
// the source was made for, when alpha0 was estimated.
func (s *Source) Whitening(_ context.Context, k int) (w, e *mat.Dense, eigen []float64, ok bool) {
	if s.view == nil || k != len(s.view.y) {
		return nil, nil, nil, false
	}
	values, a, ok := s.view.whitening(s.alpha0)
	if !ok {
		return nil, nil, nil, false
	}
	if s.w == nil {
		s.w = new(mat.Dense)
		s.w.Mul(s.view.u, a)
	}
	e = new(mat.Dense)
	e.Mul(corrector{s.alpha0, s.view.m1, s.view.y}.second(s.view.second), a)
	return s.w, e, values, true
}

// whitened returns the corrected moments in the basis W of Whitening.
func (v *view) whitened(alpha0 float64, want moment.Want) *moment.Projection {
	_, a, _ := v.whitening(alpha0)
	out := &moment.Projection{}
	if want&moment.Second != 0 {
		out.Second = new(mat.Dense)
		out.Second.Mul(corrector{alpha0, v.m1, v.y}.second(v.second), a)
	}
	if want&moment.Core != 0 {
		out.Core = v.corrected(alpha0).Congruence(a)
	}
	return out
}
