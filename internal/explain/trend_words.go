package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
)

const (
	watchedWords = 100 // most frequent words of a topic, among which changes are looked for
	shownWords   = 8   // words of a topic that are reported
	leastShare   = .002
)

// wordSums are the words of topics by period. A word of a document belongs to
// topic j by θ_j μ_hj / Σ_g θ_g μ_hg. Documents, not words, are drawn
// independently: intervals go by sums over documents.
type wordSums struct {
	b       *builder
	periods int
	spots   [][]spot    // of every word: where it is added up
	listed  [][]int     // of every topic: its words
	docs    [][]float64 // topic × period: documents with words of the topic
	all     [][]float64 // topic × period: Σ b_d, the words of the topic
	square  [][]float64 // Σ b_d²
	word    [][]float64 // (topic, word) × period: Σ a_d, of these the word
	own     [][]float64 // Σ a_d²
	both    [][]float64 // Σ a_d b_d
	share   []float64
	bag     []float64
}

// spot is a word of a topic.
type spot struct{ topic, at int }

// newWordSums watches the most frequent words of every topic.
func (b *builder) newWordSums(n int) *wordSums {
	k := len(b.h.leaf)
	w := &wordSums{b: b, periods: n, spots: make([][]spot, len(b.of)), share: make([]float64, k), bag: make([]float64, k)}
	size := 0
	for j := range k {
		words := slices.Clone(b.listed)
		slices.SortStableFunc(words, func(x, y int) int { return cmp.Compare(b.params.Centers.At(y, j), b.params.Centers.At(x, j)) })
		words = words[:min(len(words), watchedWords)]
		w.listed = append(w.listed, words)
		for _, f := range words {
			w.spots[f] = append(w.spots[f], spot{j, size})
			size++
		}
	}
	w.docs, w.all, w.square = table[float64](k, n), table[float64](k, n), table[float64](k, n)
	w.word, w.own, w.both = table[float64](size, n), table[float64](size, n), table[float64](size, n)
	return w
}

// add adds the words of document i.
func (w *wordSums) add(d *dataset.Dataset, i, period int, theta []float64) {
	if d.Rows.IsDense() {
		return
	}
	clear(w.bag)
	index, value := d.Rows.Row(i)
	for e, h := range index {
		x := w.sharesOf(int(h), theta, entryValue(value, e))
		for j, v := range x {
			w.bag[j] += v
		}
	}
	for e, h := range index {
		x := w.sharesOf(int(h), theta, entryValue(value, e))
		for _, s := range w.spots[h] {
			a := x[s.topic]
			w.word[s.at][period] += a
			w.own[s.at][period] += a * a
			w.both[s.at][period] += a * w.bag[s.topic]
		}
	}
	for j, v := range w.bag {
		w.all[j][period] += v
		w.square[j][period] += v * v
		w.docs[j][period] += theta[j]
	}
}

func entryValue(value []float32, e int) float64 {
	if value == nil {
		return 1
	}
	return float64(value[e])
}

// sharesOf shares x occurrences of a word among the topics.
func (w *wordSums) sharesOf(h int, theta []float64, x float64) []float64 {
	row, total := w.b.params.Centers.RawRowView(h), 0.0
	for j, t := range theta {
		w.share[j] = t * row[j]
		total += w.share[j]
	}
	for j, t := range theta {
		if total > 0 {
			w.share[j] *= x / total
		} else {
			w.share[j] = t * x
		}
	}
	return w.share
}

// trendWords returns the words of topic j that rise or fall most clearly.
func (b *builder) trendWords(w *wordSums, j int) []report.TrendWord {
	type found struct {
		word report.TrendWord
		size float64
	}
	var list []found
	for _, f := range w.listed[j] {
		at := slices.IndexFunc(w.spots[f], func(s spot) bool { return s.topic == j })
		x, size := b.trendWord(w, j, w.spots[f][at].at)
		if size > 0 {
			x.Name, x.Title = b.d.vocab.Names[f], b.d.vocab.Title(f)
			list = append(list, found{x, size})
		}
	}
	falling(list, func(x found) float64 { return x.size })
	var out []report.TrendWord
	for _, x := range list[:min(len(list), shownWords)] {
		out = append(out, x.word)
	}
	falling(out, func(x report.TrendWord) float64 { // those that rise first
		if x.Rises {
			return 1
		}
		return 0
	})
	return out
}

// trendWord returns the shares of a word in its topic, and how clearly they rise
// or fall: the slope over the periods by its error, 0 where the word is rare
// throughout or where the ends of time say otherwise than the slope.
func (b *builder) trendWord(w *wordSums, j, at int) (report.TrendWord, float64) {
	var x report.TrendWord
	var most, times, words float64
	for p := range w.periods {
		times, words = times+w.word[at][p], words+w.all[j][p]
	}
	usual := times / max(words, 1)
	var l slope
	for p := range w.periods {
		total, docs := w.all[j][p], w.docs[j][p]
		if total <= 0 || docs < 2 {
			x.Shares = append(x.Shares, report.TrendShare{})
			continue
		}
		s := w.word[at][p] / total
		// The error of a ratio of sums over documents: Σ (a_d − s b_d)².
		v := max(w.own[at][p]-2*s*w.both[at][p]+s*s*w.square[j][p], 0) / (total * total) * docs / (docs - 1)
		out := report.TrendShare{Share: report.NumberOf(s)}
		if s > 0 && s < 1 {
			low, high := logOddsInterval(s, math.Sqrt(v), docs-1)
			out.Low, out.High = report.NumberOf(low), report.NumberOf(high)
		}
		x.Shares = append(x.Shares, out)
		most = max(most, s)
		l.add(float64(p), s, max(v, usual*(1-usual)/total)) // a period that lacks the word has no spread of its own
	}
	third := max(w.periods/3, 1)
	pooled := func(from, to int) float64 {
		a, n := 0.0, 0.0
		for p := from; p < to; p++ {
			a, n = a+w.word[at][p], n+w.all[j][p]
		}
		return a / n
	}
	first, last, z := pooled(0, third), pooled(w.periods-third, w.periods), l.z()
	if most < leastShare || !(z*(last-first) > 0) {
		return x, 0
	}
	x.First, x.Last, x.Rises = report.NumberOf(first), report.NumberOf(last), z > 0
	return x, math.Abs(z)
}

// slope is a line through points whose errors differ, by weighted sums.
type slope struct{ w, t, tt, s, st float64 }

func (l *slope) add(t, s, v float64) {
	w := 1 / v
	l.w, l.t, l.tt, l.s, l.st = l.w+w, l.t+w*t, l.tt+w*t*t, l.s+w*s, l.st+w*s*t
}

// z is the slope divided by its error.
func (l *slope) z() float64 {
	return (l.st - l.s*l.t/l.w) / math.Sqrt(l.tt-l.t*l.t/l.w)
}
