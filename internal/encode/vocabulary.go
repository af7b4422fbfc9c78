package encode

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/moiety-go/moiety/record"
)

// The vocabulary that nobody asked for: measured on raw speeches and papers, it
// is the bound above that makes topics readable. The one below is a fixed few: by
// a share of the documents short texts lost most of their words (decision 0135).
const (
	rareCount    = 3 // words in fewer documents tell nothing
	rareFew      = 2 // where there are few documents
	fewDocuments = 200
	mostShare    = 0.5 // words in more documents are in every topic
	mostWords    = 5000
	leastWords   = 200 // never fewer, if there are so many
)

// sensible leaves out words that are in too few or too many documents, and all
// but the most frequent of the rest. list is sorted by falling frequency.
func (e *encoder) sensible(list []uint32) []uint32 {
	if len(list) <= leastWords {
		return list
	}
	n := e.stats.records
	low, high := rareCount, int(mostShare*float64(n))
	if n < fewDocuments {
		low = rareFew
	}
	fits := func(t uint32) bool { df := int(e.stats.df[t]); return df >= low && df <= high }
	keep := map[uint32]bool{}
	for _, t := range list {
		if fits(t) && len(keep) < mostWords {
			keep[t] = true
		}
	}
	e.fill(keep, list, high)
	return e.rule(fmt.Sprintf("words in %d to %d records, %d at most", low, high, mostWords), true, list, func(t uint32) bool { return keep[t] })
}

// fill adds words until there are enough: those in most records but not in too
// many, then the others.
func (e *encoder) fill(keep map[uint32]bool, list []uint32, high int) {
	if len(keep) >= leastWords {
		return
	}
	rest := slices.Clone(list)
	slices.SortStableFunc(rest, func(a, b uint32) int { return int(e.stats.df[b]) - int(e.stats.df[a]) })
	for _, all := range []bool{false, true} {
		for _, t := range rest {
			if len(keep) < leastWords && (all || int(e.stats.df[t]) <= high) {
				keep[t] = true
			}
		}
	}
}

// countsWords reports counts whose features have the names of words: letters
// of one case. Genes, codes and numbered columns are none, and neither are the few
// columns of a table: "visits", "falls" and "admissions" are no vocabulary.
func (e *encoder) countsWords() bool {
	const most, fewColumns = 0.8, 50
	if e.kind != record.Counts || e.raw.Len() == 0 || e.schema.Format == "counts" && e.raw.Len() < fewColumns {
		return false
	}
	words := 0
	for _, name := range e.raw.Names() {
		if isWord(name) {
			words++
		}
	}
	return float64(words) >= most*float64(e.raw.Len())
}

// isWord reports two or more letters without a capital one, or a word with an
// apostrophe or a hyphen inside.
func isWord(name string) bool {
	letters := 0
	for _, r := range name {
		switch {
		case unicode.IsUpper(r):
			return false
		case unicode.IsLetter(r):
			letters++
		case r != '\'' && r != '-' && r != '_' && r != '’':
			return false
		}
	}
	return letters >= 2
}
