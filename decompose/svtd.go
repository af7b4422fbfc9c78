package decompose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// SVTD takes the rotation from the one slice of M3 whose eigenvalues, the row
// of centers of that feature, are furthest apart, and reads row r of the
// centers from the diagonal of OᵀH_rO ([T] Alg. 1 with Remark 2.1.2). Weights
// come from M1 = M·ω with ω ≥ 0.
//
// Where no feature tells all components apart ([T] conclusions, first open
// point), the rotation comes from a combination of all slices that does,
// found without chance: see combination. Options.RemoveFeature is the variant
// of [S] Alg. 2.
func SVTD(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	slices, err := w.slices(ctx, src, o)
	if err != nil {
		return nil, err
	}
	choice := chooseFeature(slices, w.K())
	if choice.separation < featureTol {
		if c := combination(ctx, slices, w.K()); c.separation > choice.separation {
			choice = c
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.svtdResult(slices, choice, o), nil
}

// ASVTD is SVTD on moments without any correction of products of a feature
// with itself ([T] Alg. 2): the fast path for binary records. src must be a
// source of raw moments (moment.Raw); then H_r = Σ_i x_ir z_i z_iᵀ/n with
// z = Wᵀx, which is how such a source makes its slices.
func ASVTD(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	o.RemoveFeature = false
	return SVTD(ctx, src, k, o)
}

// slices scans the whitened slices of M3.
func (w *Whitened) slices(ctx context.Context, src moment.Source, o Options) (*moment.Projection, error) {
	p, err := src.Project(ctx, w.W, moment.Slices)
	if err != nil {
		return nil, err
	}
	w.Passes++
	if o.RemoveFeature {
		return w.removed(ctx, src, p)
	}
	return p, nil
}

// choice is a rotation and where it comes from.
type choice struct {
	feature    int
	rotation   *mat.Dense
	separation float64 // least gap between eigenvalues, as a share of the largest of all slices
}

// featureTol is the separation below which a slice does not tell all
// components apart: a millionth of the largest center entry.
const featureTol = 1e-6

// chooseFeature returns the slice with the largest least gap between
// neighbouring eigenvalues.
func chooseFeature(p *moment.Projection, k int) choice {
	d, _ := p.Slices.Dims()
	best, scale := choice{feature: -1, rotation: identity(k), separation: -1}, 0.0
	for r := range d {
		values, vectors := spectral.SymEig(p.Slice(r, k))
		if !finite(values) {
			continue
		}
		scale = math.Max(scale, largestOf(values))
		if g := leastGap(values); g > best.separation {
			best = choice{r, vectors, g}
		}
	}
	best.separation = relative(best.separation, scale)
	return best
}

// leastGap returns the least difference of falling values; the modulus of a
// single one.
func leastGap(values []float64) float64 {
	if len(values) == 1 {
		return math.Abs(values[0])
	}
	least := math.Inf(1)
	for i := 1; i < len(values); i++ {
		least = math.Min(least, values[i-1]-values[i])
	}
	return least
}

func relative(v, scale float64) float64 {
	if scale == 0 || v < 0 {
		return 0
	}
	return v / scale
}

// combination takes the rotation from all slices together, by joint
// diagonalisation: every pair of components then needs to differ in some
// feature only, and nothing is left to chance, as a random combination would.
func combination(ctx context.Context, p *moment.Projection, k int) choice {
	packed := compress(p.Slices, k)
	rot := spectral.JointDiagonalise(ctx, packed, k)
	// The separation of two components is the distance between their rows of
	// diagonals, over all slices.
	diagonals := mat.NewDense(len(packed), k, nil)
	for r, s := range packed {
		var a, b mat.Dense
		a.Mul(rot.O.T(), s)
		b.Mul(&a, rot.O)
		for j := range k {
			diagonals.Set(r, j, b.At(j, j))
		}
	}
	var g mat.Dense
	spectral.MulTrans(&g, diagonals, diagonals)
	longest, least := extent(diagonals, &g)
	if k == 1 {
		least = longest
	}
	return choice{-1, rot.O, relative(math.Sqrt(least), math.Sqrt(longest))}
}

// svtdResult reads the rows of the centers from the slices.
func (w *Whitened) svtdResult(p *moment.Projection, c choice, o Options) *Result {
	d, k := w.E.Dims()
	centers := mat.NewDense(d, k, nil)
	dense := mat.DenseCopyOf(c.rotation.T())
	for r := range d {
		packed := p.Slices.RawRowView(r)
		for j := range k {
			centers.Set(r, j, quadratic(packed, dense.RawRowView(j)))
		}
	}
	weights, floored := leastSquaresWeights(centers, w.First, o)
	r := w.result(candidate{mixture.New(centers, weights), c.rotation})
	r.Diagnostics.Feature, r.Diagnostics.Separation = c.feature, c.separation
	r.Diagnostics.Objective = w.objective(c.rotation)
	switch {
	case c.separation < degenerate:
		r.Warnings = append(r.Warnings, undecided())
	case c.feature < 0:
		r.Warnings = append(r.Warnings, warn.New(warn.Note, "no-single-feature", "",
			"No single feature tells all groups apart; a combination of all of them was used."))
	}
	if floored {
		r.Warnings = append(r.Warnings, (&signed{floored: true}).warnings()...)
	}
	return r
}

// quadratic returns oᵀHo for a packed symmetric H.
func quadratic(packed, o []float64) float64 {
	sum, at := 0.0, 0
	for a, x := range o {
		sum += packed[at] * x * x
		at++
		for _, y := range o[a+1:] {
			sum += 2 * packed[at] * x * y
			at++
		}
	}
	return sum
}
