package gaussian

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// CovarianceOf is the extra matrix of a Shaped family: covariances in the units
// of the scaled features that take part. By shape it is 1 or k columns of
// variances, one square, or k squares side by side.
const CovarianceOf = "covariance"

// Shaped is the mixture of Gaussians whose covariances are diagonal or full, the
// components' own or shared, in the features or in the logarithms of some of
// them. Centers are in the units of the features: the mean, or the geometric
// mean where logarithms are taken. It is immutable.
type Shaped struct {
	shape normals.Shape
	logs  []int
}

var (
	_ family.Family   = Shaped{}
	_ family.Measured = Shaped{}
)

// NewShaped returns the family of a shape, in the logarithms of the features
// named.
func NewShaped(shape normals.Shape, logs []int) Shaped { return Shaped{shape, slices.Clone(logs)} }

// Scaled implements family.Measured: covariances are 1.
func (f Shaped) Scaled(centers *mat.Dense, weights, scale []float64) mixture.Params {
	d, k := centers.Dims()
	p := mixture.New(centers, weights).With(ScaleOf, mat.NewDense(d, 1, slices.Clone(scale)))
	active := 0
	for _, s := range scale {
		if s > 0 {
			active++
		}
	}
	r, c := f.size(active, k)
	cov := mat.NewDense(max(r, 1), c, nil)
	for h := range active {
		for j := range c {
			if f.square() && j%active != h {
				continue
			}
			cov.Set(h, j, 1)
		}
	}
	return p.With(CovarianceOf, cov)
}

func (f Shaped) square() bool { return f.shape == normals.Tied || f.shape == normals.Own }

// size returns the rows and columns of the covariances of so many features; no
// feature at all has one of 0.
func (f Shaped) size(active, k int) (rows, cols int) {
	switch f.shape {
	case normals.Common:
		return active, 1
	case normals.Diagonal:
		return active, k
	case normals.Tied:
		return active, max(active, 1)
	}
	return active, max(active, 1) * k
}

// Check reports the first parameter outside its legal range.
func (f Shaped) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("gaussian: %w", err)
	}
	c, s := p.Extra[CovarianceOf], p.Extra[ScaleOf]
	if c == nil || s == nil {
		return fmt.Errorf("gaussian: parameters without %q or %q", CovarianceOf, ScaleOf)
	}
	if r, w := s.Dims(); r != p.Dim() || w != 1 {
		return fmt.Errorf("gaussian: %d×%d scales, want %d×1", r, w, p.Dim())
	}
	active := 0
	for h := range p.Dim() {
		x := s.At(h, 0)
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("gaussian: scale of feature %d is %v, want a number >= 0", h+1, x)
		}
		if x > 0 {
			active++
		}
	}
	rows, cols := f.size(active, p.K())
	if r, w := c.Dims(); r != max(rows, 1) || w != cols {
		return fmt.Errorf("gaussian: %d×%d covariances (%v), want %d×%d", r, w, f.shape, rows, cols)
	}
	for h := range rows {
		for j := range cols {
			v := c.At(h, j)
			if v-v != 0 || (!f.square() || j%active == h) && !(v > 0) {
				return fmt.Errorf("gaussian: covariance %d, %d is %v, want a number, positive for a variance", h+1, j+1, v)
			}
		}
	}
	for _, h := range f.logs {
		if h < 0 || h >= p.Dim() {
			return fmt.Errorf("gaussian: the logarithm of feature %d of %d", h+1, p.Dim())
		}
		for j := range p.K() {
			if v := p.Centers.At(h, j); s.At(h, 0) > 0 && !(v > 0) {
				return fmt.Errorf("gaussian: center %v of feature %d has no logarithm", v, h+1)
			}
		}
	}
	return nil
}

// FreeParameters counts the weights, the means of features that take part, and
// the covariances.
func (f Shaped) FreeParameters(p mixture.Params) int {
	d, k := p.Dim(), p.K()
	if scale := p.Extra[ScaleOf]; scale != nil {
		d = len(f.frame(p).column)
	}
	return k - 1 + k*d + normals.Spreads(k, d, f.shape)
}

// Reorder implements family.Family.
func (f Shaped) Reorder(p mixture.Params, order []int) mixture.Params {
	out, c := p.Reorder(order), p.Extra[CovarianceOf]
	switch f.shape {
	case normals.Diagonal:
		c = mixture.Columns(c, order)
	case normals.Own:
		_, w := c.Dims()
		w /= p.K()
		var columns []int
		for _, j := range order {
			for h := range w {
				columns = append(columns, j*w+h)
			}
		}
		c = mixture.Columns(c, columns)
	}
	return out.With(CovarianceOf, c)
}

// Source returns the moments of spherical components: they say where components
// are, as a start, and nothing of their shapes.
func (f Shaped) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	return Family{}.Source(ctx, f.mapped(run), k)
}

// Normalise gives the centers of spherical components covariances of their size.
func (f Shaped) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	round, warnings, err := Family{}.Normalise(ctx, src, raw)
	if err != nil {
		return raw, warnings, err
	}
	v, weight := round.Extra[VarianceOf].RawRowView(0), 0.0
	for j, w := range round.Weights {
		weight += w * v[j]
	}
	scale := mat.Col(nil, 0, round.Extra[ScaleOf])
	for h := range scale {
		scale[h] *= math.Sqrt(math.Max(weight, leastVariance))
	}
	centers := mat.DenseCopyOf(round.Centers)
	for _, h := range f.logs {
		for j := range round.K() {
			centers.Set(h, j, math.Exp(centers.At(h, j)))
		}
	}
	return f.Scaled(centers, round.Weights, scale), warnings, nil
}
