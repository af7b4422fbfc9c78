package tree

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/mixture"
)

// Three frequencies and a weight are what a split adds: 4, or with caution half of
// 4·log n. A split that gains just the penalty has no evidence.
func TestPenaltyByHand(t *testing.T) {
	b := &branch{n: 100, alone: mixture.New(mat.NewDense(3, 1, []float64{.2, .5, .7}), []float64{1})}
	for cautious, want := range map[bool]float64{false: 4, true: 2 * math.Log(100)} {
		g := &grower{s: Settings{Family: bernoulli.New(bernoulli.Options{}), Cautious: cautious}}
		if got := g.penalty(b); math.Abs(got-want) > 1e-12 {
			t.Errorf("cautious %v: penalty %v, want %v", cautious, got, want)
		}
	}
	if no, limit := refusal(Split{Gain: 4, Penalty: 4}), refusal(Split{Gain: 5, Penalty: 4}); no != "the records give no evidence of two groups" || limit != "the limit on the number of groups was reached" {
		t.Errorf("refused by %q and %q", no, limit)
	}
}
