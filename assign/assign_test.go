package assign_test

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/agree"
	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/family/bernoulli"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/synth"
)

func TestAllPlacesEveryRecord(t *testing.T) {
	set := synth.ExponentialBernoulli(2, 2*pass.BlockRecords+77, 40, 3, synth.UniformWeights)
	f := bernoulli.New(bernoulli.Options{})
	a, err := assign.All(context.Background(), f, set.Truth, pass.NewLocal(set.Rows, 2), set.Rows.N())
	if err != nil {
		t.Fatal(err)
	}
	ari, err := agree.ARI(a.Labels(), set.Labels)
	if err != nil || ari < .85 {
		t.Errorf("ARI of the true parameters %.3f (%v)", ari, err)
	}
	sum := 0.0
	for _, s := range a.Share() {
		sum += s
	}
	if sum < 1-1e-12 || sum > 1+1e-12 {
		t.Errorf("shares add up to %v", sum)
	}
	for i, p := range a.Probability {
		if p < 1/float32(a.K)-1e-6 || p > 1 {
			t.Fatalf("record %d: probability %v of the best of %d groups", i, p, a.K)
		}
		if d := a.Doubt(i); d < 0 || d > 1+1e-6 {
			t.Fatalf("record %d: doubt %v", i, d)
		}
	}
}

func TestBestTakesTheFirstOfEquals(t *testing.T) {
	if got := assign.Best([]float64{.2, .4, .4}); got != 1 {
		t.Errorf("got %d, want 1", got)
	}
}

func TestSingleGroupIsCertain(t *testing.T) {
	a := assign.Assignment{K: 1, Group: []int32{0}, Probability: []float32{1}}
	if a.Doubt(0) != 0 {
		t.Errorf("doubt %v, want 0", a.Doubt(0))
	}
}
