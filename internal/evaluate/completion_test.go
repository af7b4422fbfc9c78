package evaluate_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Uniform topics predict every word with probability 1/d, whatever the
// document.
func TestCompletionOfUniformTopics(t *testing.T) {
	rows := corpus(200, 9)
	topics := mat.NewDense(9, 2, nil)
	for i := range topics.RawMatrix().Data {
		topics.RawMatrix().Data[i] = 1.0 / 9
	}
	for _, one := range []bool{false, true} {
		p, err := evaluate.Completion(t.Context(), pass.NewLocal(rows, 2), topics, evaluate.CompletionOptions{OneTopic: one})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Slices(t, "perplexity", []float64{p.Perplexity}, []float64{9}, 1e-11)
		tokens, skipped := 0, 0
		for _, v := range rows.Totals() {
			tokens += int(v) / 2
			if v < 2 {
				skipped++
			}
		}
		if p.Tokens != tokens || p.Skipped != skipped || p.Documents != 200-skipped {
			t.Errorf("%+v, want %d tokens, %d skipped", p, tokens, skipped)
		}
	}
}

// A document of two equal words leaves nothing to chance: one token tells the
// mixture, the other is scored.
func TestCompletionByHand(t *testing.T) {
	rows := sparse.FromDense([][]float64{{2, 0}}, 2, false)
	topics := mat.NewDense(2, 2, []float64{.9, .2, .1, .8})
	smooth := 0.001
	a, b := .9*(1-smooth)+smooth/2, .2*(1-smooth)+smooth/2
	p, err := evaluate.Completion(t.Context(), pass.NewLocal(rows, 1), topics, evaluate.CompletionOptions{OneTopic: true, Prior: []float64{.3, .7}})
	if err != nil {
		t.Fatal(err)
	}
	want := math.Log((.3*a*a + .7*b*b) / (.3*a + .7*b))
	numtest.Slices(t, "one topic", []float64{p.LogLikelihood}, []float64{want}, tol)
	p, err = evaluate.Completion(t.Context(), pass.NewLocal(rows, 1), topics, evaluate.CompletionOptions{Prior: []float64{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	theta := .5 // fixed point of θ = (1 + θa/(θa+(1−θ)b))/3
	for range 1000 {
		theta = (1 + theta*a/(theta*a+(1-theta)*b)) / 3
	}
	const foldIn = 1e-5 // the mixture is found to 1e-6
	numtest.Slices(t, "mixture", []float64{p.LogLikelihood}, []float64{math.Log(theta*a + (1-theta)*b)}, foldIn)
}

// The truth predicts better than blurred topics, and one seed gives the same
// bits on any number of workers.
func TestCompletionPrefersTheTruth(t *testing.T) {
	set := synth.LDADocuments(1, 5000, 40, 4, 0.4, 0.1, 20)
	blurred := mat.DenseCopyOf(set.Truth.Centers)
	for i, v := range blurred.RawMatrix().Data {
		blurred.RawMatrix().Data[i] = .7*v + .3/40
	}
	o := evaluate.CompletionOptions{Seed: 8}
	var first float64
	for _, workers := range []int{1, 2, 8} {
		good, err := evaluate.Completion(t.Context(), pass.NewLocal(set.Rows, workers), set.Truth.Centers, o)
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			first = good.LogLikelihood
		}
		if good.LogLikelihood != first {
			t.Errorf("%d workers: %v, want %v", workers, good.LogLikelihood, first)
		}
	}
	bad, err := evaluate.Completion(t.Context(), pass.NewLocal(set.Rows, 0), blurred, o)
	if err != nil {
		t.Fatal(err)
	}
	if bad.LogLikelihood >= first {
		t.Errorf("blurred topics predict better: %v against %v", bad.LogLikelihood, first)
	}
}

func TestCompletionRefuses(t *testing.T) {
	topics := mat.NewDense(2, 1, []float64{.5, .5})
	short := pass.NewLocal(sparse.FromDense([][]float64{{1, 0}, {0, 0}}, 2, false), 1)
	shares := pass.NewLocal(sparse.FromDense([][]float64{{.5, .5}}, 2, false), 1)
	wide := pass.NewLocal(sparse.FromDense([][]float64{{1, 2, 3}}, 3, false), 1)
	for name, run := range map[string]pass.Runner{"documents of one word": short, "shares": shares, "another vocabulary": wide} {
		if _, err := evaluate.Completion(t.Context(), run, topics, evaluate.CompletionOptions{}); err == nil {
			t.Errorf("%s accepted", name)
		}
	}
	for _, o := range []evaluate.CompletionOptions{{Smooth: 2}, {Prior: []float64{1, 1}}, {Prior: []float64{math.NaN()}}} {
		if _, err := evaluate.Completion(t.Context(), short, topics, o); err == nil {
			t.Errorf("%+v accepted", o)
		}
	}
}

// A document with a word as often as one likes takes no time, and half of it is scored.
func TestCompletionOfHugeCounts(t *testing.T) {
	topics := mat.NewDense(2, 2, []float64{.9, .2, .1, .8})
	for _, huge := range []float64{3e5, 1e12, 1e15} {
		rows := sparse.FromDense([][]float64{{huge, 0}, {3, 4}}, 2, false)
		for _, one := range []bool{false, true} {
			p, err := evaluate.Completion(t.Context(), pass.NewLocal(rows, 1), topics, evaluate.CompletionOptions{OneTopic: one})
			if err != nil {
				t.Fatal(err)
			}
			if off := float64(p.Tokens) - huge/2; numtest.Off(off, 0, 3+3*math.Sqrt(huge)) {
				t.Errorf("%v words: %d are scored", huge, p.Tokens)
			}
		}
	}
}
