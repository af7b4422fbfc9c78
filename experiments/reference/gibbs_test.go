package reference_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/sparse"
)

func synthRand() *rand.Rand { return stream.New(11, "reference/test") }

// The mean L1 error of the matched topics; sampling is consistent here, and
// the error of the best possible estimate at this size is about 0.1.
func TestGibbsFindsTopics(t *testing.T) {
	set := synth.LDADocuments(3, 200, 60, 4, 0.4, 0.1, 60)
	r, err := reference.GibbsLDA(t.Context(), set.Rows, 4, reference.GibbsOptions{Seed: 1, Sweeps: 200, Samples: 5, Eta: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	match, err := agree.Columns(set.Truth.Centers, r.Topics)
	if err != nil {
		t.Fatal(err)
	}
	far := 0.0
	for j, to := range match {
		for h := range 60 {
			far += math.Abs(r.Topics.At(h, to)-set.Truth.Centers.At(h, j)) / 4
		}
	}
	if !(far <= 0.15) {
		t.Errorf("topics are off by %.3f in L1", far)
	}
	far = 0
	for i := range 200 {
		for j, to := range match {
			far += math.Abs(r.Theta.At(i, to)-set.Theta.At(i, j)) / 200
		}
	}
	if !(far <= 0.25) { // 60 words tell a mixture to about 0.2
		t.Errorf("mixtures are off by %.3f in L1", far)
	}
	sums(t, r.Topics.T())
	sums(t, r.Theta)
}

// sums checks that every row adds up to one.
func sums(t *testing.T, m mat.Matrix) {
	t.Helper()
	n, _ := m.Dims()
	got, want := make([]float64, n), make([]float64, n)
	for i := range n {
		got[i], want[i] = mat.Sum(mat.DenseCopyOf(m).RowView(i)), 1
	}
	numtest.Slices(t, "sums of distributions", got, want, 1e-12)
}

// With two tokens the sampler's law is known: documents "a" and "b" of one word
// each share a topic with probability p(same)/(p(same)+p(different)).
func TestGibbsLaw(t *testing.T) {
	rows := sparse.FromDense([][]float64{{1, 0}, {0, 1}}, 2, false)
	const alpha, eta, k, tries = 0.5, 0.7, 2, 4000
	same := 0
	for s := range tries {
		r, err := reference.GibbsLDA(t.Context(), rows, k, reference.GibbsOptions{Seed: uint64(s), Alpha: alpha, Eta: eta, Sweeps: 12})
		if err != nil {
			t.Fatal(err)
		}
		if r.Labels[0] == r.Labels[1] {
			same++
		}
	}
	// Up to a common factor p(words | topics) is 1/(2η)² apart, and
	// η²/(2η(2η+1)) together; documents are independent of one another.
	apart, together := (eta/(2*eta))*(eta/(2*eta)), eta*eta/(2*eta*(2*eta+1))
	want := together / (together + apart)
	if got := float64(same) / tries; numtest.Off(got, want, 0.025) { // three standard errors
		t.Errorf("the two words share a topic in %.3f of the runs, want %.3f", got, want)
	}
}

func TestGibbsRefuses(t *testing.T) {
	shares := sparse.FromDense([][]float64{{0.5, 0.5}}, 2, false)
	if _, err := reference.GibbsLDA(t.Context(), shares, 2, reference.GibbsOptions{}); err == nil {
		t.Error("shares of words accepted")
	}
	ok := sparse.FromDense([][]float64{{2, 1}}, 2, false)
	if _, err := reference.GibbsLDA(t.Context(), ok, 2, reference.GibbsOptions{Alpha: -1}); err == nil {
		t.Error("negative prior accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reference.GibbsLDA(ctx, ok, 2, reference.GibbsOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
