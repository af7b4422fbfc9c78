package hmm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
)

// emissionError returns the mean over states of the L1 distance of emission
// columns, and of transition rows, after matching.
func emissionError(t *testing.T, got, want mixture.Params) (emission, transition float64) {
	t.Helper()
	match, err := agree.Columns(want.Centers, got.Centers)
	if err != nil {
		t.Fatal(err)
	}
	got = Family{}.Reorder(got, match)
	k := float64(want.K())
	for j := range want.K() {
		for h := range want.Dim() {
			emission += math.Abs(got.Centers.At(h, j)-want.Centers.At(h, j)) / k
		}
		for i := range want.K() {
			transition += math.Abs(got.Extra[TransitionOf].At(j, i)-want.Extra[TransitionOf].At(j, i)) / k
		}
	}
	return emission, transition
}

// truth draws a chain that stays with probability about 0.7, starts with its
// stationary shares, and emits symbols by Dirichlet-like columns (exponential
// numbers to the power 1.5), or measurements around normal means.
func truth(seed uint64, d, k int, gaussian bool) mixture.Params {
	r := stream.New(seed, "hmm truth")
	m, to := mat.NewDense(d, k, nil), mat.NewDense(k, k, nil)
	for j := range k {
		sum := 0.0
		for h := range d {
			v := math.Pow(r.ExpFloat64(), 1.5)
			m.Set(h, j, v)
			sum += v
		}
		for h := range d {
			m.Set(h, j, m.At(h, j)/sum)
			if gaussian {
				m.Set(h, j, 50+1.5*r.NormFloat64())
			}
		}
		for i := range k {
			to.Set(j, i, 0.2*(0.5+r.Float64()))
		}
		to.Set(j, j, 1)
		normalise(to.RawRowView(j))
	}
	var variance []float64
	if gaussian {
		for range k {
			variance = append(variance, 0.5+r.Float64())
		}
	}
	return NewParams(m, to, stationary(to), variance)
}
