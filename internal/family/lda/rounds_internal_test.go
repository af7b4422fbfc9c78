package lda

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// plainly is the definition of infer: every topic moves in every round.
func plainly(e *engine, doc *document, gamma []float64) {
	for j, a := range e.alpha {
		gamma[j] = a + doc.total/float64(e.k)
	}
	for range mostRounds {
		acc, et := make([]float64, e.k), make([]float64, e.k)
		for j, g := range gamma {
			et[j] = math.Exp(digamma(g))
		}
		for w, h := range doc.words.Index()[:doc.n] {
			sum := tiny
			for j, b := range e.row(int(h)) {
				sum += b * et[j]
			}
			for j, b := range e.row(int(h)) {
				acc[j] += float64(doc.x[w]) * b / sum
			}
		}
		change := 0.0
		for j, a := range e.alpha {
			g := a + et[j]*acc[j]
			change += math.Abs(g - gamma[j])
			gamma[j] = g
		}
		if change <= roundTol*doc.total {
			return
		}
	}
}

// infer is inference of one document to the end.
func infer(e *engine, doc *document) {
	e.iterate([]*document{doc}, true)
	e.finish(doc)
}

// Naps, float32 and rounds that go further move the end of the fixed point by
// about its own tolerance, a few rounds more or less, and their bounds differ by
// its square. A document between two maxima may end on the other one: few do, on
// no worse ones.
const (
	napTol    = 50 * roundTol
	boundTol  = 1e-4
	elsewhere = 0.08
)

func TestInferTwin(t *testing.T) {
	for _, k := range []int{1, 3, 4, 5, 10, 40} {
		const n = 100
		set := synth.Corpus(3, n, 300, k, true)
		e, err := newEngine(set.Truth, new(spaces), topics.Crew{})
		if err != nil {
			t.Fatal(err)
		}
		doc, gamma := e.newDocument(), make([]float64, k)
		others, gain := 0, 0.0
		for i := range n {
			if err := e.load(doc, set.Rows, i); err != nil {
				t.Fatal(err)
			}
			plainly(e, doc, gamma)
			infer(e, doc)
			off := 0.0
			for j, g := range doc.gamma {
				off += math.Abs(g - gamma[j])
			}
			got := e.bound(doc)
			copy(doc.gamma, gamma)
			want := e.bound(doc)
			gain += got - want
			switch {
			case !(off <= napTol*doc.total):
				others++
			case numtest.Off(got, want, boundTol*math.Abs(want)):
				t.Errorf("%d topics, document %d: bound %v, want %v", k, i, got, want)
			}
		}
		if others > elsewhere*n || gain < -1 {
			t.Errorf("%d topics: %d of %d documents end elsewhere, their bounds higher by %v", k, others, n, gain)
		}
	}
}

// The bound of the E-step is that of its own φ and γ, and nearly that of the
// best φ once the rounds have settled; for any size of α.
func TestStepBound(t *testing.T) {
	for _, size := range []float64{1, 1e-3, 1e5} {
		set := synth.Corpus(5, 50, 300, 12, true)
		e, err := newEngine(set.Truth.With(Alpha, scaledAlpha(set.Truth, size)), new(spaces), topics.Crew{})
		if err != nil {
			t.Fatal(err)
		}
		doc := e.newDocument()
		for i := range set.Rows.N() {
			if err := e.load(doc, set.Rows, i); err != nil {
				t.Fatal(err)
			}
			infer(e, doc)
			sum := 0.0
			for _, g := range doc.gamma {
				sum += g
			}
			if off := math.Abs(sum - e.alpha0 - doc.total); !(off <= roundTol*doc.total) {
				t.Errorf("α times %v, document %d: γ sums up to %v, want %v", size, i, sum, e.alpha0+doc.total)
			}
			e.measure(i, doc)
			got, want := doc.bound, e.bound(doc)
			if numtest.Off(got, want, 1e-6*math.Abs(want)) {
				t.Errorf("α times %v, document %d: bound %v, with the best φ %v", size, i, got, want)
			}
		}
	}
}

// countsTol is what sums of a block in float32 lose: some hundred roundings.
const countsTol = 2e-5

// The quick E-step adds up what the other does.
func TestQuickStep(t *testing.T) {
	set := synth.Corpus(8, 3000, 200, 12, true)
	f, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var states [2][]float64
	for i, exact := range []bool{true, false} {
		sum, err := f.EStep(set.Truth, exact)
		if err != nil {
			t.Fatal(err)
		}
		states[i] = make([]float64, sum.Len())
		if err := sum.Add(states[i], pass.Block{Rows: set.Rows}); err != nil {
			t.Fatal(err)
		}
	}
	want, got := states[0], states[1]
	for i, v := range want {
		if numtest.Off(got[i], v, countsTol*math.Abs(v)) {
			t.Errorf("number %d of the state: %v, want %v", i, got[i], v)
		}
		if i < stateHeads+12 && got[i] != v {
			t.Errorf("number %d of the state, %v, differs: %v", i, v, got[i])
		}
	}
}

func scaledAlpha(p mixture.Params, by float64) *mat.Dense {
	var out mat.Dense
	out.Scale(by, p.Extra[Alpha])
	return &out
}

// The bound by its definition, with a logarithm a word and nothing left out.
func TestBoundTwin(t *testing.T) {
	set := synth.Corpus(4, 30, 300, 6, true)
	e, err := newEngine(set.Truth, new(spaces), topics.Crew{})
	if err != nil {
		t.Fatal(err)
	}
	doc := e.newDocument()
	for i := range set.Rows.N() {
		if err := e.load(doc, set.Rows, i); err != nil {
			t.Fatal(err)
		}
		infer(e, doc)
		sum, want := e.alpha0+doc.total, logGamma(e.alpha0)
		want -= logGamma(sum)
		for j, g := range doc.gamma {
			want += logGamma(g) - logGamma(e.alpha[j]) + (e.alpha[j]-g)*(digamma(g)-digamma(sum))
		}
		for w, h := range doc.words.Index()[:doc.n] {
			p := 0.0
			for j, b := range e.row(int(h)) {
				p += b * math.Exp(digamma(doc.gamma[j])-digamma(sum))
			}
			want += float64(doc.x[w]) * math.Log(p)
		}
		if got := e.bound(doc); numtest.Off(got, want, 1e-11*math.Abs(want)) {
			t.Errorf("document %d: bound %v, want %v", i, got, want)
		}
	}
}

func TestBracketFindsTheLeast(t *testing.T) {
	for _, least := range []float64{-1.1, 0.3, 2, 3.9} {
		f := func(x float64) float64 { return 1 + math.Cosh(x-least) + 0.1*math.Pow(x-least, 3) }
		b, calls := bracket{}, 0
		for x := -1.6; x < 4; x += 1.1 {
			b.add(x, f(x))
		}
		for x, ok := b.next(); ok; x, ok = b.next() {
			b.add(x, f(x))
			calls++
		}
		if got := b.x[b.best()]; numtest.Off(got, least, 2*logTol) || calls > 12 {
			t.Errorf("least at %v after %d calls, want %v", got, calls, least)
		}
	}
}

// The criterion of α0 is nearly a parabola in α0: few looks are enough.
func TestBracketKnowsParabolas(t *testing.T) {
	for _, least := range []float64{0.5, 1, 4} {
		f := func(x float64) float64 { return 1 + math.Pow(math.Exp(x)-least, 2) }
		b, calls := bracket{}, 0
		for x := -1.6; x < 2; x += 1.1 {
			b.add(x, f(x))
		}
		for x, ok := b.next(); ok; x, ok = b.next() {
			if at := b.add(x, f(x)); b.nearest(x) != at {
				t.Errorf("the nearest to a measured place is another: %d, want %d", b.nearest(x), at)
			}
			calls++
		}
		if got := b.x[b.best()]; numtest.Off(got, math.Log(least), 1e-9) || calls > 3 {
			t.Errorf("least at %v after %d calls, want %v", math.Exp(got), calls, least)
		}
	}
}
