package explain

import (
	"cmp"
	"math"

	"github.com/moiety-go/moiety/report"
)

const (
	// leastRecords and leastWords are the counts below which a feature is not
	// called typical: one or two cases characterise nothing.
	leastRecords = 3
	leastWords   = 5
	// leastExpected is the expected count from which a feature may be called
	// rare in a group.
	leastExpected = 10
	// clearScore is the difference from the expected count, in its standard
	// deviations, that counts as clear for words and averages. It is above 2
	// because words of one document do not fall independently.
	clearScore = 3
	// clearRatio is the ratio from which a feature may be called typical: 98 %
	// where overall are 97 % may be beyond chance and still says nothing.
	clearRatio = 1.1
	// rarer is the ratio below which a feature is called rare.
	rarer = 0.67
)

// ranked is what a feature is sorted by. The number does not depend on masked
// counts: places in a list must not tell them. There is one for every word of a
// vocabulary in every group; what is said of the few that are shown is found for them.
type ranked struct {
	index          int // among the features that may be named
	share, overall float64
	expected       float64
	clear, rare    bool
	few, nearlyAll bool // too seldom to be typical; all but a few records have it
}

// known is a feature with what it is sorted by.
type known struct {
	report.Feature
	ranked
}

// features fills in the lists of a node of all its features (see rank).
func (b *builder) features(g *report.Group, node int, all []ranked) {
	if !b.open.sizeOpen(node) {
		return
	}
	// Ranks come from shares that may be read, or from those that stand for
	// masked ones, so that they tell nothing more.
	typical := b.firsts(all, b.relevance)
	g.Typical = b.shown(node, typical)
	g.Frequent = b.byShare(node, all)
	if g.Whole {
		return
	}
	for i := range g.Typical {
		g.Typical[i].Clear = typical[i].clear
	}
	g.Views = b.viewMarks(node, all)
	g.Rare = b.shown(node, b.firsts(all, func(f *ranked) (float64, bool) {
		if !f.rare {
			return 0, false
		}
		return f.expected * (1 - f.share/f.overall) / math.Sqrt(f.expected), true
	}))
}

// relevance is how typical a feature is, if it may be called that.
func (b *builder) relevance(f *ranked) (float64, bool) {
	if !(f.share > 0 && f.overall > 0) || f.few {
		return 0, false
	}
	return Relevance(b.r.Lambda, f.share, f.overall), true
}

// firsts returns the first of the features that key wants, by falling key; equals stay in
// the order of the vocabulary. Vocabularies are long and lists short: what cannot be among
// the first is not sorted.
func (b *builder) firsts(all []ranked, key func(*ranked) (float64, bool)) []*ranked {
	most := top(b.s)
	places := make([]place, 0, min(len(all), 2*most+sortedAtOnce))
	worst, full := 0.0, false
	for i := range all {
		v, wanted := key(&all[i])
		if !wanted || full && cmp.Compare(v, worst) <= 0 {
			continue
		}
		places = append(places, place{v, i})
		if len(places) == 2*most+sortedAtOnce {
			inOrder(places)
			places = places[:most]
			worst, full = places[most-1].key, true
		}
	}
	inOrder(places)
	places = places[:min(len(places), most)]
	out := make([]*ranked, len(places))
	for i, p := range places {
		out[i] = &all[p.at]
	}
	return out
}

// sortedAtOnce are so many that sorting them again and again costs little.
const sortedAtOnce = 64

// tooFew reports that a feature is too seldom in the group to be typical.
func tooFew(f *report.Feature) bool {
	n, known := f.Count.Value()
	switch {
	case !known:
		return false
	case f.Of == report.OfRecords:
		return n < leastRecords
	}
	return n < leastWords
}

// frequent returns the most frequent features of a node.
func (b *builder) frequent(node int) (out []report.Feature) {
	b.rank(node, func(all []ranked) { out = b.byShare(node, all) })
	return out
}

func (b *builder) byShare(node int, all []ranked) []report.Feature {
	return b.shown(node, b.firsts(all, func(f *ranked) (float64, bool) { return f.share, f.share > 0 }))
}

// shown tells all that is known of features at a node.
func (b *builder) shown(node int, list []*ranked) []report.Feature {
	var out []report.Feature
	v := b.d.vocab
	for _, r := range list {
		f := b.listed[r.index]
		x, _ := b.feature(node, f)
		x.Index, x.Name, x.Title, x.Short = r.index, v.Names[f], v.Title(f), b.called(f)
		if !x.NearlyAll && !x.Overall.Masked() && x.overall > 0 {
			x.Ratio = report.NumberOf(x.share / x.overall)
			x.Relevance = report.NumberOf(Relevance(b.r.Lambda, x.share, x.overall))
		}
		out = append(out, x.Feature)
	}
	return out
}

// rank shows use the features of a node that may be spoken of, in the order of
// the vocabulary, in memory that is used again.
func (b *builder) rank(node int, use func(all []ranked)) {
	memory, ok := b.ranks.Get().(*[]ranked)
	if !ok {
		memory = new([]ranked)
		*memory = make([]ranked, 0, len(b.listed))
	}
	defer b.ranks.Put(memory)
	all := (*memory)[:0]
	for _, f := range b.listed {
		if b.of[f] == report.Value {
			continue
		}
		if x, ok := b.feature(node, f); ok {
			all = append(all, x.ranked)
		}
	}
	use(all)
}

// feature returns the counts and shares of feature f at a node, or false where nothing
// may be said.
func (b *builder) feature(node, f int) (known, bool) {
	x := known{Feature: report.Feature{Of: b.of[f]}, ranked: ranked{index: b.place[f]}}
	var open bool
	if x.overall, open = b.share(0, f); open {
		x.Overall = report.NumberOf(x.overall)
	} else if x.overall, x.About = b.open.estimate(b.h, b.c, f); x.About {
		x.Overall = report.NumberOf(x.overall)
	} else {
		x.overall = math.NaN()
	}
	if x.share, open = b.share(node, f); !open {
		if b.of[f] != report.OfRecords || !b.open.nearlyAll(b.h, b.c, node, f) {
			return x, false
		}
		x.NearlyAll, x.nearlyAll, x.share = true, true, b.surrogate(node)
		low, _ := Wilson(x.share*float64(b.c.n[node]), float64(b.c.n[node]))
		x.clear = low > x.overall && x.share > clearRatio*x.overall
		return x, true
	}
	x.Share = report.NumberOf(x.share)
	b.counts(&x, node, f)
	x.few = tooFew(&x.Feature)
	b.judge(&x, node)
	if b.brief() && b.classes() && b.number(node) >= 0 { // of a counted share, which it is not
		x.Low, x.High = report.Number{}, report.Number{}
	}
	return x, true
}

// surrogate stands for the share of a feature that nearly all records have, so
// that its place in a list does not tell the number.
func (b *builder) surrogate(node int) float64 {
	return 1 - float64(b.open.limit)/2/float64(max(b.c.n[node], 1))
}

// out returns what the share of a feature at a node is a share of.
func (b *builder) out(node, f int) float64 {
	if b.of[f] == report.OfWords {
		return b.tokens[node]
	}
	n := b.c.n[node]
	if b.open.limit > 0 && b.open.ofAll[f] {
		return float64(n)
	}
	if q := b.question[f]; q >= 0 {
		n = 0
		for h := b.d.vocab.Columns[q].From; h < b.d.vocab.Columns[q].To; h++ {
			if b.rounded.rows.unit == 0 || b.open.cellOpen(node, h) {
				n += int(b.c.have[node][h])
			}
		}
		return float64(n)
	}
	return float64(n - b.c.missing(node, f))
}

// share returns the share of a feature at a node, the probability in a topic,
// or the average; false where it may not be read or there is none.
func (b *builder) share(node, f int) (float64, bool) {
	if !b.open.cellOpen(node, f) {
		return 0, false
	}
	if j := b.number(node); b.soft() && j >= 0 {
		p := b.topic[j][f]
		return p, !b.small(p * b.params.Weights[j] * b.tokens[0])
	}
	if e, ok := b.parameter(b.number(node), f); ok && b.classes() {
		return e.Value, true
	}
	return b.counted(node, f)
}

// byTopic lays the words of each topic side by side: those of a model lie word by word, and
// one topic's are asked for from the first to the last, several times.
func (b *builder) byTopic() {
	if !b.soft() {
		return
	}
	b.topic = table[float64](b.params.K(), len(b.of))
	eachFeature(b.s.Workers, len(b.of), func(f int) {
		for j, p := range b.params.Centers.RawRowView(f) {
			b.topic[j][f] = p
		}
	})
}

// counted returns the share of the records at a node that have a feature, or
// the average.
func (b *builder) counted(node, f int) (float64, bool) {
	out := b.out(node, f)
	if out == 0 {
		return 0, false
	}
	if b.of[f] == report.OfRecords {
		return float64(b.c.have[node][f]) / out, true
	}
	return b.c.total(node, f) / out, true
}

// small reports that an expected count is below the limit.
func (b *builder) small(expected float64) bool {
	return b.open.limit > 0 && expected < float64(b.open.limit)
}

// counts sets the counts behind a share, and its interval where the things
// counted are independent: records are, words of a document are not.
func (b *builder) counts(x *known, node, f int) {
	out := b.out(node, f)
	x.expected = x.overall * out
	if b.soft() {
		if j := b.number(node); j >= 0 {
			x.expected = x.overall * b.params.Weights[j] * b.tokens[0]
			return
		}
	}
	x.Out = report.CountOf(int(out))
	if b.of[f] != report.OfRecords {
		x.Count = report.CountOf(int(math.Round(b.c.total(node, f))))
		return
	}
	x.Count = report.CountOf(int(b.c.have[node][f]))
	if v, ok := b.counted(node, f); ok {
		x.Counted = report.NumberOf(v)
	}
	if e, ok := b.parameter(b.number(node), f); ok && b.classes() && !b.brief() {
		x.Low, x.High = report.NumberOf(e.Low), report.NumberOf(e.High)
		return
	}
	low, high := Wilson(float64(b.c.have[node][f]), out)
	x.Low, x.High = report.NumberOf(low), report.NumberOf(high)
}

// judge says whether the feature is clearly more, or less, frequent here.
func (b *builder) judge(x *known, node int) {
	if !(x.overall > 0) || node == 0 {
		return
	}
	ratio := x.share / x.overall
	enough := x.expected >= leastExpected
	if !x.Low.Masked() {
		x.clear = x.Low.Or(0) > x.overall && ratio > clearRatio
		x.rare = enough && ratio < rarer && x.High.Or(0) < x.overall
		return
	}
	score := x.expected * (ratio - 1) / math.Sqrt(math.Max(x.expected, 1))
	x.clear = score > clearScore && ratio > clearRatio
	x.rare = enough && ratio < rarer && score < -clearScore
}

// measures returns the real features of a node, most different first.
func (b *builder) measures(node int) []report.Measure {
	if b.c.square == nil || !b.open.sizeOpen(node) {
		return nil
	}
	var out []report.Measure
	for _, f := range b.listed {
		if b.of[f] != report.Value || !b.open.cellOpen(node, f) {
			continue
		}
		m := report.Measure{Index: b.place[f], Name: b.d.vocab.Names[f], Title: b.d.vocab.Title(f)}
		mean, sd := b.c.deviation(node, f)
		m.Mean, m.SD = report.NumberOf(mean), report.NumberOf(sd)
		if b.open.limit == 0 || b.c.missing(0, f) == 0 {
			m.Out = report.CountOf(b.c.n[node] - b.c.missing(node, f))
		}
		if b.open.cellOpen(0, f) {
			all, spread := b.c.deviation(0, f)
			m.Overall, m.OverallSD = report.NumberOf(all), report.NumberOf(spread)
			if spread > 0 {
				m.Difference = report.NumberOf((mean - all) / spread)
			}
		}
		out = append(out, m)
	}
	falling(out, func(x report.Measure) float64 { return math.Abs(x.Difference.Or(0)) })
	return out
}
