package mixed

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// sumTol is how far the probabilities of a question may be from one.
const sumTol = 1e-6

// Check reports the first parameter outside the range of its column's kind.
func (f *Family) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("mixed: %w", err)
	}
	if p.Dim() != len(f.kinds) {
		return fmt.Errorf("mixed: centers of %d features for columns of %d", p.Dim(), len(f.kinds))
	}
	variance, ok := p.Extra[Variance]
	if !ok {
		return fmt.Errorf("mixed: the parameters have no variances")
	}
	if r, c := variance.Dims(); r != p.Dim() || c != p.K() {
		return fmt.Errorf("mixed: variances are %d×%d, want %d×%d", r, c, p.Dim(), p.K())
	}
	for h, kind := range f.kinds {
		for j, v := range p.Centers.RawRowView(h) {
			if kind != vocab.Real && v < 0 || (kind == vocab.Presence || kind == vocab.Categorical) && v > 1+sumTol {
				return fmt.Errorf("mixed: center of feature %d (%s) in component %d is %v", h+1, kind, j+1, v)
			}
			if s := variance.At(h, j); kind == vocab.Real && (!(s > 0) || math.IsInf(s, 1)) {
				return fmt.Errorf("mixed: variance of feature %d in component %d is %v, want > 0", h+1, j+1, s)
			}
		}
	}
	return f.checkBlocks(p)
}

func (f *Family) checkBlocks(p mixture.Params) error {
	for _, b := range f.blocks {
		for j := range p.K() {
			sum := 0.0
			for h := b[0]; h < b[1]; h++ {
				sum += p.Centers.At(h, j)
			}
			if math.Abs(sum-1) > sumTol {
				return fmt.Errorf("mixed: probabilities of features %d to %d in component %d add up to %v, want 1", b[0]+1, b[1], j+1, sum)
			}
		}
	}
	return nil
}

// FreeParameters counts the weights, one parameter for each presence and count
// that varies, two for each measurement, and the answers given less one for
// each question, in every component.
func (f *Family) FreeParameters(p mixture.Params) int {
	each := 0
	for h, kind := range f.kinds {
		switch {
		case kind == vocab.Real:
			each += 2
		case f.varies(p, h):
			each++
		}
	}
	for _, b := range f.blocks {
		for h := b[0]; h < b[1]; h++ {
			if f.varies(p, h) {
				each--
				break
			}
		}
	}
	return p.K() - 1 + p.K()*each
}

// varies reports that feature h is not the same constant in every component.
func (f *Family) varies(p mixture.Params, h int) bool {
	for _, v := range p.Centers.RawRowView(h) {
		switch f.kinds[h] {
		case vocab.Presence:
			if v > 2*stepClip && v < 1-2*stepClip {
				return true
			}
		default:
			if v > 0 {
				return true
			}
		}
	}
	return false
}

// Reorder implements family.Family.
func (*Family) Reorder(p mixture.Params, order []int) mixture.Params {
	q := p.Reorder(order)
	if v, ok := p.Extra[Variance]; ok {
		q = q.With(Variance, mixture.Columns(v, order))
	}
	return q
}

// Sample draws n records without missing values, dense where there are
// measurements; the shape plays no part.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d, labels := p.Dim(), make([]int, n)
	rows, build := sparse.Rows{Dim: d}, sparse.NewBuilder(d, false)
	columns, variance := mat.DenseCopyOf(p.Centers.T()), p.Extra[Variance]
	x := make([]float64, d)
	for i := range n {
		j := family.Pick(r, p.Weights)
		labels[i] = j
		f.sampleRow(x, columns.RawRowView(j), func(h int) float64 { return math.Sqrt(variance.At(h, j)) }, r)
		if f.real != nil {
			rows.Dense = append(rows.Dense, x...)
			continue
		}
		var index []uint32
		var value []float32
		for h, v := range x {
			if v != 0 {
				index, value = append(index, uint32(h)), append(value, float32(v))
			}
		}
		if err := build.Add(index, value); err != nil {
			return family.Draw{}, fmt.Errorf("mixed: %w", err)
		}
	}
	if f.real == nil {
		rows = build.Rows()
	} else if rows.Dense == nil {
		rows.Dense = []float64{}
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}

// sampleRow sets x to a record of the component with the given centers.
func (f *Family) sampleRow(x, centers []float64, deviation func(h int) float64, r *rand.Rand) {
	clear(x)
	for h, m := range centers {
		switch f.kinds[h] {
		case vocab.Presence:
			if r.Float64() < m {
				x[h] = 1
			}
		case vocab.Counts:
			if m > 0 {
				x[h] = distuv.Poisson{Lambda: m, Src: r}.Rand()
			}
		case vocab.Real:
			x[h] = m + deviation(h)*r.NormFloat64()
		}
	}
	for _, b := range f.blocks {
		x[b[0]+family.Pick(r, centers[b[0]:b[1]])] = 1
	}
}
