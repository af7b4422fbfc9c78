package evaluate_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// tol is for sums of at most some hundred terms of order one.
const tol = 1e-12

func TestTopWords(t *testing.T) {
	m := mat.NewDense(4, 2, []float64{
		.1, .0,
		.4, .5,
		.4, .5,
		.1, .0,
	})
	want := [][]int{{1, 2, 0}, {1, 2}}
	if got := evaluate.TopWords(m, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("top words %v, want %v", got, want)
	}
}

func TestLookup(t *testing.T) {
	names := []string{"sea", "ship", "sky"}
	found, unknown := evaluate.Lookup([][]string{{"ship", "whale", "sea"}, {"whale", "sky"}}, func(w string) (int, bool) {
		i := slices.Index(names, w)
		return i, i >= 0
	})
	if !reflect.DeepEqual(found, [][]int{{1, 0}, {2}}) || !slices.Equal(unknown, []string{"whale"}) {
		t.Errorf("found %v, unknown %v", found, unknown)
	}
}

func TestDiversity(t *testing.T) {
	if got := evaluate.Diversity([][]int{{0, 1, 2}, {2, 3, 4}}); got != 5.0/6 {
		t.Errorf("diversity %v, want 5/6", got)
	}
	if evaluate.Diversity(nil) != 0 {
		t.Error("diversity of nothing")
	}
}

// By hand, for three words and two topics: shares of topic 1 are 3/4, 1/2, 1/3
// (ranks 3, 2, 1), its entries .6, .3, .1 (ranks 3, 2, 1); for topic 2 shares
// 1/4, 1/2, 2/3 (ranks 1, 2, 3) and entries .2, .3, .2: ranks 1½, 3, 1½.
func TestExclusivity(t *testing.T) {
	m := mat.NewDense(3, 2, []float64{.6, .2, .3, .3, .1, .2})
	frex := func(e, f float64) float64 { return 1 / (.7/(e/3) + .3/(f/3)) }
	want := []float64{(frex(3, 3) + frex(2, 2)) / 2, (frex(2, 3) + frex(1, 1.5)) / 2}
	numtest.Slices(t, "exclusivity", evaluate.Exclusivity(m, 2), want, tol)
	if m.At(0, 0) != .6 {
		t.Error("the topics were changed")
	}
}

// corpus returns random bags of words.
func corpus(n, d int) sparse.Rows {
	r := stream.New(4, "corpus")
	b := sparse.NewBuilder(d, false)
	for i := range n {
		var index []uint32
		for range 1 + r.IntN(6) {
			index = append(index, uint32((r.IntN(4)+i%3*2)%d))
		}
		if err := b.Add(index, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// The definitions, written out over all documents.
func plain(rows sparse.Rows, words []int) evaluate.Coherence {
	n := rows.N()
	has := func(i int, ws ...int) bool {
		for _, w := range ws {
			if rows.At(i, w) == 0 {
				return false
			}
		}
		return true
	}
	count := func(ws ...int) float64 {
		c := 0.0
		for i := range n {
			if has(i, ws...) {
				c++
			}
		}
		return c
	}
	npmi := func(a, b int) float64 {
		both := count(a, b) / float64(n)
		if both == 0 {
			return -1
		}
		return math.Log(both/(count(a)/float64(n)*count(b)/float64(n))) / -math.Log(both)
	}
	var c evaluate.Coherence
	l := len(words)
	sum := make([]float64, l)
	v := make([][]float64, l)
	for j := range words {
		v[j] = make([]float64, l)
		for i := range words {
			v[j][i] = npmi(words[j], words[i])
			sum[i] += v[j][i]
			if i < j {
				c.UMass += math.Log((count(words[i], words[j])+1)/count(words[i])) / float64(l*(l-1)/2)
				c.NPMI += npmi(words[i], words[j]) / float64(l*(l-1)/2)
			}
		}
	}
	for j := range words {
		ab, aa, bb := 0.0, 0.0, 0.0
		for i := range words {
			ab += v[j][i] * sum[i]
			aa += v[j][i] * v[j][i]
			bb += sum[i] * sum[i]
		}
		c.CV += ab / math.Sqrt(aa*bb) / float64(l)
	}
	c.Words = l
	return c
}

func TestCoherenceAgainstTwin(t *testing.T) {
	rows := corpus(300, 9)
	topics := [][]int{{3, 0, 2}, {8, 1, 2, 0, 7}, {4, 5}}
	rows.Dim = 10 // word 9 occurs nowhere
	got, err := evaluate.TopicCoherence(t.Context(), pass.NewLocal(rows, 2), append(topics, []int{4, 9, 5}), 0)
	if err != nil {
		t.Fatal(err)
	}
	for j, words := range topics {
		want := plain(rows, slices.DeleteFunc(slices.Clone(words), func(h int) bool { return df(rows, h) == 0 }))
		for name, v := range map[string][2]float64{"UMass": {got[j].UMass, want.UMass}, "NPMI": {got[j].NPMI, want.NPMI}, "C_v": {got[j].CV, want.CV}} {
			if numtest.Off(v[0], v[1], tol) {
				t.Errorf("topic %d: %s is %v, want %v", j, name, v[0], v[1])
			}
		}
	}
	last := got[3]
	if last.Missing != 1 || last.Words != 2 || last.UMass != got[2].UMass {
		t.Errorf("a word that occurs nowhere: %+v, want the scores of %+v", last, got[2])
	}
}

func df(rows sparse.Rows, h int) int {
	n := 0
	for i := range rows.N() {
		if rows.At(i, h) != 0 {
			n++
		}
	}
	return n
}

// Documents {0,1}, {0,1}, {0,2}, {3}: D(0)=3, D(1)=2, D(0,1)=2, D(0,2)=1.
func TestCoherenceByHand(t *testing.T) {
	rows := sparse.FromDense([][]float64{{2, 1, 0, 0}, {1, 1, 0, 0}, {1, 0, 5, 0}, {0, 0, 0, 1}}, 4, false)
	dense := sparse.Rows{Dim: 4, Dense: []float64{2, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 0, 0, 0, 0, 1}}
	for _, r := range []sparse.Rows{rows, dense} {
		got, err := evaluate.TopicCoherence(t.Context(), pass.NewLocal(r, 1), [][]int{{0, 1, 2}}, 0)
		if err != nil {
			t.Fatal(err)
		}
		umass := (math.Log(3.0/3) + math.Log(2.0/3) + math.Log(1.0/2)) / 3
		p01, p02 := math.Log(.5/(.75*.5))/-math.Log(.5), math.Log(.25/(.75*.25))/-math.Log(.25)
		numtest.Slices(t, "coherence", []float64{got[0].UMass, got[0].NPMI}, []float64{umass, (p01 + p02 - 1) / 3}, tol)
	}
	mean := evaluate.MeanCoherence([]evaluate.Coherence{{UMass: -2, NPMI: .5, CV: .25, Words: 3}, {UMass: -4, NPMI: -.5, CV: .75, Words: 2, Missing: 1}})
	if mean != (evaluate.Coherence{UMass: -3, CV: .5, Words: 5, Missing: 1}) {
		t.Errorf("mean %+v", mean)
	}
}

func TestCoherenceRefuses(t *testing.T) {
	run := pass.NewLocal(corpus(10, 9), 1)
	for _, topics := range [][][]int{nil, {{1, 9}}, {{-1}}, {{2, 3, 2}}} {
		if _, err := evaluate.TopicCoherence(t.Context(), run, topics, 0); err == nil {
			t.Errorf("topics %v accepted", topics)
		}
	}
}

// Words 0 and 1 stand in 20 documents each, 15 of them the same; 2 is in 3
// documents and 3 in 12, of which 2 have word 0. Below 11 nothing counts: 2 is
// missing, 0 and 3 never meet, and the 5 who have 0 and not 1 are not reported either;
// nor the 5 who lack word 4.
func TestCoherenceOfFew(t *testing.T) {
	var lists [][]float64
	for i := range 60 {
		row := make([]float64, 5)
		set := func(h, from, to int) {
			if i >= from && i < to {
				row[h] = 1
			}
		}
		set(0, 0, 20)
		set(1, 5, 25)
		set(2, 0, 3)
		set(3, 18, 30)
		set(4, 0, 55)
		lists = append(lists, row)
	}
	run := pass.NewLocal(sparse.FromDense(lists, 5, false), 1)
	got, err := evaluate.TopicCoherence(t.Context(), run, [][]int{{0, 1}, {0, 2}, {0, 3}, {4, 0}}, 11)
	if err != nil {
		t.Fatal(err)
	}
	together, apart := math.Log(21.0/20), math.Log(1.0/20)
	for i, want := range []evaluate.Coherence{{UMass: together, Words: 2}, {Words: 1, Missing: 1}, {UMass: apart, NPMI: -1, Words: 2}, {UMass: math.Log(21.0 / 60), Words: 2}} {
		if numtest.Off(got[i].UMass, want.UMass, tol) || got[i].Words != want.Words || got[i].Missing != want.Missing || want.NPMI != 0 && got[i].NPMI != want.NPMI {
			t.Errorf("topic %d: %+v, want %+v", i, got[i], want)
		}
	}
	if exact, err := evaluate.TopicCoherence(t.Context(), run, [][]int{{0, 1}}, 0); err != nil || numtest.Off(exact[0].UMass, math.Log(16.0/20), tol) {
		t.Errorf("without a limit: %+v (%v)", exact, err)
	}
}
