package decompose

import (
	"context"
	"errors"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

var errNotFinite = errors.New("decompose: the third moments are not finite numbers; check the data for missing or infinite values")

// Jennrich is the algorithm of Harshman 1970 ([L]): with two random
// contractions of M3, M_a = M diag(ω∘Mᵀa) Mᵀ and M_b, the eigenvectors of
// M_a·M_b^-1 are the directions of the centers, whether or not they are
// orthogonal in any coordinates. Here it works inside the leading subspace of
// M2, in whitened coordinates, where the eigenvectors are best conditioned; M2
// and M1 then give scales and weights.
func Jennrich(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	rand := o.stream("jennrich")
	v, gap, allReal := (*mat.Dense)(nil), 0.0, false
	for range jennrichTries {
		a, b := make([]float64, w.K()), make([]float64, w.K())
		stream.Normals(rand, a)
		stream.Normals(rand, b)
		u, g, isReal := quotient(w.Core.Contract(a), w.Core.Contract(b))
		if u != nil && (v == nil || isReal && !allReal || isReal == allReal && g > gap) {
			v, gap, allReal = u, g, isReal
		}
	}
	if v == nil {
		return nil, errNotFinite
	}
	s, merged := w.signAny(v, o)
	if s == nil {
		return nil, errNotFinite
	}
	r := w.result(w.fromSecond(s))
	r.Warnings = append(append(r.Warnings, s.warnings()...), merged...)
	r.Diagnostics.Separation = gap
	r.Diagnostics.Objective = w.lack(s)
	if !allReal {
		r.Warnings = append(r.Warnings, warn.New(warn.Serious, "complex-eigenvalues",
			"Choose another method, or add records.",
			"Sampling errors are too large for this method: it found directions that are not real numbers."))
	}
	return r, nil
}

// jennrichTries is the number of pairs of contractions of which the one with
// the widest eigenvalues is kept: one pair may be close to degenerate.
const jennrichTries = 10

// quotient returns the eigenvectors of a·b^-1 as unit columns, the least gap
// between its eigenvalues as a share of the largest, and whether all are real.
// Of a complex pair the real and the imaginary part are returned. It returns
// nil where b is singular.
func quotient(a, b *mat.Dense) (v *mat.Dense, gap float64, allReal bool) {
	k, _ := a.Dims()
	var x mat.Dense // b^-1·a, transposed by symmetry: (a·b^-1)ᵀ
	if err := x.Solve(b, a); err != nil {
		return nil, 0, false
	}
	var eig mat.Eigen
	if !eig.Factorize(mat.DenseCopyOf(x.T()), mat.EigenRight) {
		return nil, 0, false
	}
	values := eig.Values(nil)
	var c mat.CDense
	eig.VectorsTo(&c)
	v, allReal = mat.NewDense(k, k, nil), true
	for j := range k {
		col := make([]float64, k)
		second := j > 0 && imag(values[j]) != 0 && values[j] == cmplx.Conj(values[j-1])
		for i := range k {
			col[i] = realPart(c.At(i, j), second)
		}
		allReal = allReal && imag(values[j]) == 0
		unit(col)
		v.SetCol(j, col)
	}
	return v, complexGap(values), allReal
}

func realPart(z complex128, second bool) float64 {
	if second {
		return imag(z)
	}
	return real(z)
}

func complexGap(values []complex128) float64 {
	if len(values) == 1 {
		return 1
	}
	least, most := math.Inf(1), 0.0
	for i, x := range values {
		most = math.Max(most, cmplx.Abs(x))
		for _, y := range values[:i] {
			least = math.Min(least, cmplx.Abs(x-y))
		}
	}
	return relative(least, most)
}

// lack is the share of the squared core that the components do not explain.
func (w *Whitened) lack(s *signed) float64 {
	rest := w.Core.Clone()
	dual := dualOf(s.v)
	for j := range s.weights {
		n := mat.Col(nil, j, dual)
		rest.AddSym3(-cubic(w.Core, n), mat.Col(nil, j, s.v))
	}
	return math.Min(1, share(rest, w.Core))
}
