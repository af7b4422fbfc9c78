package encode

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// choice is the vocabulary that was chosen.
type choice struct {
	feature []int32 // by term, -1 for none
	vocab   *vocab.Vocab
	layout  dataset.Layout
	kinds   []vocab.Kind // by feature
	answers bool         // features are questions with two answers each
}

// choose picks the features and numbers them.
func (e *encoder) choose() error {
	var order []uint32 // terms in the order of features
	var columns []vocab.Column
	var kinds []vocab.Kind
	if hasColumns(e.kind) {
		order, columns, kinds = e.chooseColumns()
	} else {
		order = e.chooseTerms()
		order, columns = e.blocks(order)
		kinds = make([]vocab.Kind, len(order))
	}
	if len(order) == 0 {
		return fmt.Errorf("encode: %w: %s", ErrNoFeatures, e.whyNone())
	}
	if err := e.immense(order); err != nil {
		return err
	}
	c := &choice{feature: make([]int32, e.terms.dict.Len()), kinds: kinds}
	for t := range c.feature {
		c.feature[t] = -1
	}
	names := make([]string, len(order))
	for h, t := range order {
		c.feature[t] = int32(h)
		names[h] = e.terms.dict.Name(t)
		e.sum.Used += e.stats.freq[t]
	}
	c.vocab = &vocab.Vocab{Names: names, Titles: e.titles(names), Columns: columns, System: e.system()}
	c.layout = e.layout(order, kinds)
	if e.isAnswers(order) {
		c.asAnswers()
	}
	e.plan.Layout, e.plan.Answers = c.layout.String(), c.answers
	e.chosen = c
	if e.isWide() && !c.answers && !slices.IsSorted(order) {
		e.sum.Order = order
	}
	e.top(order, kinds)
	return nil
}

// isWide reports a table whose columns are the features, whatever their kind.
func (e *encoder) isWide() bool { return e.schema.Format == "binary" || e.schema.Format == "counts" }

// system is the vocabulary's word for where the names come from.
func (e *encoder) system() string {
	switch {
	case e.s.Known != nil:
		return *e.s.Known
	case e.plan.isCodes():
		return string(e.plan.System)
	case e.schema.Format == vocab.Genotypes:
		return vocab.Genotypes
	case e.terms.isWords || e.kind == record.Counts && e.schema.Format == "uci":
		return vocab.Text
	}
	return ""
}

// whyNone names the rule that took the last feature.
func (e *encoder) whyNone() string {
	for _, r := range e.sum.Rules {
		if r.After == 0 && r.Before > 0 {
			if e.sum.Kept == 1 {
				return "there is one record alone, and nothing to compare it with; if it is a header, the rows below it are missing"
			}
			if r.Name == constantColumns {
				return "every column is empty or has the same value in all records, and nothing tells them apart"
			}
			return fmt.Sprintf("the rule %q took the last %d", r.Name, r.Before)
		}
	}
	if e.terms.isWords {
		return fmt.Sprintf("the records hold none: no word of %d letters or more; shorter ones count with ‹min-length› 1, numbers with ‹numbers›", e.plan.MinLength)
	}
	return "the records hold none"
}

// chooseTerms applies the rules one after another.
func (e *encoder) chooseTerms() []uint32 {
	var list []uint32
	for t := range e.stats.df {
		if e.stats.df[t] > 0 || e.stats.missing[t] > 0 || e.s.KeepUnused {
			list = append(list, uint32(t))
		}
	}
	e.firstRules(len(list))
	e.inOrder(list)
	n := e.stats.records
	list = e.named(list)
	list = e.rule("min-df "+e.s.MinDF.String(), !e.s.MinDF.IsZero(), list, func(t uint32) bool {
		return float64(e.stats.df[t]) >= e.s.MinDF.Of(n)
	})
	list = e.rule("max-df "+e.s.MaxDF.String(), !e.s.MaxDF.IsZero(), list, func(t uint32) bool {
		return float64(e.stats.df[t]) <= e.s.MaxDF.Of(n)
	})
	if !e.s.Vocab.IsZero() {
		keep := e.frequent(list)
		list = e.rule("vocab "+e.s.Vocab.String(), true, list, func(t uint32) bool { return keep[t] })
	}
	if e.terms.isWords && !e.s.AllWords && e.s.MinDF.IsZero() && e.s.MaxDF.IsZero() && e.s.Vocab.IsZero() {
		list = e.sensible(list)
	}
	switch {
	case e.s.ByName:
		slices.SortFunc(list, e.byName)
	case e.s.KeepOrder:
		slices.Sort(list)
	}
	return list
}

// firstRules records what roll-up, stop words and stems made of the features.
func (e *encoder) firstRules(after int) {
	if e.plan.isCodes() {
		var levels []string
		for _, l := range e.plan.Levels {
			levels = append(levels, string(l))
		}
		e.sum.Rules = append(e.sum.Rules, Rule{"roll-up " + strings.Join(levels, "+"), e.terms.keys.Len(), after})
	}
	if !e.terms.isWords {
		return
	}
	left := 0
	for _, w := range e.terms.word {
		if w != "" {
			left++
		}
	}
	e.sum.Rules = append(e.sum.Rules, Rule{"stop words " + e.plan.Stopwords, e.raw.Len(), left})
	if e.plan.Stem && e.plan.Ngrams == 1 {
		e.sum.Rules = append(e.sum.Rules, Rule{"stems " + e.plan.Language, left, after})
	}
}

// rule keeps the terms that a rule allows and records the numbers.
func (e *encoder) rule(name string, on bool, list []uint32, keep func(uint32) bool) []uint32 {
	if !on {
		return list
	}
	before := len(list)
	list = slices.DeleteFunc(list, func(t uint32) bool { return !keep(t) })
	e.sum.Rules = append(e.sum.Rules, Rule{name, before, len(list)})
	return list
}

// named applies --include and --exclude.
func (e *encoder) named(list []uint32) []uint32 {
	name := func(t uint32) []string { return []string{e.terms.dict.Name(t)} }
	return e.namedBy(list, name)
}

func (e *encoder) namedBy(list []uint32, names func(uint32) []string) []uint32 {
	in, out := newPatterns(e.s.Include), newPatterns(e.s.Exclude)
	list = e.rule("include "+strings.Join(e.s.Include, ","), len(e.s.Include) > 0, list, func(t uint32) bool { return in.match(names(t)) })
	list = e.rule("exclude "+strings.Join(e.s.Exclude, ","), len(e.s.Exclude) > 0, list, func(t uint32) bool { return !out.match(names(t)) })
	for _, p := range append(in.idle(), out.idle()...) {
		e.sum.warn(warn.Caution, "pattern-idle", "Names are those of the vocabulary, after roll-up; * and ? may stand for letters.",
			"No feature is called %q%s.", p, suggest.Hint(p, e.terms.dict.Names()))
	}
	return list
}

// patterns are feature names or shell patterns.
type patterns struct {
	text []string
	used []bool
}

func newPatterns(text []string) *patterns { return &patterns{text, make([]bool, len(text))} }

func (p *patterns) match(names []string) bool {
	found := false
	for i, pattern := range p.text {
		for _, name := range names {
			ok, _ := path.Match(pattern, name) // Check has read the patterns
			if ok || strings.EqualFold(pattern, name) || codes.Normalize(pattern) == name {
				p.used[i], found = true, true
			}
		}
	}
	return found
}

func (p *patterns) idle() (out []string) {
	for i, used := range p.used {
		if !used {
			out = append(out, p.text[i])
		}
	}
	return out
}

// frequent picks the N most frequent terms, or the fewest that make up the asked
// share of the tokens; with several levels of roll-up the share holds at each.
func (e *encoder) frequent(list []uint32) map[uint32]bool {
	keep := map[uint32]bool{}
	if e.s.Vocab.Count > 0 {
		for _, t := range list[:min(e.s.Vocab.Count, len(list))] {
			keep[t] = true
		}
		return keep
	}
	level := func(t uint32) int {
		if len(e.plan.Levels) < 2 {
			return 0
		}
		return e.plan.rank(e.terms.dict.Name(t))
	}
	total, sum := map[int]float64{}, map[int]float64{}
	for _, t := range list {
		total[level(t)] += e.stats.freq[t]
	}
	for _, t := range list {
		l := level(t)
		if sum[l] < e.s.Vocab.Share*total[l] {
			keep[t] = true
			sum[l] += e.stats.freq[t]
		}
	}
	return keep
}

// top lists the most frequent features; measurements, which every record has, as
// they stand in the table.
func (e *encoder) top(order []uint32, kinds []vocab.Kind) {
	list := slices.Clone(order)
	if e.kind == record.Real {
		slices.Sort(list)
	} else if !slices.IsSortedFunc(list, e.byFrequency) {
		e.inOrder(list)
	}
	for _, t := range list[:min(topFeatures, len(list))] {
		h := e.chosen.feature[t]
		if e.chosen.answers {
			h = 2*h + 1
		}
		f := Feature{Name: e.chosen.vocab.Names[h], Records: e.stats.df[t], Tokens: e.stats.freq[t]}
		if e.chosen.vocab.Titles != nil {
			f.Title = e.chosen.vocab.Titles[h]
		}
		if !e.chosen.answers && kinds[h] == vocab.Real && f.Records > 0 && !math.IsInf(e.stats.lo[t], 0) {
			values, low, high := e.stats.stored[t]-e.stats.missing[t], e.stats.lo[t], e.stats.hi[t] // a sequence has several
			if e.schema.Sparse && e.stats.stored[t] < e.stats.rows {                                // what is not stored is zero
				values, low, high = e.stats.rows-e.stats.missing[t], min(low, 0), max(high, 0)
				f.Records = values
			}
			f.Measured = &Measured{Mean: f.Tokens / float64(max(values, 1)), Low: low, High: high}
		}
		e.sum.Top = append(e.sum.Top, f)
	}
}

// layout picks the way rows are kept.
func (e *encoder) layout(order []uint32, kinds []vocab.Kind) dataset.Layout {
	missing, stored, reals := 0, 0, 0
	for h, t := range order {
		missing, stored = missing+e.stats.missing[t], stored+e.stats.stored[t]
		if kinds[h] == vocab.Real {
			reals++
		}
	}
	const enough = 0.25 // of the entries: dense rows take less room from there on
	switch {
	case e.kind == record.Categorical:
		return dataset.Binary
	case e.kind == record.Real && e.schema.Sparse && float64(stored) < enough*float64(e.stats.rows)*float64(len(order)):
		return dataset.Valued
	case e.kind == record.Real || e.kind == record.Mixed && 2*reals >= len(order):
		return dataset.Dense
	case e.asPresence() && missing == 0:
		return dataset.Binary
	}
	return dataset.Valued
}
