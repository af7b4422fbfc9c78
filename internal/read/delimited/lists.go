package delimited

import (
	"slices"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
)

// family is a set of columns named alike: a stem and a number.
type family struct {
	stem    string
	columns []int
	filled  int // values that are not missing
}

var numbered = pattern.New(`^(.*?)[_ .]?0*(\d+)$`)

// families returns the columns with one stem, in the order of the table.
func families(p *Profile) []family {
	var out []family
	place := map[string]int{}
	for i := range p.Columns {
		m := numbered.FindStringSubmatch(p.Columns[i].Name)
		if m == nil {
			continue
		}
		stem := strings.ToLower(m[1])
		at, ok := place[stem]
		if !ok {
			at = len(out)
			place[stem] = at
			out = append(out, family{stem: stem})
		}
		out[at].columns = append(out[at].columns, i)
		out[at].filled += p.Columns[i].Rows
	}
	return out
}

// listFamily returns the columns that look like a list of codes: named alike,
// more than one, with many values that are codes.
func listFamily(p *Profile, o Options) (best family, ok bool) {
	for _, f := range families(p) {
		if len(f.columns) < 2 || f.filled == 0 || !f.coded(p, o) {
			continue
		}
		known, bestKnown := diagnosis(f.stem), ok && diagnosis(best.stem)
		if !ok || known && !bestKnown || known == bestKnown && f.filled > best.filled {
			best, ok = f, true
		}
	}
	if ok {
		best.join(p, o)
	}
	return best, ok
}

// diagnosis reports a stem that only columns of codes have.
func diagnosis(stem string) bool {
	for _, word := range []string{"dgns", "dx", "diag", "icd", "cie"} {
		if strings.Contains(stem, word) {
			return true
		}
	}
	return false
}

// Bounds of lists of codes.
const (
	answerLevels = 12  // a set of columns with no more values than this holds answers
	mostRepeats  = 0.1 // share of rows in which a list of codes repeats one
)

// coded reports whether the columns hold codes, by what is in them: codes hardly
// repeat within a row and are many, answers repeat and have few levels. A name
// such as dx helps where there are few rows; it is no evidence against numbers
// that are too small for codes.
func (f family) coded(p *Profile, o Options) bool {
	numbers, binary, whole, codes, rows := 0, 0, 0, 0, 0
	for _, i := range f.columns {
		c := &p.Columns[i]
		numbers, binary, rows = numbers+c.Numbers, binary+c.Binary, rows+c.Rows
		whole, codes = whole+c.Whole, codes+c.Codes
	}
	values := f.values(p)
	if binary >= rows*98/100 || len(values) < 2 {
		return false
	}
	named := diagnosis(f.stem)
	evidence := o.evidence(values)
	switch {
	case named && (evidence > -float64(len(values)) || o.Coded == nil && codes*10 >= rows*8 && !small(values)):
		return len(values) > answerLevels || f.repeats(p) <= mostRepeats
	case len(values) <= answerLevels && evidence <= 2*sureCodes || f.repeats(p) > mostRepeats:
		return false
	case evidence > sureCodes:
		return true
	}
	return numbers < rows/2 && f.shared(p) > 0.2
}

// join adds the columns that hold codes of the same system whatever they are called, such as
// the main diagnosis in front of numbered ones: most of their cells are codes of the list, or
// they are codes beyond doubt and written as those are. A column that repeats codes of its
// row, such as what somebody was admitted for, is no part of the list, nor are the columns of
// another list, such as that of procedures.
func (f *family) join(p *Profile, o Options) {
	told := newPlan().labels(p, o)
	for _, other := range families(p) {
		if len(other.columns) > 1 {
			for _, i := range other.columns {
				told[i] = true
			}
		}
	}
	listed, forms := map[string]bool{}, map[string]bool{}
	for _, i := range f.columns {
		for text := range p.Columns[i].sample {
			listed[text], forms[formOf(text)] = true, true
		}
	}
	for _, name := range []string{o.ID, o.Time, o.Count, o.Version} {
		if i, err := p.find(name); err == nil {
			told[i] = true
		}
	}
	own := *f
	for i := range p.Columns {
		c := &p.Columns[i]
		if told[i] || c.Rows == 0 || c.Distinct < 2 || c.words() || c.Binary == c.Rows || otherSystem.MatchString(c.Name) {
			continue
		}
		known := c.cellsIn(func(text string) bool { return listed[text] })
		formed := c.cellsIn(func(text string) bool { return forms[formOf(text)] && text[0] > '9' })
		same := 2*known >= c.Rows && (o.Coded == nil || c.evidence(o) > 0) || c.evidence(o) > sureCodes && 10*formed >= 9*c.Rows
		if same && own.again(p, i) <= mostRepeats {
			f.columns = append(f.columns, i)
			f.filled += c.Rows
		}
	}
	slices.Sort(f.columns)
}

// cellsIn counts the cells whose values are of a kind.
func (c *Column) cellsIn(of func(text string) bool) (n int) {
	for text, v := range c.sample {
		if of(text) {
			n += v.n
		}
	}
	return n
}

// formOf writes how a code is written: I50.9 and C44.1 as A99.9.
func formOf(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
			return 'A'
		}
		return r
	}, text)
}

// again is the share of the first rows in which a column has a code that one of the list has
// too, among those in which both have some.
func (f family) again(p *Profile, column int) float64 {
	again, all := 0, 0
	for _, row := range p.top {
		if column >= len(row) || missing([]byte(row[column])) {
			continue
		}
		there, same := false, false
		for _, i := range f.columns {
			if i < len(row) && !missing([]byte(row[i])) {
				there, same = true, same || row[i] == row[column]
			}
		}
		if there {
			all++
			if same {
				again++
			}
		}
	}
	return float64(again) / float64(max(all, 1))
}

// small reports numbers of one or two digits alone.
func small(values []string) bool {
	for _, v := range values {
		if len(v) > 2 {
			return false
		}
	}
	return true
}

// values returns the different values of all columns, in order.
func (f family) values(p *Profile) []string {
	seen := map[string]bool{}
	for _, i := range f.columns {
		for v := range p.Columns[i].sample {
			seen[v] = true
		}
	}
	out := make([]string, 0, len(seen))
	for v := range seen {
		out = append(out, v)
	}
	sort.Strings(out)
	return spread(out, mostEvidence)
}

// mostEvidence is the number of values that are asked about.
const mostEvidence = 400

// spread returns at most n of the values, evenly.
func spread(values []string, n int) []string {
	if len(values) <= n {
		return values
	}
	out := make([]string, n)
	for i := range out {
		out[i] = values[i*len(values)/n]
	}
	return out
}

// repeats is the share of the first rows in which a value comes twice, among
// those with at least two values.
func (f family) repeats(p *Profile) float64 {
	again, all := 0, 0
	for _, row := range p.top {
		seen, n, twice := map[string]bool{}, 0, false
		for _, i := range f.columns {
			if i >= len(row) || missing([]byte(row[i])) {
				continue
			}
			n++
			twice = twice || seen[row[i]]
			seen[row[i]] = true
		}
		if n > 1 {
			all++
			if twice {
				again++
			}
		}
	}
	return float64(again) / float64(max(all, 1))
}

// shared is the share of the values of the later columns that the first one
// holds too.
func (f family) shared(p *Profile) float64 {
	first := p.Columns[f.columns[0]].sample
	in, all := 0, 0
	for _, i := range f.columns[1:] {
		for v := range p.Columns[i].sample {
			all++
			if _, ok := first[v]; ok {
				in++
			}
		}
	}
	return float64(in) / float64(max(all, 1))
}

// sureCodes is the evidence from which values are codes without a name that
// says so.
const sureCodes = 8

// evidence asks whoever knows code systems; 0 where nobody does.
func (o Options) evidence(values []string) float64 {
	if o.Coded == nil {
		return 0
	}
	return o.Coded(values)
}

// codeColumn returns the free column whose values are codes beyond doubt.
func (pl *plan) codeColumn(p *Profile, o Options) int {
	best, most := none, float64(sureCodes)
	for i := range p.Columns {
		c := &p.Columns[i]
		if pl.taken(i) || i == pl.time || c.Rows == 0 || c.Distinct < 5 {
			continue
		}
		if e := c.evidence(o); e > most {
			best, most = i, e
		}
	}
	return best
}

// namedCodes is the evidence that is enough in a column named like diagnoses.
const namedCodes = 2

// codeOfRow returns the column that holds one code a row: named like one, or
// codes beyond doubt, where rows are numbered. Codes are never averaged.
func (p *Profile) codeOfRow(o Options) int {
	for i := range p.Columns {
		c := &p.Columns[i]
		if c.Rows == 0 || c.Distinct < 2 || c.Binary == c.Rows || small(c.ordered()) || c.words() {
			continue
		}
		named := diagnosis(strings.ToLower(c.Name)) || codeName.MatchString(c.Name) && c.Numbers > 0
		if e := c.evidence(o); named && e > namedCodes || e > sureCodes && c.Distinct >= 5 && p.Columns[0].Unique() && i > 0 {
			return i
		}
	}
	return none
}

// codesOfRow returns the columns of codes, of which the first is known: a list may
// fill several, such as the main diagnosis and the others. Where columns have names,
// only codes beyond doubt join.
func (p *Profile) codesOfRow(first int, o Options) []int {
	var columns []int
	least := float64(namedCodes)
	if p.Header {
		least = sureCodes
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if i == first || (i > first || p.Header && !c.Unique()) && c.Distinct >= 2 && !(p.Header && c.words()) && c.evidence(o) > least {
			columns = append(columns, i)
		}
	}
	return columns
}

// evidence is that of the values as they stand, with a decimal comma, parted where a
// cell holds several, or without what stands behind a code.
func (c *Column) evidence(o Options) float64 {
	if o.Coded == nil {
		return 0
	}
	if c.coded == nil {
		e := evidenceOf(c.ordered(), o)
		c.coded = &e
	}
	return *c.coded
}

func evidenceOf(whole []string, o Options) float64 {
	best := o.Coded(whole)
	if !slices.ContainsFunc(whole, func(text string) bool { return strings.ContainsAny(text, codeSigns) }) {
		return best
	}
	var dotted, parts, heads []string
	for _, text := range whole {
		dotted = append(dotted, strings.Replace(text, ",", ".", 1))
		parts = append(parts, splitCell(text, codeSigns)...)
		heads = append(heads, headOf(text))
	}
	return max(best, o.Coded(dotted), o.Coded(parts), o.Coded(unique(heads)))
}

// medical reports codes of medicine beyond doubt in one of the columns, whatever their
// names: the records are then of people's health.
func (p *Profile) medical(o Options, columns ...int) bool {
	return slices.ContainsFunc(columns, func(i int) bool { return i != none && p.Columns[i].evidence(o) > sureCodes })
}
