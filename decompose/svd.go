package decompose

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// SVD is the method of Anandkumar et al. 2012a ([T] 1.3): the rotation is that
// of one random combination of slices, H_η = WᵀM3(η)W with η normal in d
// dimensions, and the centers come from M·Ω^½ = E·O. The eigenvectors of the
// symmetric H_η are used, which unlike its singular vectors tell λ and −λ
// apart.
func SVD(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	eta := make([]float64, src.Dim())
	stream.Normals(o.stream("svd"), eta)
	// M3(η,W,W) = T(Eᵀη), as the centers lie in the span of E.
	values, vectors := spectral.SymEig(w.Core.Contract(mulTransVec(w.E, eta)))
	s := w.sign(vectors, o)
	if s == nil {
		return nil, errNotFinite
	}
	r := w.result(w.fromSecond(s))
	r.direction(w, vectors, values)
	r.Warnings = append(r.Warnings, s.warnings()...)
	return r, nil
}

// Eigen is the eigenvector method of Anandkumar et al. 2012b: a random
// direction θ of the unit sphere inside the leading subspace U of M2 gives
// B(θ) = (UᵀM3(Uθ)U)(UᵀM2U)^-1, whose eigenvectors R diagonalise B(e_a) for all
// a. The diagonals are the centers in U: the eigenvalues give the parameters,
// not the eigenvectors. In whitened coordinates B(θ) is similar to a symmetric
// matrix, so all of this is real. Weights come from M1 = M·ω, ω ≥ 0.
func Eigen(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	theta := make([]float64, w.K())
	stream.Normals(o.stream("eigen"), theta)
	unit(theta)
	values, vectors := spectral.SymEig(w.Core.Contract(theta))
	s := w.sign(vectors, o)
	if s == nil {
		return nil, errNotFinite
	}
	c := w.fromCore(s)
	weights, floored := leastSquaresWeights(c.params.Centers, w.First, o)
	c.params = mixture.New(c.params.Centers, weights)
	r := w.result(c)
	r.direction(w, vectors, values)
	r.Warnings = append(r.Warnings, (&signed{floored: floored}).warnings()...)
	return r, nil
}

// direction notes a rotation that comes from one matrix with these
// eigenvalues.
func (r *Result) direction(w *Whitened, o *mat.Dense, values []float64) {
	r.Diagnostics.Objective = w.objective(o)
	r.Diagnostics.Separation = relative(leastGap(values), largestOf(values))
	if r.Diagnostics.Separation < degenerate {
		r.Warnings = append(r.Warnings, undecided())
	}
}
