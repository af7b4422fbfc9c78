package decompose

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// Whitened holds the moments in coordinates in which M2 is the identity.
type Whitened struct {
	W     *mat.Dense   // d×k, WᵀM2W = I
	E     *mat.Dense   // d×k, M2 ≈ EEᵀ, WᵀE = I
	Eigen []float64    // leading eigenvalues of M2, falling, more than k where known
	Gap   float64      // (λ_k − λ_{k+1})/λ_k, 1 where nothing follows
	Core  *moment.Cube // k×k×k: M3(W,W,W), or nil where that is not held
	Mean  []float64    // k: WᵀM1
	First []float64    // d: M1
	// Passes is the number of scans that the whitening took, Residual the
	// largest ‖M2·v − λv‖/λ_k of the k leading eigenpairs as it found them.
	Passes   int
	Residual float64

	// Warnings of the whitening.
	Warnings []warn.Warning

	basis *basis
	team  spectral.Team // for products as long as W, or 0 for one core
}

// K returns the number of components.
func (w *Whitened) K() int { _, k := w.W.Dims(); return k }

// basis is what the source said of a subspace: enough to whiten for any k that
// fits into it.
type basis struct {
	q, z    *mat.Dense   // d×l orthonormal, and M2·q
	core    *moment.Cube // M3(q,q,q)
	values  []float64    // eigenvalues of qᵀz, falling
	vectors *mat.Dense   // l×l
	first   []float64
	passes  int
	team    spectral.Team
}

// A Whitener is a Source that knows the leading subspace of its own M2.
type Whitener interface {
	// Whitening returns W and E (d×k) with WᵀM2W = I and M2 ≈ EEᵀ and the
	// leading eigenvalues of M2, which the caller must not change; ok is false
	// where it cannot serve k.
	Whitening(ctx context.Context, k int) (w, e *mat.Dense, eigen []float64, ok bool)
}

// ErrRank says that M2 cannot tell that many components apart.
type ErrRank struct {
	Want, Got int     // components asked for, positive eigenvalues of M2
	Gap       float64 // the eigenvalue after the last positive one, as a share of the largest
}

func (e *ErrRank) Error() string {
	switch {
	case e.Want < 1:
		return fmt.Sprintf("decompose: %d components asked for, want at least 1", e.Want)
	case e.Got == 0:
		return fmt.Sprintf("decompose: %d components asked for, but the second moment has no positive eigenvalue: the features carry no common pattern; check the data", e.Want)
	}
	return fmt.Sprintf("decompose: %d components asked for, but the second moment tells only %d apart; ask for at most %d", e.Want, e.Got, e.Got)
}

// rankTol is the share of the largest eigenvalue of M2 below which another
// counts as zero: the square of the relative rounding error of features whose
// components differ in the sixth digit.
const rankTol = 1e-12

// errNoSource says that a method was called without moments.
var errNoSource = errors.New("decompose: the source of moments is nil")

// Whiten returns the moments of src in whitened coordinates for k components.
// It takes as few scans as it can: see findBasis.
func Whiten(ctx context.Context, src moment.Source, k int, o Options) (*Whitened, error) {
	return whiten(ctx, src, k, o, true)
}

// whiten is Whiten, with the core or without.
func whiten(ctx context.Context, src moment.Source, k int, o Options, core bool) (*Whitened, error) {
	if src == nil {
		return nil, errNoSource
	}
	if k < 1 || k > src.Dim() {
		return nil, &ErrRank{Want: k, Got: min(max(k, 0), src.Dim())}
	}
	if own, ok := src.(Whitener); ok {
		if w, e, eigen, ok := own.Whitening(ctx, k); ok {
			return adopt(ctx, src, w, e, eigen, core)
		}
	}
	b, err := findBasis(ctx, src, k, o, core)
	if err != nil {
		return nil, err
	}
	w, err := b.at(k)
	if rank, ok := err.(*ErrRank); ok && o.Fewer && rank.Got > 0 {
		if w, err = b.at(rank.Got); err == nil {
			w.Warnings = append(w.Warnings, warn.New(warn.Serious, "fewer-components",
				"Ask for fewer groups, or add records.",
				"Only %d of the %d groups asked for can be told apart.", rank.Got, rank.Want))
		}
	}
	return w, err
}

// At returns the whitening for another k, without touching the source. It
// fails with ErrRank where the basis is too small or k too large.
func (w *Whitened) At(k int) (*Whitened, error) {
	if w.basis != nil {
		return w.basis.at(k)
	}
	if k < 1 || k > w.K() {
		return nil, &ErrRank{Want: k, Got: w.K()}
	}
	d, _ := w.W.Dims()
	v := *w
	v.W = mat.DenseCopyOf(w.W.Slice(0, d, 0, k))
	v.E = mat.DenseCopyOf(w.E.Slice(0, d, 0, k))
	v.Core = leadingCube(w.Core, k)
	v.Mean = w.Mean[:k]
	v.Gap = gap(w.Eigen, k)
	return &v, nil
}

func leadingCube(t *moment.Cube, k int) *moment.Cube {
	out := moment.NewCube(k)
	for a := range k {
		for b := range k {
			copy(out.Data[(a*k+b)*k:][:k], t.Data[(a*t.N+b)*t.N:][:k])
		}
	}
	return out
}

// adopt takes the whitening that the source knows.
func adopt(ctx context.Context, src moment.Source, w, e *mat.Dense, eigen []float64, core bool) (*Whitened, error) {
	m1, err := src.First(ctx)
	if err != nil {
		return nil, err
	}
	_, k := w.Dims()
	team := teamOf(src)
	out := &Whitened{W: w, E: e, Eigen: eigen, Gap: gap(eigen, k), Mean: team.CrossVec(w, m1), First: m1, team: team}
	if core {
		p, err := src.Project(ctx, w, moment.Core)
		if err != nil {
			return nil, err
		}
		out.Core, out.Passes = p.Core, 1
	}
	return out, nil
}

// at whitens the basis for k components by a congruence: with
// QᵀM2Q = U S Uᵀ and A = U_k S_k^-½, W = QA and M3(W,W,W) = core(A,A,A). E is
// M2·W, which is one more power step than Q U_k S_k^½ for the same scans.
func (b *basis) at(k int) (*Whitened, error) {
	positive := 0
	for positive < len(b.values) && b.values[positive] > rankTol*math.Abs(b.largest()) {
		positive++
	}
	if k < 1 || k > positive {
		after := 0.0
		if positive < len(b.values) && b.largest() != 0 {
			after = b.values[positive] / math.Abs(b.largest())
		}
		return nil, &ErrRank{Want: k, Got: positive, Gap: after}
	}
	l := len(b.values)
	a := mat.NewDense(l, k, nil)
	for j := range k {
		f := 1 / math.Sqrt(b.values[j])
		for i := range l {
			a.Set(i, j, f*b.vectors.At(i, j))
		}
	}
	w := &Whitened{
		W: new(mat.Dense), E: new(mat.Dense), Eigen: b.values, Gap: gap(b.values, k),
		First: b.first, Passes: b.passes, Residual: b.residual(k), basis: b, team: b.team,
	}
	if b.core != nil {
		w.Core = b.core.Congruence(a)
	}
	b.team.Mul(w.W, b.q, a)
	b.team.Mul(w.E, b.z, a)
	w.Mean = b.team.CrossVec(w.W, b.first)
	w.Warnings = b.warnings(k)
	return w, nil
}

// largest returns the eigenvalue of largest modulus.
func (b *basis) largest() float64 {
	first, last := b.values[0], b.values[len(b.values)-1]
	if math.Abs(last) > math.Abs(first) {
		return last
	}
	return first
}

// warnings says where negative eigenvalues of M2, which only sampling errors
// can make, are larger than those that are used.
func (b *basis) warnings(k int) []warn.Warning {
	if last := b.values[len(b.values)-1]; -last > b.values[k-1] {
		return []warn.Warning{warn.New(warn.Caution, "negative-spectrum",
			"Ask for fewer groups, or add records.",
			"Sampling errors in the data are as large as the signal of the weakest of the %d groups.", k)}
	}
	return nil
}

func gap(eigen []float64, k int) float64 {
	if k >= len(eigen) || !(eigen[k-1] > 0) {
		return 1
	}
	return (eigen[k-1] - eigen[k]) / eigen[k-1]
}

func mulTransVec(a *mat.Dense, v []float64) []float64 { return spectral.Team(1).CrossVec(a, v) }
