package decompose

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/agree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/stream"
)

// poissonCase draws the data of Fig 2.1: d=100, k=5, columns of U(0,1) scaled
// to sum 5, ω = U(0,1)/sum.
func poissonCase(seed uint64, n int) (mixture.Params, *moment.Sampled) {
	const d, k, total = 100, 5, 5.0
	r := stream.New(seed, "test/poisson")
	centers, weights := mat.NewDense(d, k, nil), make([]float64, k)
	for j := range k {
		sum := 0.0
		for h := range d {
			centers.Set(h, j, r.Float64())
			sum += centers.At(h, j)
		}
		scaleColumn(centers, j, total/sum)
	}
	for j := range weights {
		weights[j] = r.Float64()
	}
	normalise(weights)
	p := mixture.New(centers, weights)
	return p, moment.NewSampled(pass.NewLocal(draw(r, p, n), 1), moment.Formula{Diagonal: moment.Factorial}, false)
}

func draw(r *rand.Rand, p mixture.Params, n int) sparse.Rows {
	rows := sparse.Rows{Dim: p.Dim(), Ptr: []int{0}}
	for range n {
		u, y := r.Float64(), 0
		for u > p.Weights[y] && y < p.K()-1 {
			u -= p.Weights[y]
			y++
		}
		for h := range p.Dim() {
			if c := poisson(r, p.Centers.At(h, y)); c > 0 {
				rows.Index = append(rows.Index, uint32(h))
				rows.Value = append(rows.Value, float32(c))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows
}

// poisson draws by inversion, for small means.
func poisson(r *rand.Rand, mean float64) int {
	u, p, c := r.Float64(), math.Exp(-mean), 0
	for u > p && c < 100 {
		u -= p
		c++
		p *= mean / float64(c)
	}
	return c
}

// poissonError is the measure of Fig 2.1: clip, scale to sum 5, Frobenius
// distance after matching.
func poissonError(got, want mixture.Params) float64 {
	const total = 5.0
	m := mat.DenseCopyOf(got.Centers)
	d, k := m.Dims()
	for j := range k {
		sum := 0.0
		for h := range d {
			m.Set(h, j, math.Max(m.At(h, j), 1e-8))
			sum += m.At(h, j)
		}
		scaleColumn(m, j, total/sum)
	}
	match, err := agree.Columns(want.Centers, m)
	if err != nil {
		return math.Inf(1)
	}
	sum := 0.0
	for j, c := range match {
		for h := range d {
			diff := want.Centers.At(h, j) - m.At(h, c)
			sum += diff * diff
		}
	}
	return math.Sqrt(sum)
}

func TestAutoOnCounts(t *testing.T) {
	truth, src := poissonCase(1, 10000)
	r, err := Auto(context.Background(), src, 5, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e := poissonError(r.Params, truth); e > 0.45 {
		t.Errorf("error %.3f", e)
	}
}
