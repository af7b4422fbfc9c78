package fit

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
)

// Topics of few documents go on from where many would end, and are likelier for it and
// nearer to the truth; a method that is asked for stays as it is.
func TestFewDocumentsGoToTheEnd(t *testing.T) {
	const k, words, n = 6, 600, 250
	r := stream.New(3, "test/few")
	truth := mat.NewDense(words, k, nil)
	for j := range k {
		total := 0.0
		for h := range words {
			v := 1 / float64(h+1)
			if h >= 30 { // words that all topics share come first
				v *= r.ExpFloat64() * r.ExpFloat64() * r.ExpFloat64() / 2
			}
			truth.Set(h, j, v)
			total += v
		}
		for h := range words {
			truth.Set(h, j, truth.At(h, j)/total)
		}
	}
	fam, err := lda.New(lda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(truth, []float64{1. / k, 1. / k, 1. / k, 1. / k, 1. / k, 1. / k})
	s := Settings{K: k, Seed: 1, Workers: 1}
	drawn, err := fam.Sample(s.concentrated(fam, p), r, n, family.Shape{Lengths: []int{60, 80, 100}})
	if err != nil {
		t.Fatal(err)
	}
	data := documentsOf(drawn.Rows)
	s.Spec = Auto(data, false)
	st, err := search(t.Context(), fam, data.Run, s)
	if err != nil {
		t.Fatal(err)
	}
	first, err := refine.EM(t.Context(), fam, data.Run, st.candidates[0], refine.Options{}.Within(fam.Info().EM))
	if err != nil {
		t.Fatal(err)
	}
	if first, err = refine.Steps(t.Context(), fam, data.Run, first.Params, 0, refine.Options{}); err != nil {
		t.Fatal(err)
	}
	done, err := refined(t.Context(), fam, data.Run, st, s)
	if err != nil {
		t.Fatal(err)
	}
	gain, before, after := done.Objective()-first.Objective(), apart(truth, first.Params.Centers), apart(truth, done.Params.Centers)
	if gain < 50 || after > .9*before {
		t.Errorf("likelier by %.0f nats; distance from the topics %.3f, before %.3f", gain, after, before)
	}
	s.Method = "tpm"
	if few, err := s.mixesFew(t.Context(), fam, data.Run); few || err != nil {
		t.Errorf("a method that was asked for is not left alone (%v)", err)
	}
}

// apart is the mean distance of each topic from the nearest of those found, in L1.
func apart(truth, found *mat.Dense) float64 {
	d, k := truth.Dims()
	sum := 0.0
	for j := range k {
		least := 2.0
		for i := range k {
			v := 0.0
			for h := range d {
				v += max(truth.At(h, j)-found.At(h, i), found.At(h, i)-truth.At(h, j))
			}
			least = min(least, v)
		}
		sum += least / float64(k)
	}
	return sum
}
