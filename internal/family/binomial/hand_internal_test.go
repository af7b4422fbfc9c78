package binomial

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Of four trials that succeed with probability ½, and of three, the means of d2
// and d3 are the second and third power of the mean.
func TestLawByHand(t *testing.T) {
	for m, chance := range map[float64][]float64{3: {1, 3, 3, 1}, 4: {1, 4, 6, 4, 1}} {
		mean := m / 2
		var d2, d3 float64
		for x, c := range chance {
			v, e2, e3 := float64(x), make([]float64, 1), make([]float64, 1)
			law(m).Correct(e2, e3, []float64{v})
			share := c / math.Pow(2, m)
			d2 += share * (v*v - e2[0])
			d3 += share * (e3[0] - 3*v*e2[0] + v*v*v)
		}
		if numtest.Off(d2, mean*mean, 1e-12) || numtest.Off(d3, mean*mean*mean, 1e-12) {
			t.Errorf("%v trials: %v and %v, want %v and %v", m, d2, d3, mean*mean, mean*mean*mean)
		}
	}
}

// A start keeps a thousandth of the trials from none and all; more successes
// than trials are refused.
func TestBoundsByHand(t *testing.T) {
	f, err := New(Options{Trials: 4})
	if err != nil {
		t.Fatal(err)
	}
	raw := mixture.New(mat.NewDense(2, 1, []float64{0, 4}), []float64{1})
	p, _, err := f.Normalise(context.Background(), nil, raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := mat.Col(nil, 0, p.Centers); numtest.Off(got[0], .004, 1e-15) || numtest.Off(got[1], 3.996, 1e-15) {
		t.Errorf("start %v, want .004 and 3.996", got)
	}
	for x, want := range map[float64]string{4: "", 5: "want 0 to 4", -1: "want 0 to 4"} {
		err := f.Posterior(p, pass.Block{Rows: sparse.FromDense([][]float64{{x, 1}}, 2, false)}, make([]float64, 1))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v successes of 4: %v", x, err)
		}
	}
}
