package lda

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
)

// view is the raw moments in the leading subspace U of the raw M2, which does
// not depend on α0.
type view struct {
	team   spectral.Team // for what is as long as u
	u      *mat.Dense    // d×k
	m1     []float64     // d
	second *mat.Dense    // d×k: M2·U
	y      []float64     // k: UᵀM1
	g      *mat.Dense    // k×k: UᵀM2U
	core   *moment.Cube  // k×k×k: M3(U,U,U), nil where there are too many topics
	some   []*mat.Dense  // then, k×k: M3(U,U,Uv) for the columns v of along
	along  *mat.Dense    // k×m
	white  *white        // the last whitening, or nil
}

// white is the whitening for one α0.
type white struct {
	alpha0 float64
	values []float64
	a      *mat.Dense // nil where a value is not positive
}

const (
	// viewExtra columns, at the least, beyond k help to find the subspace.
	viewExtra = 6
	// viewScans bounds the scans of M2. viewSettle is the residual of the k
	// leading eigenpairs, as a share of the k-th eigenvalue, at which the
	// subspace counts as found: sampling errors are larger (one corpus each
	// of 10,000 and 50,000 documents, 50 topics: L1 the same to three digits from
	// 0.001 to 0.1). viewNear is the same for the residual that a scan is
	// expected to leave, which as a rule is a fifth of that.
	viewScans = 8
	viewTol   = 0.25
	viewNear  = 1
	// Up to viewNarrow columns the third moment in all of them costs less than
	// another scan for the best ones, and viewEnough is the residual up to which
	// that is as good: the directions that a sample missed are weak ones.
	// (Fourteen corpora of 10,000 to 50,000 documents, 5 and 10 topics, residuals
	// of 0.2 to 0.8: L1 is larger by a five-hundredth on the average.)
	viewNarrow = 16
	viewEnough = 1
)

// newView finds the subspace by power steps on a few more than k columns, the
// first of them on a sample of the documents. A last scan, on the k columns
// alone, brings the third moment along. The moments of a mixture seen through
// any k columns are those of the centers seen through them, so that columns not
// quite in the subspace cost accuracy, but bend nothing.
func newView(ctx context.Context, bag moment.Source, k int, seed uint64) (*view, error) {
	d := bag.Dim()
	l := min(d, moment.Columns(bag, k+viewExtra))
	steps := 2
	if l <= viewNarrow {
		steps = 1
	}
	r := stream.New(seed, "lda alpha0 basis")
	q, err := moment.Sketch(ctx, bag, l, steps, r)
	if err != nil {
		return nil, err
	}
	sampled := q != nil
	switch {
	case sampled && l <= viewNarrow:
		return oneScan(ctx, bag, q, k, seed)
	case !sampled:
		q = spectral.Random(r, d, l)
	}
	for scans := 1; ; scans++ {
		p, err := bag.Project(ctx, q, moment.Second)
		if err != nil {
			return nil, err
		}
		if !sampled && scans == 1 { // the first basis is only a draw
			q = spectral.Team(moment.Workers(bag)).Orthonormalise(p.Second)
			continue
		}
		r := newRitz(spectral.Team(moment.Workers(bag)), q, p.Second, k)
		left := r.residual * r.decay
		if sampled && scans == 1 { // errors of the sample go faster: see Sketch
			left *= r.decay
		}
		if left <= viewNear || scans >= viewScans || l == d {
			return lastScans(ctx, bag, r.mu, k, seed)
		}
		q = spectral.Team(moment.Workers(bag)).Orthonormalise(p.Second)
	}
}

// oneScan looks at all moments through a few more than k columns, and at those
// of the k best directions among them, or scans again where these are not good
// enough.
func oneScan(ctx context.Context, bag moment.Source, q *mat.Dense, k int, seed uint64) (*view, error) {
	p, err := bag.Project(ctx, q, moment.Second|moment.Core)
	if err != nil {
		return nil, err
	}
	r := newRitz(spectral.Team(moment.Workers(bag)), q, p.Second, k)
	if len(r.values) < k || r.residual > viewEnough {
		return lastScans(ctx, bag, r.mu, k, seed)
	}
	return seen(ctx, bag, r.u, r.mu, p.Core.Congruence(r.v))
}

// seen returns the view through u, given M2·u and the third moment in u.
func seen(ctx context.Context, bag moment.Source, u, second *mat.Dense, core *moment.Cube) (*view, error) {
	m1, err := bag.First(ctx)
	if err != nil {
		return nil, err
	}
	team := spectral.Team(moment.Workers(bag))
	v := &view{team: team, u: u, m1: m1, second: second, y: team.CrossVec(u, m1), g: new(mat.Dense), core: core}
	team.Cross(v.g, u, second)
	return v, nil
}

// lastScans looks at all moments through what M2 makes of the leading vectors,
// once more where that shows they were none. Of many topics the third moment is looked at in
// a few random directions, by scans of their own.
func lastScans(ctx context.Context, bag moment.Source, mu *mat.Dense, k int, seed uint64) (*view, error) {
	want, many := moment.Second|moment.Core, moment.Scans(bag, k)
	if many {
		want = moment.Second
	}
	for scans := 1; ; scans++ {
		u := spectral.Team(moment.Workers(bag)).Orthonormalise(mu)
		if _, got := u.Dims(); got < k {
			u = filled(u, k)
		}
		p, err := bag.Project(ctx, u, want)
		if err != nil {
			return nil, err
		}
		if scans >= viewScans || newRitz(spectral.Team(moment.Workers(bag)), u, p.Second, k).residual <= viewTol {
			v, err := seen(ctx, bag, u, p.Second, p.Core)
			if err == nil && many {
				v.along = spectral.Random(stream.New(seed, "lda alpha0 contractions"), k, moment.Contracted)
				v.some, err = moment.Contractions(ctx, bag, u, v.along)
			}
			return v, err
		}
		mu = p.Second
	}
}

// filled returns u with columns beyond its own, orthogonal to them, up to k:
// directions in which M2 shows nothing.
func filled(u *mat.Dense, k int) *mat.Dense {
	d, r := u.Dims()
	all := mat.NewDense(d, r+k, nil)
	all.Slice(0, d, 0, r).(*mat.Dense).Copy(u)
	for j := range k {
		all.Set(j, r+j, 1)
	}
	all = spectral.Orth(all)
	return mat.DenseCopyOf(all.Slice(0, d, 0, k))
}

// ritz is the Rayleigh-Ritz step of a basis.
type ritz struct {
	values   []float64  // k
	v        *mat.Dense // l×k: the k leading vectors in the basis
	u, mu    *mat.Dense // d×k: the same, and M2 times them
	residual float64    // largest ‖M2·u − λu‖ as a share of λ_k
	decay    float64    // by how much a power step shrinks it, at a guess
}

// newRitz takes the step for the basis q, z = M2·q.
func newRitz(team spectral.Team, q, z *mat.Dense, k int) *ritz {
	var small mat.Dense
	team.MulTrans(&small, q, z)
	values, vectors := spectral.SymEig(&small)
	l := len(values)
	k = min(k, l)
	r := &ritz{values: values[:k], v: mat.DenseCopyOf(vectors.Slice(0, l, 0, k)), u: new(mat.Dense), mu: new(mat.Dense), decay: 1}
	team.Mul(r.u, q, r.v)
	team.Mul(r.mu, z, r.v)
	last := math.Max(values[k-1], math.SmallestNonzeroFloat64)
	r.residual = team.Furthest(r.u, r.mu, r.values) / last
	if k < l {
		r.decay = math.Min(1, math.Abs(values[l-1])/last)
	}
	return r
}

// whitening returns the eigenvalues of the corrected M2 in U, falling, and A
// (k×k) with W = U·A whitening it, neither to be changed; ok is false where an
// eigenvalue is not positive.
func (v *view) whitening(alpha0 float64) (values []float64, a *mat.Dense, ok bool) {
	if v.white == nil || v.white.alpha0 != alpha0 {
		v.white = v.newWhite(alpha0)
	}
	return v.white.values, v.white.a, v.white.a != nil
}

func (v *view) newWhite(alpha0 float64) *white {
	c1, _, _, scale, _ := factors(alpha0)
	k := len(v.y)
	g := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			g.Set(i, j, scale*(v.g.At(i, j)-c1*v.y[i]*v.y[j]))
		}
	}
	values, a := spectral.SymEig(g)
	for j, s := range values {
		if !(s > 0) {
			return &white{alpha0: alpha0, values: values}
		}
		for i := range k {
			a.Set(i, j, a.At(i, j)/math.Sqrt(s))
		}
	}
	return &white{alpha0, values, a}
}

// correctedIn sets t to the corrected third moment in U.
func (v *view) correctedIn(t *moment.Cube, alpha0 float64) {
	_, c2, c3, _, scale := factors(alpha0)
	t.Combine(scale, v.core, -scale*c2, v.g, scale*c3, v.y)
}

// correctedSome returns the corrected M3(U,U,Uv) for column r of along.
func (v *view) correctedSome(r int, alpha0 float64) *mat.Dense {
	_, c2, c3, _, scale := factors(alpha0)
	var gv mat.VecDense
	gv.MulVec(v.g, v.along.ColView(r))
	y := mat.NewVecDense(len(v.y), v.y)
	yv := mat.Dot(y, v.along.ColView(r))
	out := mat.DenseCopyOf(v.some[r])
	for a, ya := range v.y {
		for e, ye := range v.y {
			placed := v.g.At(a, e)*yv + gv.AtVec(a)*ye + ya*gv.AtVec(e)
			out.Set(a, e, scale*(out.At(a, e)-c2*placed+c3*yv*ya*ye))
		}
	}
	return out
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
		s.view.team.Mul(s.w, s.view.u, a)
	}
	return s.w, s.view.correctedSecond(s.alpha0, a), values, true
}

// Rotation hands decompose what the search for α0 knows of the rotation that
// diagonalises the third moment in the coordinates of Whitening; nil if
// nothing.
func (s *Source) Rotation(k int) *mat.Dense {
	if s.view == nil || k != len(s.view.y) {
		return nil
	}
	values, a, ok := s.view.whitening(s.alpha0)
	if !ok {
		return nil
	}
	return nearest(s.near, values, a)
}

// correctedSecond returns the corrected M2 times U·A.
func (v *view) correctedSecond(alpha0 float64, a *mat.Dense) *mat.Dense {
	out := new(mat.Dense)
	v.team.Mul(out, v.second, a)
	corrector{v.team, alpha0, v.m1, mulTransVec(a, v.y)}.secondIn(out)
	return out
}

// whitened returns the corrected moments in the basis W of Whitening.
func (v *view) whitened(alpha0 float64, want moment.Want) *moment.Projection {
	_, a, _ := v.whitening(alpha0)
	out := &moment.Projection{}
	if want&moment.Second != 0 {
		out.Second = v.correctedSecond(alpha0, a)
	}
	if want&moment.Core != 0 {
		k := len(v.y)
		t := moment.NewCube(k)
		v.correctedIn(t, alpha0)
		out.Core = &moment.Cube{N: k, Data: t.Turned(a, a, a, make([]float64, k*k*k))}
	}
	return out
}
