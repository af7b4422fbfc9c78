// Package gaussian is the mixture of spherical Gaussians [L]: in component j
// every feature h is normal with mean μ_hj and variance v_j·s_h², independently
// of the others. The v_j are the component's own (Hsu and Kakade) or shared;
// the s_h are 1, or put features of different units on one scale, and then
// "spherical" is meant in the scaled features.
//
// It takes dense or sparse real rows without missing values and gives moments,
// the E- and M-step, densities and samples. The moments are those of the lifted
// record y = [(x−x̄)/s, c] (algorithms §6): the constant c makes k centers
// linearly independent as soon as they are affinely independent, wherever the
// origin lies. So the Source has one coordinate more than the records, and
// Normalise takes it away again. The package does not know where records are, nor
// how a start was found.
package gaussian

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
)

// Variance says whether components have variances of their own.
type Variance int

// Variances.
const (
	Own Variance = iota
	Shared
)

// Scaling says whether features are divided by their standard deviations.
type Scaling int

// Scalings. Auto scales when the largest standard deviation is more than ten
// times the smallest: features in different units.
const (
	Auto Scaling = iota
	Always
	Never
)

// Options are the settings of the family. The zero value is the default.
type Options struct {
	Variance    Variance
	Standardise Scaling
}

// Names of the extra matrices of the parameters.
const (
	// VarianceOf is 1×k: v_j, in the units of the scaled features.
	VarianceOf = "variance"
	// ScaleOf is d×1: s_h, 0 for a constant feature that takes no part.
	ScaleOf = "scale"
)

// Family is the mixture of spherical Gaussians.
type Family struct{ o Options }

var _ family.Family = Family{}

// New returns the family with the given options.
func New(o Options) Family { return Family{o} }

// NewParams returns parameters of the family with all scales 1; centers are
// d×k.
func NewParams(centers *mat.Dense, weights, variance []float64) mixture.Params {
	d, k := centers.Dims()
	scale := mat.NewDense(d, 1, nil)
	for h := range d {
		scale.Set(h, 0, 1)
	}
	v := mat.NewDense(1, k, append([]float64(nil), variance...))
	return mixture.New(centers, weights).With(VarianceOf, v).With(ScaleOf, scale)
}

// Scales implements family.Scaler.
func (Family) Scales(p mixture.Params) []float64 { return mat.Col(nil, 0, p.Extra[ScaleOf]) }

// Check reports the first parameter outside its legal range.
func (Family) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("gaussian: %w", err)
	}
	v, s := p.Extra[VarianceOf], p.Extra[ScaleOf]
	if v == nil || s == nil {
		return fmt.Errorf("gaussian: parameters without %q or %q", VarianceOf, ScaleOf)
	}
	if r, c := v.Dims(); r != 1 || c != p.K() {
		return fmt.Errorf("gaussian: %d×%d variances, want 1×%d", r, c, p.K())
	}
	if r, c := s.Dims(); r != p.Dim() || c != 1 {
		return fmt.Errorf("gaussian: %d×%d scales, want %d×1", r, c, p.Dim())
	}
	for j, x := range v.RawRowView(0) {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("gaussian: variance of component %d is %v, want a positive number", j+1, x)
		}
	}
	for h := range p.Dim() {
		if x := s.At(h, 0); !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("gaussian: scale of feature %d is %v, want a number >= 0", h+1, x)
		}
	}
	return nil
}

// FreeParameters counts the weights, the means of features that take part, and
// the variances.
func (f Family) FreeParameters(p mixture.Params) int {
	variances := p.K()
	if f.o.Variance == Shared {
		variances = 1
	}
	return p.K() - 1 + frameOf(p).active*p.K() + variances
}

// Reorder implements family.Family.
func (Family) Reorder(p mixture.Params, order []int) mixture.Params {
	out := p.Reorder(order)
	return out.With(VarianceOf, mixture.Columns(p.Extra[VarianceOf], order))
}
