package lda_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// small is a model of two topics over three words, small enough to list all
// topics of all words of a document.
func small() mixture.Params {
	return mixture.New(mat.NewDense(3, 2, []float64{.7, .1, .2, .3, .1, .6}), []float64{.6, .4}).
		With(lda.Alpha, mat.NewDense(2, 1, []float64{.9, .6}))
}

// enumerate returns the probability of the words in their order and the
// posterior mean of the mixture, by listing the topics of all words.
func enumerate(p mixture.Params, words []int) (prob float64, mean []float64) {
	k := p.K()
	alpha, a0 := make([]float64, k), 0.0
	for j := range alpha {
		alpha[j] = p.Extra[lda.Alpha].At(j, 0)
		a0 += alpha[j]
	}
	mean = make([]float64, k)
	topics := make([]int, len(words))
	for {
		v, count := 1.0, make([]float64, k)
		for i, j := range topics {
			v *= p.Centers.At(words[i], j) * (alpha[j] + count[j]) / (a0 + float64(i))
			count[j]++
		}
		prob += v
		for j := range mean {
			mean[j] += v * (count[j] + alpha[j]) / (float64(len(words)) + a0)
		}
		i := 0
		for i < len(topics) && topics[i] == k-1 {
			topics[i] = 0
			i++
		}
		if i == len(topics) {
			break
		}
		topics[i]++
	}
	for j := range mean {
		mean[j] /= prob
	}
	return prob, mean
}

var smallDocuments = [][]float64{{3, 0, 1}, {0, 0, 4}, {2, 2, 2}, {0, 1, 0}, {6, 1, 0}}

func wordsOf(row []float64) (words []int, orders float64) {
	orders = 1
	for h, v := range row {
		for i := range int(v) {
			words = append(words, h)
			orders *= float64(len(words)) / float64(i+1)
		}
	}
	return words, orders
}

// The density is a lower bound of the true one, and a close one.
func TestLogDensityBounds(t *testing.T) {
	f, p := newFamily(t, lda.Options{}), small()
	b := pass.Block{Rows: sparse.FromDense(smallDocuments, 3, false)}
	got := make([]float64, len(smallDocuments))
	if err := f.LogDensity(p, b, got); err != nil {
		t.Fatal(err)
	}
	const loose = 0.5 // nats that the mean field may lose on a handful of words
	for i, row := range smallDocuments {
		words, orders := wordsOf(row)
		prob, _ := enumerate(p, words)
		if want := math.Log(prob * orders); got[i] > want+1e-12 || got[i] < want-loose {
			t.Errorf("document %v: bound %v, log probability %v", row, got[i], want)
		}
	}
}

// Gibbs sampling meets the true posterior mean; the variational mean is near.
func TestMixtureAgreesWithEnumeration(t *testing.T) {
	f, p := newFamily(t, lda.Options{}), small()
	run := pass.NewLocal(sparse.FromDense(smallDocuments, 3, false), 1)
	for _, c := range []struct {
		name string
		how  lda.Inference
		tol  float64
	}{
		{"gibbs", lda.Inference{Method: lda.Gibbs, Seed: 4, Sweeps: 40000}, .01}, // some standard errors of correlated draws
		{"variational", lda.Inference{}, .1},                                     // a few words only: the mean field is rough
	} {
		got, err := f.Mixture(context.Background(), run, p, c.how)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range smallDocuments {
			words, _ := wordsOf(row)
			_, mean := enumerate(p, words)
			for j, m := range mean {
				near(t, c.name, got[i*2+j], m, c.tol)
			}
		}
	}
}

// A document of any length is sampled in no time, as one of the same proportions.
func TestGibbsOfHugeCounts(t *testing.T) {
	f, p := newFamily(t, lda.Options{}), small()
	run := pass.NewLocal(sparse.FromDense([][]float64{{5.5e3, 2.25e3, 2.25e3}, {5.5e14, 2.25e14, 2.25e14}}, 3, false), 1)
	got, err := f.Mixture(context.Background(), run, p, lda.Inference{Method: lda.Gibbs})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "share of the first topic", got[0], .75, .01)
	near(t, "share in the longer document", got[2], .75, .01)
}

// Half of a long document is one word, half are words that it has once each: so it is sampled.
func TestGibbsOfLongDocuments(t *testing.T) {
	const rare = 100_000
	centers, row := mat.NewDense(rare+1, 2, nil), make([]float64, rare+1)
	for h := range rare {
		centers.Set(h, 0, 1./rare)
		row[h] = 1
	}
	centers.Set(rare, 1, 1)
	row[rare] = rare
	p := mixture.New(centers, []float64{.5, .5}).With(lda.Alpha, mat.NewDense(2, 1, []float64{1, 1}))
	run := pass.NewLocal(sparse.FromDense([][]float64{row}, rare+1, false), 1)
	got, err := newFamily(t, lda.Options{}).Mixture(t.Context(), run, p, lda.Inference{Method: lda.Gibbs, Sweeps: 1, Burn: 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "share of the rare words", got[0], .5, .02) // 4 errors of 10,000 words
}

func TestMixtureOfNothing(t *testing.T) {
	p := small()
	for j := range 2 { // word 2 is unknown to the model
		p.Centers.Set(0, j, p.Centers.At(0, j)+p.Centers.At(1, j))
		p.Centers.Set(1, j, 0)
	}
	f := newFamily(t, lda.Options{})
	run := pass.NewLocal(sparse.FromDense([][]float64{{0, 0, 0}, {0, 5, 0}}, 3, false), 1)
	for _, m := range []lda.Method{lda.Variational, lda.Gibbs} {
		got, err := f.Mixture(context.Background(), run, p, lda.Inference{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			near(t, "mixture of no known word", v, p.Weights[i%2], 1e-12)
		}
	}
	logp := make([]float64, 2)
	if err := f.LogDensity(p, pass.Block{Rows: run.Rows()}, logp); err != nil {
		t.Fatal(err)
	}
	if numtest.Off(logp[0], 0, 1e-12) || !(logp[1] < -100) || math.IsInf(logp[1], 0) {
		t.Errorf("log densities of nothing and of unknown words: %v", logp)
	}
}

// The place of a document is the largest share of its mixture.
func TestPlaces(t *testing.T) {
	f, p := newFamily(t, lda.Options{}), small()
	b := pass.Block{Rows: sparse.FromDense(append(smallDocuments, []float64{0, 0, 0}), 3, false)}
	n := b.Rows.N()
	places, err := f.Places(p)
	if err != nil {
		t.Fatal(err)
	}
	group, probability, mixtures := make([]int32, n), make([]float32, n), make([]float64, 2*n)
	if err := places(b, group, probability); err != nil {
		t.Fatal(err)
	}
	if err := f.Posterior(p, b, mixtures); err != nil {
		t.Fatal(err)
	}
	for i, g := range group {
		if m := mixtures[2*i:][:2]; m[1-g] > m[g] || probability[i] != float32(m[g]) {
			t.Errorf("document %d with mixture %v is placed in %d with %v", i+1, m, g+1, probability[i])
		}
	}
}

// Each document has its own stream: workers do not matter, nor does the seed
// of others.
func TestMixtureWorkers(t *testing.T) {
	f, p := newFamily(t, lda.Options{}), topics()
	n := 2*pass.BlockRecords + 100
	draw, err := f.Sample(p, stream.New(1, "workers"), n, family.Shape{Lengths: []int{4, 9}})
	if err != nil {
		t.Fatal(err)
	}
	how := lda.Inference{Method: lda.Gibbs, Seed: 9, Burn: 2, Sweeps: 3}
	one, err := f.Mixture(context.Background(), draw.Runner(1), p, how)
	if err != nil {
		t.Fatal(err)
	}
	eight, err := f.Mixture(context.Background(), draw.Runner(8), p, how)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range one {
		if eight[i] != v {
			t.Fatalf("number %d: %v with 8 workers, %v with one", i, eight[i], v)
		}
	}
}

// A stride leaves legal topics, further on the way of the M-step, and does not
// touch its arguments.
func TestOverRelax(t *testing.T) {
	f, old, next := newFamily(t, lda.Options{}), topics(), topics()
	moved := []float64{.02, -.01, 0, .01, -.02, 0} // of topic 1; word 6 is rare
	for h, v := range moved {
		next.Centers.Set(h, 0, old.Centers.At(h, 0)+v)
	}
	next.Centers.Set(5, 1, 0) // a word that topic 2 gives up
	next.Centers.Set(4, 1, .1)
	far := f.Info().EM.OverRelax(old, next)
	if err := f.Check(far); err != nil {
		t.Fatal(err)
	}
	for h, v := range moved {
		if got := far.Centers.At(h, 0) - old.Centers.At(h, 0); got*v < 0 || math.Abs(got) < math.Abs(v) {
			t.Errorf("word %d went %v, the M-step %v", h+1, got, v)
		}
	}
	if far.Centers.At(5, 1) != 0 || far.Centers.At(4, 1) <= .1 {
		t.Errorf("topic 2 after the stride: %v and %v", far.Centers.At(4, 1), far.Centers.At(5, 1))
	}
	if next.Centers.At(0, 0) != old.Centers.At(0, 0)+.02 {
		t.Error("the stride changed its argument")
	}
}

func TestIllegalSettings(t *testing.T) {
	for _, o := range []lda.Options{{Alpha0: -1}, {Alpha0: math.Inf(1)}, {Weights: "heavy"}, {Alpha: "some"}, {L0: math.NaN()}} {
		if _, err := lda.New(o); err == nil {
			t.Errorf("options %+v were accepted", o)
		}
	}
	f, p := newFamily(t, lda.Options{}), small()
	bad := pass.Block{First: 41, Rows: sparse.Rows{Dim: 3, Dense: []float64{1, -2, 0}}}
	if err := f.Posterior(p, bad, make([]float64, 2)); err == nil || err.Error() != "lda: record 42: count of word 2 is -2: word counts must be numbers >= 0" {
		t.Errorf("a negative count: %v", err)
	}
	if err := f.MixtureBlock(p, bad, lda.Inference{Method: 7}, make([]float64, 2)); err == nil {
		t.Error("an unknown method was accepted")
	}
}

// Sparse and dense rows are the same documents.
func TestDenseRows(t *testing.T) {
	f, p := newFamily(t, lda.Options{}), small()
	dense := sparse.Rows{Dim: 3}
	for _, row := range smallDocuments {
		dense.Dense = append(dense.Dense, row...)
	}
	a, b := make([]float64, len(smallDocuments)*2), make([]float64, len(smallDocuments)*2)
	if err := f.Posterior(p, pass.Block{Rows: dense}, a); err != nil {
		t.Fatal(err)
	}
	if err := f.Posterior(p, pass.Block{Rows: sparse.FromDense(smallDocuments, 3, false)}, b); err != nil {
		t.Fatal(err)
	}
	for i, v := range a {
		if v != b[i] {
			t.Errorf("posterior %d: %v of dense rows, %v of sparse ones", i, v, b[i])
		}
	}
}
