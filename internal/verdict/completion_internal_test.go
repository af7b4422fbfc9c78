package verdict

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// Every document is in one part and not among those that the part is scored by. Topics
// that know single documents too well predict better when drawn to the words of all.
func TestCompletionsOfFewDocuments(t *testing.T) {
	const n, words, k, folds = 120, 60, 4, 4
	r := stream.New(1, "test")
	b := &bag{cols: words}
	for range n {
		count := make([]float32, words)
		for range 30 {
			count[int(words*r.Float64()*r.Float64())]++
		}
		var index []uint32
		var value []float32
		for j, v := range count {
			if v > 0 {
				index, value = append(index, uint32(j)), append(value, v)
			}
		}
		b.add(index, value)
	}
	c := newCompletions(b, folds, 1, b.places.chances("verdict/completion", 1, 0, nil))
	var all []int
	fits := make([]*explanation, folds)
	for p, train := range c.train {
		all = append(all, c.parts[p]...)
		if train.n()+len(c.parts[p]) != n || c.learned[p] != sum(train.size) {
			t.Fatalf("part %d of %d documents is scored by %d", p, len(c.parts[p]), train.n())
		}
		f := &explanation{k: k, words: make([]float64, words*k), prior: []float64{1, 1, 1, 1}, mixes: true}
		for j := range k { // the words of eight documents
			one := train.pick([]int{8 * j, 8*j + 1, 8*j + 2, 8*j + 3, 8*j + 4, 8*j + 5, 8*j + 6, 8*j + 7})
			for h, v := range one.overall() {
				f.words[h*k+j] = v
			}
		}
		fits[p] = f
	}
	slices.Sort(all)
	for i, v := range all {
		if i != v {
			t.Fatalf("document %d is in no part or in two", i)
		}
	}
	plain, pulled := sum(c.score(fits)), sum(c.pulled(fits))
	if !(pulled > plain+10) || math.IsNaN(pulled) {
		t.Errorf("drawn to all words: %.1f nats, before %.1f", pulled, plain)
	}
}

// No two pasts of a predictor share a number, few symbols or many: what was seen after
// one would be expected after the other.
func TestPastsStayApart(t *testing.T) {
	for _, dim := range []int{1, 2, 5, 40} {
		seen := map[int64]past{}
		l := inSeason(int64(dim) + 2)
		for last := range dim + 2 {
			for period := range mostDates {
				p := past{period: period, last: [3]int{last}}
				of := l.of(p)
				if was, ok := seen[of]; ok || of < 0 || of >= l.pasts {
					t.Fatalf("%d symbols: %v and %v are both number %d of %d", dim, was, p, of, l.pasts)
				}
				seen[of] = p
			}
		}
	}
}
