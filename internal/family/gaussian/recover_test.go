package gaussian

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
)

// relative returns the weighted relative Frobenius error of the centers, and
// the largest error of the variances, after matching.
func relative(t *testing.T, got, want mixture.Params) (centers, variance float64) {
	t.Helper()
	match, err := agree.Columns(want.Centers, got.Centers)
	if err != nil {
		t.Fatal(err)
	}
	got = Family{}.Reorder(got, match)
	num, den := 0.0, 0.0
	for j, w := range want.Weights {
		for h := range want.Dim() {
			x, y := want.Centers.At(h, j), got.Centers.At(h, j)
			num += w * (x - y) * (x - y)
			den += w * x * x
		}
		variance = math.Max(variance, math.Abs(got.Extra[VarianceOf].At(0, j)/want.Extra[VarianceOf].At(0, j)-1))
	}
	return math.Sqrt(num / den), variance
}

// truth draws centers of N(0, sep²) entries, weights within a factor of two of
// each other, variance 1 or from 0.4 to 1.6.
func truth(seed uint64, d, k int, sep float64, own bool) mixture.Params {
	r := stream.New(seed, "truth")
	m, w, v := mat.NewDense(d, k, nil), make([]float64, k), make([]float64, k)
	stream.Normals(r, m.RawMatrix().Data)
	m.Scale(sep, m)
	sum := 0.0
	for j := range k {
		w[j], v[j] = 1+r.Float64(), 1
		if own {
			v[j] = 0.4 + 1.2*r.Float64()
		}
		sum += w[j]
	}
	for j := range w {
		w[j] /= sum
	}
	return NewParams(m, w, v)
}
