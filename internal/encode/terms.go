package encode

import (
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/record"
)

// terms turns the raw features of a source (words, codes as written, columns)
// into terms: what may become a feature. A code gives a term for every level of
// its roll-up; a word its stem and, with the words before it, n-grams.
type terms struct {
	plan *Plan
	dict *record.Dict
	own  bool // dict is that of the raw features: every one is a term of its own
	// known, where it is set, is a closed vocabulary: other terms do not exist.
	known map[string]uint32

	table   [][]uint32 // by raw feature, for codes and plain features
	key     []uint32   // by raw feature: equal for two spellings of one code
	keys    *record.Dict
	outcome []codes.Outcome

	isWords bool
	stop    map[string]bool
	stem    func(string) string
	word    []string // by raw feature: the stem, "" for a stop word
	unigram []int32  // by raw feature: its term, -1 for none
	kept    []uint32 // words of a row without the stop words
	name    []byte

	unknown []int // by raw feature: occurrences without a term
	stopped int   // tokens that are stop words
}

func newTerms(p *Plan) (*terms, error) {
	t := &terms{plan: p, dict: record.NewDict(), keys: record.NewDict(), isWords: p.Words}
	if !p.Words {
		return t, nil
	}
	t.stop = map[string]bool{}
	if set, ok := stopSetOf(p.Stopwords); ok {
		t.stop = set
	}
	if p.Stopwords == "list" {
		for _, w := range p.StopList {
			t.stop[strings.ToLower(strings.TrimSpace(w))] = true
		}
	}
	if p.Stem {
		var err error
		t.stem, err = stemmer(p.Language)
		return t, err
	}
	return t, nil
}

// find returns the number of a term, -1 where a closed vocabulary lacks it.
func (t *terms) find(name string) int32 {
	if t.known == nil {
		return int32(t.dict.Add(name))
	}
	if n, ok := t.known[name]; ok {
		return int32(n)
	}
	return -1
}

// grow learns about raw features that are new since the last call.
func (t *terms) grow(names []string) {
	if t.own {
		t.growOwn(len(names))
		return
	}
	for raw := len(t.unknown); raw < len(names); raw++ {
		t.unknown = append(t.unknown, 0)
		switch {
		case t.isWords:
			t.addWord(names[raw])
		case t.plan.isCodes():
			t.addCode(names[raw])
		default:
			t.table = append(t.table, t.list([]string{names[raw]}))
			t.key = append(t.key, uint32(raw))
		}
	}
}

// growOwn learns of raw features up to the nth that are terms of their own.
func (t *terms) growOwn(n int) {
	old := len(t.unknown)
	t.unknown = append(t.unknown, make([]int, n-old)...)
	t.key, t.table = slices.Grow(t.key, n-old), slices.Grow(t.table, n-old)
	for raw := old; raw < n; raw++ {
		t.key = append(t.key, uint32(raw))
	}
	for raw := old; raw < n; raw++ {
		t.table = append(t.table, t.key[raw:raw+1:raw+1])
	}
}

func (t *terms) addWord(name string) {
	if t.stop[name] {
		t.word, t.unigram = append(t.word, ""), append(t.unigram, -1)
		return
	}
	if t.stem != nil {
		name = t.stem(name)
	}
	t.word, t.unigram = append(t.word, name), append(t.unigram, t.find(name))
}

func (t *terms) addCode(name string) {
	c := t.plan.code(name)
	var list []string
	for _, level := range t.plan.Levels {
		list = append(list, c.roll(level, t.plan.Mixed))
	}
	t.table = append(t.table, t.list(list))
	t.key = append(t.key, t.keys.Add(c.system.Prefix()+c.key))
	t.outcome = append(t.outcome, c.outcome)
}

// list returns the numbers of names, without doubles and unknown ones.
func (t *terms) list(names []string) []uint32 {
	var out []uint32
	for _, name := range names {
		n := t.find(name)
		if n < 0 {
			continue
		}
		double := false
		for _, o := range out {
			double = double || o == uint32(n)
		}
		if !double {
			out = append(out, uint32(n))
		}
	}
	return out
}

// code is a code of the source, understood.
type code struct {
	system  codes.System
	key     string
	outcome codes.Outcome
}

// code reads a code: its version from its mark, from the plan, or from what it
// looks like where both versions are present.
func (p *Plan) code(name string) code {
	system, rest := codes.Cut(strings.TrimSpace(name))
	switch {
	case system == "" && p.Marked:
		return code{codes.None, rest, codes.Untouched}
	case system == "":
		system = p.System
		if p.Mixed {
			system = p.Vote.SystemOf(codes.Normalize(rest))
		}
	}
	if system != codes.ICD9 {
		return code{system, codes.Normalize(rest), codes.Untouched}
	}
	key, outcome := p.Zeros.Repair(rest)
	return code{system, key, outcome}
}

// roll returns the name of the code at a level; a code that has no place there
// stays what it is.
func (c code) roll(level codes.Level, mixed bool) string {
	name, ok := codes.Roll(c.system, c.key, level)
	if !ok {
		name = c.key
	}
	if mixed {
		name = c.system.Prefix() + name
	}
	return name
}

// single returns the term of every raw feature, -1 for none, and whether each
// has at most one: no n-grams, no roll-up to several levels.
func (t *terms) single() ([]int32, bool) {
	if t.isWords {
		return t.unigram, t.plan.Ngrams <= 1
	}
	one := make([]int32, len(t.table))
	for raw, list := range t.table {
		switch len(list) {
		case 0:
			one[raw] = -1
		case 1:
			one[raw] = int32(list[0])
		default:
			return nil, false
		}
	}
	return one, true
}

// row hands the terms of a raw row to emit, with their values.
func (t *terms) row(feature []uint32, value []float64, emit func(term uint32, v float64)) {
	if t.isWords {
		t.words(feature, value, emit)
		return
	}
	for e, raw := range feature {
		v := 1.0
		if value != nil {
			v = value[e]
		}
		if len(t.table[raw]) == 0 {
			t.unknown[raw]++
		}
		for _, term := range t.table[raw] {
			emit(term, v)
		}
	}
}

func (t *terms) words(feature []uint32, value []float64, emit func(uint32, float64)) {
	t.kept = t.kept[:0]
	for e, raw := range feature {
		v := 1.0
		if value != nil {
			v = value[e]
		}
		if t.word[raw] == "" {
			t.stopped++
			continue
		}
		t.kept = append(t.kept, raw)
		if u := t.unigram[raw]; u >= 0 {
			emit(uint32(u), v)
		} else {
			t.unknown[raw]++
		}
		for n := 2; n <= min(t.plan.Ngrams, len(t.kept)); n++ {
			if g := t.gram(t.kept[len(t.kept)-n:]); g >= 0 {
				emit(uint32(g), v)
			}
		}
	}
}

// gram returns the term of a run of words, joined by spaces.
func (t *terms) gram(run []uint32) int32 {
	t.name = t.name[:0]
	for i, raw := range run {
		if i > 0 {
			t.name = append(t.name, ' ')
		}
		t.name = append(t.name, t.word[raw]...)
	}
	if t.known == nil {
		return int32(t.dict.AddBytes(t.name))
	}
	if n, ok := t.known[string(t.name)]; ok {
		return int32(n)
	}
	return -1
}
