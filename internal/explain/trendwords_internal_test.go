package explain

import (
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// rising are the sums of one word of one topic in six periods of five documents of two words
// each, of which so many are the word: no document has it twice.
func rising(times ...float64) *wordSums {
	w := &wordSums{periods: len(times), word: [][]float64{times}}
	n := len(times)
	w.docs, w.all, w.square = table[float64](1, n), table[float64](1, n), table[float64](1, n)
	w.own, w.both = [][]float64{times}, table[float64](1, n)
	for p, x := range times {
		w.docs[0][p], w.all[0][p], w.square[0][p], w.both[0][p] = 5, 10, 20, 2*x
	}
	return w
}

// A word's first and last share are those of the first and the last third of the time, and its
// share in a period is that of its occurrences.
func TestTrendWordByHand(t *testing.T) {
	for _, c := range []struct {
		times       []float64
		first, last float64
		rises       bool
	}{
		{[]float64{0, 1, 2, 2, 3, 5}, .05, .4, true},
		{[]float64{5, 4, 2, 2, 1, 1}, .45, .1, false},
		{[]float64{1, 2, 3}, .1, .3, true},
	} {
		x, size := (&builder{}).trendWord(rising(c.times...), 0, 0)
		if size <= 0 || x.Rises != c.rises || numtest.Off(x.First.Or(-1), c.first, 1e-12) || numtest.Off(x.Last.Or(-1), c.last, 1e-12) {
			t.Errorf("%v: from %v to %v, rises %v, size %v", c.times, x.First, x.Last, x.Rises, size)
		}
		for p, s := range x.Shares {
			if share := c.times[p] / 10; numtest.Off(s.Share.Or(-1), share, 1e-12) || share > 0 && !(s.Low.Or(1) <= share && share <= s.High.Or(0)) {
				t.Errorf("%v: in period %d %+v", c.times, p, s)
			}
		}
	}
	for _, times := range [][]float64{{1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}} {
		if _, size := (&builder{}).trendWord(rising(times...), 0, 0); size > 1e-6 {
			t.Errorf("%v rises or falls: %v", times, size)
		}
	}
}

// A share over fewer than two documents has no error, and is not told.
func TestTrendOfSingleDocuments(t *testing.T) {
	w := rising(0, 1, 2, 2, 3, 5)
	for _, docs := range []float64{.5, 1, 1.9, 2} {
		w.docs[0][5] = docs
		x, _ := (&builder{}).trendWord(w, 0, 0)
		if _, told := x.Shares[5].Share.Value(); told != (docs >= 2) {
			t.Errorf("%v documents: share %+v", docs, x.Shares[5])
		}
	}
}
