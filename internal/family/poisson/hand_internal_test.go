package poisson

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// The prior holds one count a feature at least: of .1 and .3 counts a record that
// is five records' worth.
func TestStrengthByHand(t *testing.T) {
	for _, c := range []struct {
		mean   []float64
		pseudo float64
		want   float64
	}{{[]float64{.1, .3}, 1, 5}, {[]float64{.1, .3}, 2, 10}, {[]float64{3, 1}, 1, 1}, {[]float64{0, 0}, 1, 1}} {
		if got := strength(c.mean, c.pseudo); got != c.want {
			t.Errorf("means %v, pseudo %v: %v records, want %v", c.mean, c.pseudo, got, c.want)
		}
	}
}

// averages are moments of which the means alone are asked.
type averages struct {
	moment.Source
	mean []float64
}

func (a averages) First(context.Context) ([]float64, error) { return a.mean, nil }

// A start has at least a hundredth of the mean of each feature.
func TestStartByHand(t *testing.T) {
	raw := mixture.New(mat.NewDense(1, 3, []float64{-1, 0, 5}), []float64{.2, .3, .5})
	p, _, err := New().Normalise(context.Background(), averages{mean: []float64{2}}, raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Centers.RawRowView(0); got[0] != .02 || got[1] != .02 || got[2] != 5 {
		t.Errorf("start %v, want .02, .02, 5", got)
	}
}
