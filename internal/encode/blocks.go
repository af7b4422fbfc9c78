package encode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/vocab"
)

// blocks groups the features of a joined roll-up: a code and its parents depend
// on each other by definition, so features that share a code form one column.
// Blocks come by falling frequency of their most frequent feature, inside them
// coarse features first. Other features stay as they are, without columns.
func (e *encoder) blocks(order []uint32) ([]uint32, []vocab.Column) {
	if len(e.plan.Levels) < 2 {
		return order, nil
	}
	groups, first := e.related(order), e.byFrequency
	if e.s.ByName {
		first = e.byName
	}
	slices.SortFunc(groups, func(a, b []uint32) int { return first(slices.MinFunc(a, first), slices.MinFunc(b, first)) })
	order = order[:0:0]
	var columns []vocab.Column
	for _, g := range groups {
		slices.SortFunc(g, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(e.plan.rank(e.terms.dict.Name(b)), e.plan.rank(e.terms.dict.Name(a))), first(a, b))
		})
		kind := vocab.Presence
		if e.s.Counts {
			kind = vocab.Counts
		}
		columns = append(columns, vocab.Column{Name: e.terms.dict.Name(g[0]), Kind: kind, From: len(order), To: len(order) + len(g)})
		order = append(order, g...)
	}
	return order, columns
}

// Ranks of names, from coarse to fine.
const (
	rankChapter = 3 - iota
	rankGroup
	rankCategory
	rankFull
)

// rank returns the level of a name: chapters over CCS groups over categories
// over full codes.
func (p *Plan) rank(name string) int {
	system, key := codes.Cut(name)
	if system == "" {
		system = p.System
	}
	switch {
	case strings.HasPrefix(key, "chapter:"):
		return rankChapter
	case strings.HasPrefix(key, "ccs:"):
		return rankGroup
	case codes.Category(system, key) == key:
		return rankCategory
	}
	return rankFull
}

// related returns the connected groups of chosen terms that some code rolls up
// to together.
func (e *encoder) related(order []uint32) [][]uint32 {
	parent := map[uint32]uint32{}
	for _, t := range order {
		parent[t] = t
	}
	root := func(t uint32) uint32 {
		for parent[t] != t {
			parent[t] = parent[parent[t]]
			t = parent[t]
		}
		return t
	}
	for _, list := range e.terms.table {
		first, found := uint32(0), false
		for _, t := range list {
			if _, chosen := parent[t]; !chosen {
				continue
			}
			if !found {
				first, found = t, true
			} else {
				parent[root(t)] = root(first)
			}
		}
	}
	at := map[uint32]int{}
	var groups [][]uint32
	for _, t := range order {
		r := root(t)
		if _, ok := at[r]; !ok {
			at[r] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[r]] = append(groups[at[r]], t)
	}
	return groups
}

// titles returns the titles of features: the user's, the source's, the built-in
// ones; nil where no feature has one.
func (e *encoder) titles(names []string) []string {
	out, any := make([]string, len(names)), false
	bySource := e.sourceTitles()
	for h, name := range names {
		system, key := codes.Cut(name)
		if system == "" || !e.plan.Mixed {
			system, key = e.plan.System, name
		}
		title := e.s.Titles[key]
		if title == "" && len(e.s.Titles) > 0 {
			title = e.s.Titles[codes.Normalize(key)]
		}
		if title == "" {
			title = bySource[name]
		}
		if title == "" && e.plan.isCodes() {
			title = builtIn(system, key)
		}
		out[h], any = title, any || title != ""
	}
	if !any {
		return nil
	}
	return out
}

func builtIn(system codes.System, key string) string {
	switch {
	case strings.HasPrefix(key, "chapter:"):
		return codes.Title(system, key, codes.Chapters)
	case strings.HasPrefix(key, "ccs:"):
		return codes.Title(system, key, codes.CCS)
	}
	return codes.Title(system, key, codes.Full)
}

// sourceTitles gives the source's own titles the names of terms: a code's text
// fits its full code only.
func (e *encoder) sourceTitles() map[string]string {
	out := make(map[string]string, len(e.schema.Titles))
	for _, raw := range e.raw.Names() {
		title := e.schema.Titles[raw]
		if title == "" {
			continue
		}
		name := raw
		if e.plan.isCodes() {
			name = e.plan.code(raw).roll(codes.Full, e.plan.Mixed)
		}
		if _, ok := out[name]; !ok {
			out[name] = title
		}
	}
	return out
}
