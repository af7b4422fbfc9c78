package tree

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// view is the moments of records that a direction is found from: by passes (scans),
// or by counted pairs of features (pairs).
type view interface {
	// sums returns the number of records, the sums of their features and those of
	// their squares.
	sums(ctx context.Context) (n float64, sum, squares []float64, err error)
	// products sets each y to Σ x·z for z = vᵀx − shift. It returns each Σ z, which
	// is what y is off by in terms of the mean: of counted pairs the shift is still
	// in y.
	products(ctx context.Context, y, v [][]float64, shift []float64) (total []float64, err error)
	// powers returns the sums of the first three powers of vᵀx − shift.
	powers(ctx context.Context, v []float64, shift float64) ([]float64, error)
	// core returns Σ z⊗z⊗z for z = Bᵀx, b of two columns, packed.
	core(ctx context.Context, b *mat.Dense) ([]float64, error)
	// slices returns Σ x⊗z⊗z for the same z, a row a feature, packed.
	slices(ctx context.Context, b *mat.Dense) ([]float64, error)
}

// scans looks at records by passes.
type scans struct{ run pass.Runner }

func (s scans) sums(ctx context.Context) (n float64, sum, squares []float64, err error) {
	survey, err := moment.NewSurvey(ctx, s.run, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	return survey.N, survey.Sum, survey.SumSquares, nil
}

func (s scans) products(ctx context.Context, y, v [][]float64, shift []float64) (total []float64, err error) {
	total = make([]float64, len(v))
	for i := range v {
		state, err := pass.RunOne(ctx, s.run, covarySum{v[i], shift[i]})
		if err != nil {
			return nil, err
		}
		copy(y[i], state)
		total[i] = state[len(v[i])] // rounding only, but exact to subtract
	}
	return total, nil
}

func (s scans) powers(ctx context.Context, v []float64, shift float64) ([]float64, error) {
	return pass.RunOne(ctx, s.run, powerSum{v, shift})
}

func (s scans) core(ctx context.Context, b *mat.Dense) ([]float64, error) {
	return pass.RunOne(ctx, s.run, coreSum{b.RawMatrix().Data})
}

func (s scans) slices(ctx context.Context, b *mat.Dense) ([]float64, error) {
	return pass.RunOne(ctx, s.run, sliceSum{s.run.Dim(), b.RawMatrix().Data})
}

// pairs are counted: two orders come from the counts, the third from the records where
// they stand.
type pairs struct {
	*counted
	count *pairCounts
}

func (p pairs) sums(context.Context) (n float64, sum, squares []float64, err error) {
	sum = make([]float64, p.count.D)
	for h := range sum {
		sum[h] = p.count.Single(h)
	}
	return float64(p.count.N), sum, sum, nil
}

func (p pairs) products(_ context.Context, y, v [][]float64, shift []float64) (total []float64, err error) {
	total = make([]float64, len(v))
	for i := range v {
		total[i] = float64(p.count.N) * shift[i]
	}
	p.count.MulTo(y, v)
	return total, nil
}

func (p pairs) powers(ctx context.Context, v []float64, shift float64) ([]float64, error) {
	return p.added(ctx, 3, v, func(state []float64, _ int, z [][]float64) { addPowers(state, z[0], shift) })
}

func (p pairs) core(ctx context.Context, b *mat.Dense) ([]float64, error) {
	seen := p.see(b)
	return p.added(ctx, moment.PackedLen(2), columnsOf(b), func(state []float64, lo int, z [][]float64) {
		var sum cubes
		second := z[1]
		for i, x := range z[0] {
			sum.add(x, second[i])
		}
		sum.addTo(state)
		seen.keep(lo, z[0], second)
	})
}

// slices are not counted: they take a pass, as without pairs.
func (p pairs) slices(ctx context.Context, b *mat.Dense) ([]float64, error) {
	run, err := p.runner(ctx)
	if err != nil {
		return nil, err
	}
	return scans{run}.slices(ctx, b)
}

// columnsOf returns the columns of a matrix, one behind the other.
func columnsOf(m *mat.Dense) []float64 {
	d, k := m.Dims()
	out := make([]float64, d*k)
	for h := range d {
		for j, v := range m.RawRowView(h) {
			out[j*d+h] = v
		}
	}
	return out
}
