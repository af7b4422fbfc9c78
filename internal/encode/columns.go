package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// chooseColumns keeps the columns of a table in their order, the levels of a
// question by falling frequency. Columns that never change tell nothing and are
// dropped.
func (e *encoder) chooseColumns() (order []uint32, columns []vocab.Column, kinds []vocab.Kind) {
	var constant []string
	all := e.tableColumns()
	allowed := e.allowedTerms(all)
	for _, c := range all {
		levels := e.levels(c, allowed)
		if len(levels) == 0 {
			continue
		}
		if e.isConstant(c, levels) {
			constant = append(constant, c.Name)
			continue
		}
		from := len(order)
		order = append(order, levels...)
		columns = append(columns, vocab.Column{Name: c.Name, Kind: vocabKind(c.Kind), From: from, To: len(order)})
		for range levels {
			kinds = append(kinds, vocabKind(c.Kind))
		}
	}
	e.reportConstant(constant, len(all))
	if e.kind == record.Real {
		columns = nil // every column stands alone
	}
	return order, columns, kinds
}

func vocabKind(k record.Kind) vocab.Kind {
	return map[record.Kind]vocab.Kind{
		record.Presence: vocab.Presence, record.Counts: vocab.Counts, record.Real: vocab.Real, record.Categorical: vocab.Categorical,
	}[k]
}

// tableColumns returns the columns of the source, and those of features that
// belong to none: measurements in a table of these, else presences.
func (e *encoder) tableColumns() []record.Column {
	list := slices.Clone(e.schema.Columns)
	inside := make([]bool, e.raw.Len())
	for _, c := range list {
		if c.Kind != record.Categorical {
			inside[c.Feature] = true
		}
		for _, h := range c.Levels {
			inside[h] = true
		}
	}
	kind := record.Presence
	if e.kind == record.Real {
		kind = record.Real
	}
	for h, in := range inside {
		if !in {
			list = append(list, record.Column{Name: e.raw.Name(uint32(h)), Kind: kind, Feature: uint32(h)})
		}
	}
	return list
}

// allowedTerms applies the rules for features to a table. A feature answers to
// its own name and to that of its column.
func (e *encoder) allowedTerms(all []record.Column) map[uint32]bool {
	names := map[uint32][]string{}
	var list []uint32
	for _, c := range all {
		for _, h := range featuresOf(c) {
			for _, t := range e.terms.table[h] {
				list = append(list, t)
				names[t] = []string{e.terms.dict.Name(t), c.Name}
			}
		}
	}
	list = e.namedBy(list, func(t uint32) []string { return names[t] })
	list = e.rule("min-df "+e.s.MinDF.String(), !e.s.MinDF.IsZero(), list, func(t uint32) bool {
		return float64(e.stats.df[t]) >= e.s.MinDF.Of(e.stats.records)
	})
	allowed := map[uint32]bool{}
	for _, t := range list {
		allowed[t] = true
	}
	return allowed
}

func featuresOf(c record.Column) []uint32 {
	if c.Kind == record.Categorical {
		return c.Levels
	}
	return []uint32{c.Feature}
}

// levels returns the terms of a column that stay, by falling frequency.
func (e *encoder) levels(c record.Column, allowed map[uint32]bool) []uint32 {
	var out []uint32
	for _, h := range featuresOf(c) {
		for _, t := range e.terms.table[h] {
			if allowed[t] && (c.Kind != record.Categorical || e.stats.df[t] > 0) {
				out = append(out, t)
			}
		}
	}
	slices.SortFunc(out, e.byFrequency)
	return out
}

// isConstant reports a column that has one value wherever it has one.
func (e *encoder) isConstant(c record.Column, levels []uint32) bool {
	if c.Kind == record.Categorical {
		return len(levels) < 2
	}
	t := levels[0]
	lo, hi := e.stats.lo[t], e.stats.hi[t]
	absent := e.stats.stored[t] < e.stats.rows
	if absent && (e.schema.Sparse || c.Kind != record.Real) { // what is not stored is zero
		lo, hi = min(lo, 0), max(hi, 0)
	}
	return !(lo < hi)
}

// constantColumns is the rule that leaves columns out which never change.
const constantColumns = "constant columns"

func (e *encoder) reportConstant(names []string, of int) {
	if len(names) == 0 {
		return
	}
	e.sum.Rules = append(e.sum.Rules, Rule{constantColumns, of, of - len(names)})
	e.sum.warn(warn.Caution, "constant-columns", "",
		"%s never %s and %s left out: %s.", plural(len(names), "column"), verb(len(names), "changes", "change"),
		verb(len(names), "was", "were"), shortList(names))
}

func shortList(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
