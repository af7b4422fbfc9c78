package explain

import (
	"context"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	text "github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

const (
	clearBelow   = .05 // adjusted p-value from which a difference is called one
	mostTimes    = 40  // different words of a column of times that are no dates
	mostTrends   = 12  // side columns, besides that of times
	noTimesFound = "time-not-read"
)

// trends works out how common the groups are over time and, of texts, by the
// other side columns. Reports to be shared have none, and neither have sequences,
// whose time is in their steps.
func (b *builder) trends(ctx context.Context, r dataset.Data) error {
	if b.r.Ring == report.Shared || b.d.sequences || b.brief() || len(b.h.leaf) < 2 {
		return nil
	}
	var names []string
	var values [][]string
	err := r.Each(ctx, func(_ int, part *dataset.Dataset) error {
		for i, s := range part.Side {
			if i == len(values) {
				names, values = append(names, s.Name), append(values, make([]string, 0, b.d.records))
			}
			if b.hasTrend(s.Name) {
				values[i] = append(values[i], s.Values...)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var sums []*trendSums
	others := 0
	for i, list := range values {
		isTime := names[i] == b.s.Date
		if len(list) != b.d.records || !isTime && others == mostTrends {
			continue
		}
		if p, ok := b.periodsOf(names[i], list); ok {
			sums = append(sums, newTrendSums(names[i], p, len(b.h.leaf), b))
			if !isTime {
				others++
			}
		}
	}
	if len(sums) == 0 {
		return nil
	}
	if err := b.addTrends(ctx, r, sums); err != nil {
		return err
	}
	for _, s := range sums {
		b.r.Trends = append(b.r.Trends, b.trend(s))
	}
	falling(b.r.Trends, func(t report.Trend) float64 { return -float64(rank(t)) })
	return nil
}

// rank puts time first.
func rank(t report.Trend) int {
	if t.Kind == TrendTime {
		return 0
	}
	return 1
}

// hasTrend reports a side column that groups are reported by: that of times, and of
// texts all. Other records have the columns by group, and where small counts are
// withheld no column is reported both ways: two ways to put values together would
// give away the difference.
func (b *builder) hasTrend(name string) bool {
	return name != dataset.KeptText && (name == b.s.Date || b.soft() || b.words() && b.open.limit == 0)
}

// periodsOf cuts the values of a side column; names and texts are left out.
func (b *builder) periodsOf(name string, values []string) (periods, bool) {
	if name == b.s.Date {
		if p, ok := timePeriods(values); ok {
			return p, len(p.names) > 1
		}
		p, ok := answers(values, mostTimes)
		if p.kind = TrendTime; !ok {
			b.r.Warnings = append(b.r.Warnings, warn.New(warn.Caution, noTimesFound,
				"Write dates as 2024-01-31, 2024-01 or 2024.", "The values of %s were not understood as times, so nothing is told over time.", name))
		}
		return p, ok
	}
	if p, ok := answers(values, mostLevels); ok {
		return p, ok
	}
	numbers, read := numbersOf(values)
	known := 0
	for _, v := range values {
		if v != "" {
			known++
		}
	}
	if known == 0 || float64(read) < numbersShare*float64(known) {
		return periods{}, false
	}
	p := quarters(numbers)
	return p, len(p.names) > 1
}

// answers takes every value for a place, if they are few.
func answers(values []string, most int) (periods, bool) {
	s := &sideValues{}
	p := periods{kind: TrendAnswer, place: make([]int, len(values))}
	for i, v := range values {
		if p.place[i] = -1; v == "" {
			continue
		}
		at := slices.Index(s.levels, v)
		if at < 0 {
			if at = len(s.levels); at == most {
				return p, false
			}
			s.levels = append(s.levels, v)
		}
		p.place[i] = at
	}
	to := make([]int, len(s.levels))
	for at, l := range s.order() {
		p.names, to[l] = append(p.names, text.Visible(s.levels[l])), at
	}
	for i, at := range p.place {
		if at >= 0 {
			p.place[i] = to[at]
		}
	}
	return p, len(p.names) > 1
}

// trendSums are what is added up of one column: of every place and group the sum
// of memberships and of their squares, and of words.
type trendSums struct {
	name        string
	p           periods
	n           []float64   // records of every place
	sum, square [][]float64 // group × place
	missing     []float64   // of every group: records without a value
	words       *wordSums   // nil where none are reported
}

func newTrendSums(name string, p periods, k int, b *builder) *trendSums {
	s := &trendSums{name: name, p: p, n: make([]float64, len(p.names)), missing: make([]float64, k)}
	s.sum, s.square = table[float64](k, len(p.names)), table[float64](k, len(p.names))
	if p.kind == TrendTime && b.words() && b.open.limit == 0 {
		s.words = b.newWordSums(len(p.names))
	}
	return s
}

// addTrends looks at the records once more.
func (b *builder) addTrends(ctx context.Context, r dataset.Data, sums []*trendSums) error {
	posterior, err := b.posterior()
	if err != nil {
		return err
	}
	k, row := len(b.h.leaf), 0
	return r.Each(ctx, func(_ int, part *dataset.Dataset) error {
		n := part.Rows.N()
		theta := make([]float64, n*k)
		if posterior == nil {
			for i := range n {
				theta[i*k+int(b.o.Group[row+i])] = 1
			}
		} else if err := posterior(pass.Block{Rows: part.Rows}, theta); err != nil {
			return err
		}
		for i := range n {
			for _, s := range sums {
				s.add(s.p.place[row+i], theta[i*k:][:k])
				if s.words != nil && s.p.place[row+i] >= 0 {
					s.words.add(part, i, s.p.place[row+i], theta[i*k:][:k])
				}
			}
		}
		row += n
		return ctx.Err()
	})
}

// posterior returns how topics that mix are placed; nil of groups, whose records
// are in one each.
func (b *builder) posterior() (func(pass.Block, []float64) error, error) {
	if !b.soft() || b.o.Tree != nil {
		return nil, nil
	}
	f, err := b.o.Model.Family()
	if err != nil {
		return nil, err
	}
	if m, ok := f.(family.Mixer); ok {
		return m.Mixtures(b.o.Model.Params)
	}
	return func(block pass.Block, out []float64) error { return f.Posterior(b.o.Model.Params, block, out) }, nil
}

func (s *trendSums) add(place int, theta []float64) {
	if place < 0 {
		for j, v := range theta {
			s.missing[j] += v
		}
		return
	}
	s.n[place]++
	for j, v := range theta {
		s.sum[j][place] += v
		s.square[j][place] += v * v
	}
}

// trend makes what is reported of sums.
func (b *builder) trend(s *trendSums) report.Trend {
	t := report.Trend{Column: s.name, Kind: s.p.kind, Every: s.p.every, Test: "Pearson's chi-squared"}
	mixed := b.soft() && b.o.Tree == nil
	if mixed {
		t.Test = "Welch's analysis of variance"
	}
	if b.open.limit > 0 {
		s.joinSmall(b)
		if t.Withheld = len(s.n) < 2 || b.anyClosed() || !s.missingOpen(b); t.Withheld {
			return t
		}
	}
	for l, name := range s.p.names {
		t.Places = append(t.Places, report.TrendPlace{Name: name, N: report.CountOf(int(s.n[l]))})
	}
	var p []float64
	for j, node := range b.h.leaf {
		g := report.TrendGroup{ID: b.h.ids[node]}
		for l, n := range s.n {
			g.Shares = append(g.Shares, prevalence(s.sum[j][l], s.square[j][l], n, mixed))
		}
		if s.words != nil {
			g.Words = b.trendWords(s.words, j)
		}
		p = append(p, s.test(j, mixed))
		t.Groups = append(t.Groups, g)
	}
	for j, v := range inference.Holm(p) {
		t.Groups[j].P, t.Groups[j].Adjusted = report.NumberOf(p[j]), report.NumberOf(v)
	}
	return t
}

// prevalence returns a share of n records with its interval. Shares of documents
// that mix have one that is symmetric in log-odds, as those of latent classes.
func prevalence(sum, square, n float64, mixed bool) report.TrendShare {
	if n == 0 {
		return report.TrendShare{}
	}
	m := sum / n
	out := report.TrendShare{Share: report.NumberOf(m)}
	if !mixed {
		low, high := Wilson(sum, n)
		out.Low, out.High = report.NumberOf(low), report.NumberOf(high)
		return out
	}
	if n < 2 || m <= 0 || m >= 1 {
		return out
	}
	se := math.Sqrt(max(square/n-m*m, 0) / (n - 1))
	low, high := logOddsInterval(m, se, n-1)
	out.Low, out.High = report.NumberOf(low), report.NumberOf(high)
	return out
}

// logOddsInterval returns the 95 % interval of a share that is symmetric in
// log-odds, by Student's distribution.
func logOddsInterval(m, se, freedom float64) (low, high float64) {
	by := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(.975) * se / (m * (1 - m))
	odds := math.Log(m / (1 - m))
	return 1 / (1 + math.Exp(by-odds)), 1 / (1 + math.Exp(-by-odds))
}

// test compares the places of a group.
func (s *trendSums) test(j int, mixed bool) float64 {
	if mixed {
		var list []inference.Numbers
		for l, n := range s.n {
			if n < 2 {
				continue
			}
			m := s.sum[j][l] / n
			list = append(list, inference.Numbers{N: int(n), Mean: m, SD: math.Sqrt(max(s.square[j][l]/n-m*m, 0) * n / (n - 1))})
		}
		return inference.Welch(list)
	}
	counts := make([][]float64, 2)
	for l, n := range s.n {
		counts[0], counts[1] = append(counts[0], s.sum[j][l]), append(counts[1], n-s.sum[j][l])
	}
	return inference.ChiSquared(counts)
}

// joinSmall puts neighbouring periods, or rare values, together until every
// count of a group, and of all others, is none or large enough.
func (s *trendSums) joinSmall(b *builder) {
	open := func(l int) bool {
		for j := range s.sum {
			v := s.sum[j][l]
			if v > 0 && b.small(v) || s.n[l]-v > 0 && b.small(s.n[l]-v) {
				return false
			}
		}
		return true
	}
	for len(s.n) > 1 {
		bad := 0
		for bad < len(s.n) && open(bad) {
			bad++
		}
		if bad == len(s.n) {
			return
		}
		to := bad + 1
		if s.p.kind == TrendAnswer {
			if to = slices.Index(s.p.names, otherLevels); to < 0 || to == bad {
				to = rarest([][]float64{s.n}, bad)
			}
		} else if bad == len(s.n)-1 || bad > 0 && s.n[bad-1] < s.n[bad+1] {
			to = bad - 1
		}
		s.join(min(bad, to), max(bad, to))
	}
}

// join puts place hi to lo.
func (s *trendSums) join(lo, hi int) {
	switch {
	case s.p.kind == TrendAnswer:
		s.p.names[lo] = otherLevels
	default:
		s.p.names[lo] = spanOf(s.p.names[lo], s.p.names[hi])
	}
	s.p.names = slices.Delete(s.p.names, hi, hi+1)
	s.n[lo] += s.n[hi]
	s.n = slices.Delete(s.n, hi, hi+1)
	for j := range s.sum {
		for _, list := range []*[]float64{&s.sum[j], &s.square[j]} {
			(*list)[lo] += (*list)[hi]
			*list = slices.Delete(*list, hi, hi+1)
		}
	}
}

// missingOpen reports whether the records without a value may be counted: those
// of a group are its size less all others.
func (s *trendSums) missingOpen(b *builder) bool {
	for _, v := range s.missing {
		if v > 0 && b.small(v) {
			return false
		}
	}
	return true
}

// spanOf names two neighbouring periods as one.
func spanOf(a, b string) string {
	from, _, _ := strings.Cut(a, " to ")
	if _, to, ok := strings.Cut(b, " to "); ok {
		b = to
	}
	return from + " to " + b
}

// findings says of every trend what was found, once the groups have names.
func (b *builder) findings() {
	for i := range b.r.Trends {
		t := &b.r.Trends[i]
		t.Finding = b.finding(t)
	}
}

// finding tells the group that differs most between the places.
func (b *builder) finding(t *report.Trend) string {
	noun := b.groupNoun()
	if t.Withheld {
		return "Too few " + b.r.Unit.Many + " have some values of " + t.Column + ": how common the " + noun + "s are by it is withheld."
	}
	best, widest := -1, 0.0
	var low, high int
	for j, g := range t.Groups {
		lo, hi, ok := extremes(g.Shares)
		if !ok || g.Adjusted.Or(1) >= clearBelow {
			continue
		}
		if w := g.Shares[hi].Share.Or(0) - g.Shares[lo].Share.Or(0); w > widest {
			best, widest, low, high = j, w, lo, hi
		}
	}
	if best < 0 {
		if t.Kind == TrendTime {
			return "No " + noun + " clearly grows or shrinks over " + t.Column + "."
		}
		return "No " + noun + " is clearly more common at some values of " + t.Column + " than at others."
	}
	g, list := b.r.Leaf(best), t.Groups[best].Shares
	at := func(l int) string { return report.Percent(list[l].Share.Or(0)) + " (" + t.Places[l].Name + ")" }
	name := sentence(noun) + " " + g.ID + " (" + g.Name + ")"
	switch {
	case t.Kind != TrendTime:
		return name + " is most common where " + t.Column + " is " + t.Places[high].Name + ": " + report.Percent(list[high].Share.Or(0)) + "; least where it is " + t.Places[low].Name + ": " + report.Percent(list[low].Share.Or(0)) + "."
	case low < high:
		return name + " grows from " + at(low) + " to " + at(high) + "."
	}
	return name + " shrinks from " + at(high) + " to " + at(low) + "."
}

// extremes returns the places of the smallest and the largest share, among those
// with an interval.
func extremes(list []report.TrendShare) (low, high int, ok bool) {
	low, high = -1, -1
	for l, x := range list {
		if x.Share.Masked() || x.Low.Masked() {
			continue
		}
		if low < 0 || x.Share.Or(0) < list[low].Share.Or(0) {
			low = l
		}
		if high < 0 || x.Share.Or(0) > list[high].Share.Or(0) {
			high = l
		}
	}
	return low, high, low != high
}
