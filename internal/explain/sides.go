package explain

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/dataset"
	text "github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/report"
)

const (
	mostLevels   = 12   // different values up to which a column is answers
	fewNumbers   = 6    // different numbers up to which these are answers
	numbersShare = 0.95 // of the values that must be numbers
	otherLevels  = "(other)"
	noValue      = "(missing)"
)

// sides compares the side columns between groups. Reports to be shared have
// none, and neither have sequences, whose steps are in several groups.
func (b *builder) sides(ctx context.Context, r dataset.Data) error {
	if b.r.Ring == report.Shared || b.d.sequences || b.soft() || b.brief() {
		return nil
	}
	var columns []*sideValues
	err := r.Each(ctx, func(_ int, part *dataset.Dataset) error {
		for i, s := range part.Side {
			if i == len(columns) {
				columns = append(columns, newSideValues(s.Name, b.d.records))
			}
			if s.Name == dataset.KeptText {
				continue
			}
			for _, v := range s.Values {
				columns[i].add(v)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var p []float64
	for _, v := range columns {
		if len(v.numbers) != len(b.o.Group) || b.open.limit > 0 && v.name == b.s.Date && len(b.r.Trends) > 0 { // reported over time
			continue
		}
		if c, value, ok := b.side(v); ok {
			b.r.Sides, p = append(b.r.Sides, c), append(p, value)
		}
	}
	for i, v := range inference.Holm(p) {
		b.r.Sides[i].P, b.r.Sides[i].Adjusted = report.NumberOf(p[i]), report.NumberOf(v)
	}
	return nil
}

// side compares one column; columns of dates, names and texts are left out.
func (b *builder) side(v *sideValues) (report.SideColumn, float64, bool) {
	c := report.SideColumn{Name: v.name, Used: b.isFeature(v.name), Named: slices.Contains(b.s.Labels, v.name)}
	switch {
	case len(v.levels) < 2 || 2*v.dates > v.known:
		return c, 0, false
	case v.isName() && len(v.levels) > mostLevels:
		return c, 0, false
	case !v.isName() && float64(v.words) <= (1-numbersShare)*float64(v.known) && len(v.levels) > fewNumbers:
		c.Kind, c.Test = report.SideNumber, "Welch's analysis of variance"
		p := b.numberParts(&c, v.numbers)
		return c, p, true
	case len(v.levels) <= mostLevels:
		c.Kind, c.Test = report.SideAnswer, "Pearson's chi-squared"
		p := b.answerParts(&c, v)
		return c, p, true
	}
	return c, 0, false
}

// nameOfNames matches columns whose numbers are names: of claims, doctors, codes,
// places. Their averages say nothing.
var nameOfNames = pattern.New(`(^|[_ .-])(?i:ids?|nbr|num|number|npi|key|codes?|cd|zip|nr|no|mrn|nhc|ndc|npi|upin|drg|hcpcs|icd\w*|dgns|prcdr)([_ .-]?\d*)?$|[a-z](Id|ID|Nr|No|Nbr|Code|Key)$|(^|[_ .-])(?i:icd\w*|dgns|prcdr|hcpcs|drg)[_ .-]`)

// largestAmount is the number above which whole numbers that hardly repeat are
// taken for names.
const largestAmount = 1e9

// isName reports numbers that are names: by the column's name, by zeros in front,
// or large whole numbers alone.
func (s *sideValues) isName() bool {
	return s.whole && (s.zeroed || s.least >= largestAmount || nameOfNames.MatchString(s.name))
}

// isFeature reports a column that the groups were made from.
func (b *builder) isFeature(name string) bool {
	for _, c := range b.d.vocab.Columns {
		if c.Name == name {
			return true
		}
	}
	return slices.Contains(b.d.vocab.Names, name)
}

// sideValues are the values of a side column: as numbers, NaN where there is
// none, and as places among the first few different ones.
type sideValues struct {
	name                string
	numbers             []float64
	codes               []int8
	levels              []string // the first different values, up to one more than are reported
	known, words, dates int
	whole, zeroed       bool // all numbers are whole; one has a zero in front
	least               float64
}

func newSideValues(name string, n int) *sideValues {
	return &sideValues{name: name, numbers: make([]float64, 0, n), codes: make([]int8, 0, n), whole: true, least: math.Inf(1)}
}

func (s *sideValues) add(v string) {
	number, code := math.NaN(), int8(-1)
	if v != "" {
		s.known++
		if x, err := strconv.ParseFloat(v, 64); err == nil && !math.IsInf(x, 0) {
			number = x
			s.figure(v, x)
		} else {
			s.words++
			if _, err := time.Parse(time.DateOnly, v[:min(len(v), 10)]); err == nil {
				s.dates++
			}
		}
		at := slices.Index(s.levels, v)
		if at < 0 && len(s.levels) <= mostLevels {
			at, s.levels = len(s.levels), append(s.levels, strings.Clone(v))
		}
		code = int8(at)
	}
	s.numbers, s.codes = append(s.numbers, number), append(s.codes, code)
}

// figure notes how a number is written. Days without signs between are dates.
func (s *sideValues) figure(v string, x float64) {
	s.whole = s.whole && x == math.Trunc(x)
	s.zeroed = s.zeroed || len(v) > 1 && v[0] == '0' && v[1] != '.' && v[1] != ','
	s.least = min(s.least, x)
	if len(v) == len("20060102") && v >= "1800" && v < "2101" {
		if _, err := time.Parse("20060102", v); err == nil {
			s.dates++
		}
	}
}

// order returns the places of the levels in the order in which they are reported:
// numbers by size, words by the alphabet.
func (s *sideValues) order() []int {
	out := make([]int, len(s.levels))
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, func(x, y int) int {
		a, errA := strconv.ParseFloat(s.levels[x], 64)
		c, errB := strconv.ParseFloat(s.levels[y], 64)
		if errA == nil && errB == nil && a != c {
			return cmp.Compare(a, c)
		}
		return strings.Compare(s.levels[x], s.levels[y])
	})
	return out
}

// anyClosed reports a group whose size may not be read: then the whole could
// tell it.
func (b *builder) anyClosed() bool {
	for _, node := range b.h.leaf {
		if !b.open.sizeOpen(node) {
			return true
		}
	}
	return false
}

// numberParts fills in means by group.
func (b *builder) numberParts(c *report.SideColumn, numbers []float64) float64 {
	x := inference.CompareNumbers(numbers, b.o.Group, len(b.h.leaf))
	counts := true // how many have a value tells how many have none
	for g, part := range x.Groups {
		missing := b.c.n[b.h.leaf[g]] - part.N
		counts = counts && !b.small(float64(part.N)) && (missing == 0 || !b.small(float64(missing)))
	}
	shown := 0
	for g, part := range x.Groups {
		if !b.open.sizeOpen(b.h.leaf[g]) || b.small(float64(part.N)) {
			c.Parts = append(c.Parts, report.SidePart{})
			continue
		}
		shown++
		c.Parts = append(c.Parts, b.numberPart(part, counts))
	}
	if shown == len(x.Groups) {
		c.All = b.numberPart(x.All, counts)
	} else { // the whole, and what compares a group with all others, would tell the rest
		for g := range c.Parts {
			c.Parts[g].Difference = report.Number{}
		}
	}
	if c.Withheld = shown == 0; c.Withheld {
		return math.NaN()
	}
	return x.P
}

func (b *builder) numberPart(x inference.Numbers, counts bool) report.SidePart {
	out := report.SidePart{
		Mean: report.NumberOf(x.Mean), SD: report.NumberOf(x.SD), Median: report.NumberOf(x.Median), Low: report.NumberOf(x.Low), High: report.NumberOf(x.High),
		Difference: report.NumberOf(x.Difference),
	}
	if counts || b.open.limit == 0 {
		out.N = report.CountOf(x.N)
	}
	return out
}

// answerParts fills in shares by group. Where small counts are withheld, values
// that few records of some group have, or lack, are put together with others;
// missing ones count as a value then.
func (b *builder) answerParts(c *report.SideColumn, values *sideValues) float64 {
	var levels []string
	place := make([]int, len(values.levels))
	for at, l := range values.order() {
		levels, place[l] = append(levels, values.levels[l]), at
	}
	blanks := b.open.limit > 0 && values.known < len(values.codes)
	if blanks {
		levels = append(levels, noValue)
	}
	counts := make([][]float64, len(b.h.leaf))
	for g := range counts {
		counts[g] = make([]float64, len(levels))
	}
	for i, code := range values.codes {
		switch {
		case code >= 0:
			counts[b.o.Group[i]][place[code]]++
		case blanks:
			counts[b.o.Group[i]][len(levels)-1]++
		}
	}
	p := inference.ChiSquared(counts)
	if b.open.limit > 0 {
		levels, counts = b.joinSmall(levels, counts)
		p = inference.ChiSquared(counts)
	}
	if c.Withheld = len(levels) < 2 || b.open.limit > 0 && b.anyClosed(); c.Withheld {
		c.Parts = make([]report.SidePart, len(b.h.leaf))
		return math.NaN()
	}
	all := make([]float64, len(levels))
	for _, list := range counts {
		for l, v := range list {
			all[l] += v
		}
	}
	for _, list := range counts {
		c.Parts = append(c.Parts, answerPart(levels, list, all))
	}
	c.All = answerPart(levels, all, nil)
	return p
}

// joinSmall puts levels together until every count, of a level or of all others,
// is none or large enough in every group.
func (b *builder) joinSmall(levels []string, counts [][]float64) ([]string, [][]float64) {
	open := func(l int) bool {
		for _, list := range counts {
			n := 0.0
			for _, v := range list {
				n += v
			}
			if v := list[l]; v > 0 && b.small(v) || n-v > 0 && b.small(n-v) {
				return false
			}
		}
		return true
	}
	for {
		bad := -1
		for l := range levels {
			if !open(l) {
				bad = l
				break
			}
		}
		if bad < 0 || len(levels) < 2 {
			return levels, counts
		}
		// Joined with the rest already joined, or with the rarest other one.
		to := slices.Index(levels, otherLevels)
		if to < 0 || to == bad {
			to = rarest(counts, bad)
		}
		lo, hi := min(to, bad), max(to, bad)
		levels = slices.Delete(slices.Clone(levels), hi, hi+1)
		levels[lo] = otherLevels
		for g := range counts {
			counts[g][lo] += counts[g][hi]
			counts[g] = slices.Delete(counts[g], hi, hi+1)
		}
	}
}

// rarest returns the level that fewest have, but for one.
func rarest(counts [][]float64, but int) int {
	best, least := -1, math.Inf(1)
	for l := range counts[0] {
		n := 0.0
		for _, list := range counts {
			n += list[l]
		}
		if l != but && n < least {
			best, least = l, n
		}
	}
	return best
}

func answerPart(levels []string, counts, all []float64) report.SidePart {
	n, rest := 0.0, 0.0
	for l, v := range counts {
		n += v
		if all != nil {
			rest += all[l]
		}
	}
	rest -= n
	out := report.SidePart{N: report.CountOf(int(n))}
	for l, v := range counts {
		low, high := Wilson(v, n)
		x := report.SideLevel{Name: text.Visible(levels[l]), Count: report.CountOf(int(v)), Share: report.NumberOf(v / n), Low: report.NumberOf(low), High: report.NumberOf(high)}
		if all != nil && rest > 0 {
			p, q := v/n, (all[l]-v)/rest
			x.Difference = report.NumberOf((p - q) / math.Sqrt((p*(1-p)+q*(1-q))/2))
		}
		out.Levels = append(out.Levels, x)
	}
	return out
}
