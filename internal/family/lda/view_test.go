package lda_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// hidden is a source of which nobody sees that it has records, so that no
// sample of them is taken.
type hidden struct{ moment.Source }

// oneScanLoss is how much larger L1 may be than with the subspace settled by
// several scans: a fiftieth.
const oneScanLoss = 1.02

// Few topics are learned from a sample and one scan as well as from several
// scans.
func TestOneScanIsEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: learns models of 10,000 documents")
	}
	const n, k, seeds = 10_000, 10, 3
	one, several := 0.0, 0.0
	for seed := range uint64(seeds) {
		set := synth.LDADocuments(seed, n, 1000, k, 1, .05, 100)
		bag, err := moment.Documents{}.Source(t.Context(), pass.NewLocal(set.Rows, 0), k)
		if err != nil {
			t.Fatal(err)
		}
		one += fromMoments(t, bag, set.Truth.Centers) / seeds
		several += fromMoments(t, hidden{bag}, set.Truth.Centers) / seeds
	}
	t.Logf("L1 %.4f from one scan, %.4f from several", one, several)
	if one > oneScanLoss*several {
		t.Errorf("L1 %.4f from one scan, %.4f from several", one, several)
	}
}

// fromMoments returns the L1 error of topics learned from raw moments.
func fromMoments(t *testing.T, bag moment.Source, truth *mat.Dense) float64 {
	t.Helper()
	_, k := truth.Dims()
	src, err := lda.EstimateSource(t.Context(), bag, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := decompose.Auto(t.Context(), src, k, decompose.Options{BestOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	l1, _ := meanL1(t, truth, raw.Params.Centers)
	return l1
}
