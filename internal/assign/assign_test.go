package assign_test

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

func TestAllPlacesEveryRecord(t *testing.T) {
	set := synth.ExponentialBernoulli(2, 2*pass.BlockRecords+77, 40, 3, synth.UniformWeights)
	f := bernoulli.New(bernoulli.Options{})
	a, err := assign.All(context.Background(), f, set.Truth, pass.NewLocal(set.Rows, 2))
	if err != nil {
		t.Fatal(err)
	}
	ari, err := agree.ARI(a.Labels(), set.Labels)
	if err != nil || ari < .85 {
		t.Errorf("ARI of the true parameters %.3f (%v)", ari, err)
	}
	for i, p := range a.Probability {
		if p < 1/float32(a.K)-1e-6 || p > 1 {
			t.Fatalf("record %d: probability %v of the best of %d groups", i, p, a.K)
		}
	}
}

func TestBestTakesTheFirstOfEquals(t *testing.T) {
	if got := assign.Best([]float64{.2, .4, .4}); got != 1 {
		t.Errorf("got %d, want 1", got)
	}
}

// The shares of documents are the same over blocks of any size.
func TestWeighedOverOtherBlocks(t *testing.T) {
	set := synth.Corpus(2, 1000, 40, 3, true)
	f, err := lda.New(lda.Options{Alpha0: 1})
	if err != nil {
		t.Fatal(err)
	}
	whole := pass.NewLocal(set.Rows, 2)
	small, err := pass.Copy(t.Context(), whole, func(int) bool { return true }) // two blocks
	if err != nil {
		t.Fatal(err)
	}
	_, want, err := assign.Weighed(t.Context(), f, set.Truth, whole)
	_, got, err2 := assign.Weighed(t.Context(), f, set.Truth, small)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for j := range want.Words {
		if numtest.Off(got.Words[j], want.Words[j], 1e-12) || numtest.Off(got.Documents[j], want.Documents[j], 1e-12) {
			t.Errorf("topic %d: %v of the words, want %v", j, got.Words[j], want.Words[j])
		}
	}
}
