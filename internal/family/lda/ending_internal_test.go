package lda

import (
	"context"
	"errors"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// Documents take long: a block of them is left as soon as nobody waits for it any more,
// whichever way they are inferred.
func TestBlocksAreLeft(t *testing.T) {
	const looks = 10
	set := synth.Corpus(7, 1000, 200, 6, true)
	for name, o := range map[string]Options{"variational": {}, "gibbs": {Inference: Inference{Method: Gibbs, Burn: 1, Sweeps: 1}}} {
		f, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		k := set.Truth.K()
		theta := make([]float64, set.Rows.N()*k)
		_, err = pass.NewLocal(set.Rows, 1).Own(numtest.EndsAfter(t.Context(), looks), func(b pass.Block) error {
			return f.Posterior(set.Truth, b, theta)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		placed := 0
		for i := range set.Rows.N() {
			if theta[i*k] > 0 {
				placed++
			}
		}
		if placed == 0 || placed > looks*group {
			t.Errorf("%s: %d documents were placed", name, placed)
		}
	}
}
