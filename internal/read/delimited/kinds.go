package delimited

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/record"
)

// kind is what a column of a table is, by all its cells.
type kind struct {
	kind    record.Kind
	fits    bool            // it can be a feature
	marks   map[string]bool // values that stand for a missing one
	answers bool            // whole numbers from 1 without gaps
	unit    bool            // cells have a unit behind
	ticked  bool            // a mark or nothing: nothing means no
	odd     int             // cells that are no numbers and are read as missing
	why     string          // it does not fit
}

// Bounds of the rules for columns.
const (
	mostAnswers = 10 // answers are 1 to at most this
	fewLevels   = 20 // whole numbers with a 0 and at most so many levels are counts
	// Frequent things are counted too, and a column of them has hardly a 0. So many
	// columns of counts draw as many others to them, where all numbers of the table are
	// whole and all columns begin near 0: at most a twentieth of what they reach, as
	// counts do and ages and pressures do not.
	manyCounts = 10
	nearZero   = 20

	numeric = 0.8 // share of numbers from which the rest is read as missing
	fewOdd  = 0.05
)

// figures are the numbers of a column without its marks.
type figures struct {
	n, whole, zeros, odd int
	least, most          float64
	levels               map[float64]bool // nil where there are too many
}

// judge decides about every column, once.
func (p *Profile) judge() []kind {
	if p.kinds != nil {
		return p.kinds
	}
	out := make([]kind, len(p.Columns))
	p.marks(out)
	for i := range p.Columns {
		p.Columns[i].judge(&out[i])
	}
	p.ticked(out)
	p.scales(out)
	p.alike(out)
	p.kinds = out
	return out
}

// figures counts the numbers of a column that are no marks.
func (c *Column) figures(marks map[string]bool) figures {
	f := figures{n: c.Numbers, whole: c.Whole, zeros: c.Zeros, odd: c.Rows - c.Numbers, least: c.least, most: c.most}
	if !c.full {
		f.levels = map[float64]bool{}
		f.least, f.most = 0, 0
		for text, v := range c.sample {
			if v.has(isNumber) == 0 || marks[text] {
				continue
			}
			if len(f.levels) == 0 {
				f.least, f.most = v.x, v.x
			}
			f.levels[v.x] = true
			f.least, f.most = min(f.least, v.x), max(f.most, v.x)
		}
	} else if len(marks) > 0 {
		if c.negatives > 0 && c.lowMarks() != nil {
			f.least = max(f.least, 0) // marks are the only numbers below 0
		}
		f.most = c.plain
		if zeros := c.zeroMarks(); len(zeros) > 0 && marks[zeros[0]] {
			f.least = c.above
		}
	}
	for text := range marks {
		if v := c.value(text); v != nil {
			n := v.n
			f.zeros -= n * v.has(isZero)
			f.n -= n * v.has(isNumber)
			f.whole -= n * v.has(isWhole)
			f.odd -= n * (1 - v.has(isNumber))
		}
	}
	return f
}

// value returns what is known of one value.
func (c *Column) value(text string) *value {
	if v := c.sample[text]; v != nil {
		return v
	}
	return c.odd[text]
}

// others returns the values that are no numbers, the most frequent first.
func (c *Column) others() []string {
	var out []string
	for _, m := range []map[string]*value{c.sample, c.odd} {
		for text, v := range m {
			if v.has(isNumber) == 0 && !(c.measured() && v.has(isUnit) == 1) && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := c.value(out[i]), c.value(out[j])
		return a.n > b.n || a.n == b.n && out[i] < out[j]
	})
	return out
}

// category names columns whose numbers are names.
var category = pattern.New(`(?i)(_id|type|code|class|zip|category)$`)

// postalName names columns of postal codes.
var postalName = pattern.New(`(?i)^(zip([_ .]?code)?|post(al)?[_ .]?code|postcode|plz|postleitzahl|c[oó]digo[_ .]postal|code[_ .]postal|cap|cep)$`)

// addressName names columns of numbers by which somebody is reached or paid.
var addressName = pattern.New(`(?i)^((tele)?(phone|fon)|tel|mobile|handy|m[oó]vil|fax|tel[eé]fono|t[eé]l[eé]phone|telefono)([_ .-]?(no|nr|num|number|nummer))?$|^(iban|konto|account|ssn|dni|nif|nie|passport)([_ .-]?(no|nr|num|number|nummer))?$`)

// judge decides about one column by what it holds; k has its marks.
func (c *Column) judge(k *kind) {
	if c.isDeclared() {
		c.judgeDeclared(k)
		return
	}
	if c.Rows == 0 {
		k.why = "it is empty"
		return
	}
	if c.judgeYesNo(k) {
		return
	}
	if c.measured() {
		k.kind, k.fits, k.odd, k.unit = record.Real, true, c.Rows-c.united-c.Numbers, true
		return
	}
	marks := c.absentMarks(k.marks)
	f := c.figures(marks)
	if f.n > 0 && float64(f.n) >= numeric*float64(f.n+f.odd) {
		k.marks = marks
	} else {
		f = c.figures(k.marks)
	}
	switch {
	case c.Times*10 >= 9*c.Rows, f.areDays(), f.areMoments(c.Name):
		k.why = "it holds dates"
		return
	case f.n == 0 || c.Zeroed > 0 || float64(f.n) < numeric*float64(f.n+f.odd):
		k.kind, k.fits = record.Categorical, c.levels()
		k.why = c.tooMany()
		k.marks = c.dashMarks(k.marks)
		return
	case personName.MatchString(c.Name) && (c.full || c.Distinct > fewLevels):
		k.why = "it says of whom a row is"
		return
	case category.MatchString(c.Name) && c.levels():
		k.kind, k.fits = record.Categorical, true
		return
	case postalName.MatchString(c.Name) && f.whole == f.n:
		k.why = "postal codes are names, not numbers"
		return
	case addressName.MatchString(c.Name) && f.whole == f.n:
		k.why = "numbers of telephones and accounts are names"
		return
	case c.numbering(f):
		k.why = "it looks like a number of records or people"
		return
	case f.odd > 0 && len(f.levels) > 0 && len(f.levels) <= mostAnswers && float64(f.odd) > fewOdd*float64(f.n+f.odd):
		k.kind, k.fits = record.Categorical, true // numbers and words as answers
		return
	}
	k.fits, k.odd = true, f.odd
	switch {
	case f.isAnswers() && c.limits+c.percents+c.thousands == 0:
		k.kind, k.answers = record.Categorical, true
	case f.whole == f.n && f.zeros > 0 && (f.zeros*20 >= f.n || f.levels != nil && len(f.levels) <= fewLevels):
		k.kind = record.Counts
	default:
		k.kind = record.Real
	}
}

// absentMarks adds the words that say in a column of numbers that there is none.
func (c *Column) absentMarks(marks map[string]bool) map[string]bool {
	if c.Numbers == c.Rows || c.Numbers == 0 {
		return marks
	}
	out := maps.Clone(marks)
	for _, text := range c.others() {
		if absent(text) {
			if out == nil {
				out = map[string]bool{}
			}
			out[text] = true
		}
	}
	return out
}

// dashMarks adds dashes, which are no answer beside words: - may be one beside +.
func (c *Column) dashMarks(marks map[string]bool) map[string]bool {
	for _, text := range []string{"-", "--", "---", "–", "—"} {
		if c.sample[text] == nil || text == "-" && c.Letters < 2*c.Rows {
			continue
		}
		if marks = maps.Clone(marks); marks == nil {
			marks = map[string]bool{}
		}
		marks[text] = true
	}
	return marks
}

// judgeYesNo decides about columns of 0/1, or of two words for yes and no. A
// word for "not known" among the digits is a missing value.
func (c *Column) judgeYesNo(k *kind) bool {
	if c.pairs != 0 && c.Binary == c.Rows {
		k.kind, k.fits = record.Presence, true
		return true
	}
	if c.full || c.Binary == 0 {
		return false
	}
	pairs, n := uint8(allPairs), 0
	marks := map[string]bool{}
	for text, v := range c.sample {
		if k.marks[text] || v.pairs&pairDigits == 0 && absent(text) {
			marks[text] = true
			continue
		}
		pairs &= v.pairs
		n += v.n
	}
	if pairs&pairDigits == 0 || n == 0 || 2*n < c.Rows {
		return false
	}
	k.kind, k.fits, k.marks = record.Presence, true, marks
	return true
}

// isAnswers reports whole numbers from 1 to at most ten without gaps, each of
// them several times.
func (f figures) isAnswers() bool {
	return f.levels != nil && f.whole == f.n && f.least == 1 && f.most >= 2 && f.most <= mostAnswers &&
		len(f.levels) == int(f.most) && f.n >= 3*len(f.levels)
}

// areDays reports numbers such as 20081231, all of them days of the calendar.
func (f figures) areDays() bool {
	if f.n == 0 || f.whole != f.n || f.least < 18000101 || f.most > 21001231 {
		return false
	}
	for x := range f.levels {
		n := int(x)
		if m, d := n/100%100, n%100; m < 1 || m > 12 || d < 1 || d > 31 {
			return false
		}
	}
	return f.levels != nil || f.most-f.least > 10000
}

// momentName names columns of times that are written as numbers.
var momentName = pattern.New(`(?i)(date|datum|fecha|time|zeit|hora|_at|_on|_ts|_dt|^ts)$|^(time|date|fecha|datum|zeit)`)

// areMoments reports numbers that are times by their name and size: seconds or
// milliseconds since 1970, or the days of a spreadsheet, from 1973 on.
func (f figures) areMoments(name string) bool {
	if f.n == 0 || f.whole != f.n || !momentName.MatchString(name) {
		return false
	}
	const second, day = 1e8, 26_700
	return f.least >= second && f.most < 50*second || f.least >= 1000*second && f.most < 50_000*second || f.least >= day && f.most < 3*day
}

// numberName names columns that number records or people.
var numberName = pattern.New(`(?i)^(.*[_ .](id|nr|no|num|number|nbr|key)|id|nr|no|mrn|nhc|pid|index|row|record.*)$`)

// numbering reports whole numbers that name records: averaging them is wrong.
func (c *Column) numbering(f figures) bool {
	if f.whole != f.n || c.Rows < 3 {
		return false
	}
	many := c.full || 2*c.Distinct > c.Rows
	return many && (numberName.MatchString(c.Name) || personName.MatchString(c.Name) || stayName.MatchString(c.Name))
}

// alike settles columns that are like their neighbours: in a table of counts a
// column that never happens to be 0, in a table of answers one whose levels
// have a gap.
func (p *Profile) alike(out []kind) {
	counts, answers, reals, high, most, fromZero := 0, 0, 0, 0, 0.0, 0.0
	for i, k := range out {
		f := p.Columns[i].figures(k.marks)
		if k.fits && f.whole != f.n {
			high++
		}
		if !k.fits || f.n == 0 || f.whole != f.n {
			continue
		}
		switch {
		case k.kind == record.Counts:
			counts++
		case k.kind == record.Real:
			reals++
			if f.least*nearZero > f.most {
				high++
			}
		case k.answers:
			answers++
			most = max(most, f.most)
			if f.least == 0 {
				fromZero = max(fromZero, f.most)
			}
		}
	}
	counted := counts >= 5*reals || counts >= manyCounts && counts >= reals && high == 0
	for i := range out {
		k, f := &out[i], p.Columns[i].figures(out[i].marks)
		if p.Columns[i].isDeclared() || !k.fits || f.n == 0 || f.whole != f.n || k.kind == record.Presence {
			continue
		}
		switch {
		case counts >= 3 && counts > 3*answers && counted && (k.answers || k.kind == record.Real):
			k.kind, k.answers = record.Counts, false
		case answers >= 3 && answers > 2*counts && f.levels != nil && k.kind != record.Categorical &&
			(f.least >= 0 && f.most <= fromZero || f.least >= 1 && f.most <= most && k.kind == record.Real):
			k.kind, k.answers = record.Categorical, true
		}
	}
}

// marks finds numbers that stand for a missing value: -9 where nothing else is
// below 0, 99 above answers of one digit in several columns, 999 far above
// measurements, a few zeros far below them.
func (p *Profile) marks(out []kind) {
	high, small := map[string][]int{}, 0
	for i := range p.Columns {
		c := &p.Columns[i]
		if low := c.lowMarks(); low != nil {
			out[i].marks = low
		}
		if !c.full && c.all(c.Whole) && c.Distinct <= mostAnswers {
			small++
		}
		for _, text := range slices.Concat(c.highMarks(), c.farMarks(), c.zeroMarks()) {
			high[text] = append(high[text], i)
		}
	}
	for text, columns := range high {
		if len(columns) < 2 && len(p.Columns) > 1 || p.mayCount(text, columns) && 2*len(columns) < small {
			continue
		}
		for _, i := range columns {
			if out[i].marks == nil {
				out[i].marks = map[string]bool{}
			}
			out[i].marks[text] = true
		}
	}
}

// mayCount reports a 9 above numbers from 0: in a table of counts a few columns
// may have it by chance, and as a mark most have it.
func (p *Profile) mayCount(text string, columns []int) bool {
	return text == "9" && p.Columns[columns[0]].least == 0
}

// farMarks returns numbers of nines far above all others of a column of
// measurements: nothing lies between a third of them and them.
func (c *Column) farMarks() []string {
	const far = 3
	var out []string
	for _, m := range []map[string]*value{c.sample, c.odd} {
		for text, v := range m {
			if nines(v.x) && v.has(isNumber) == 1 && v.n >= 2 && c.plain > 0 && v.x > far*c.plain && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	sort.Strings(out)
	return out
}

// zeroMarks returns the zeros of a column of measurements if they can only be marks: few of
// them, with half as much room above them as all others take. Nobody has a blood pressure of 0.
func (c *Column) zeroMarks() []string {
	const enough, rare, room = 50, 20, 2
	if c.least != 0 || c.Zeros < 2 || rare*c.Zeros > c.Numbers || c.Numbers < enough || !c.full && c.Distinct <= mostAnswers ||
		room*c.above < c.plain-c.above {
		return nil
	}
	var out []string
	for _, m := range []map[string]*value{c.sample, c.odd} {
		for text, v := range m {
			if v.has(isZero) == 1 && v.n >= 2 && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	sort.Strings(out)
	return out
}

// nines reports numbers that stand for a missing measurement.
func nines(x float64) bool {
	switch x {
	case 99, 999, 9999, 99999, 999999, 99.9, 999.9, 99.99, 999.99, 9999.99, 888, 8888, 777, 7777:
		return true
	}
	return false
}

// lowMarks returns the numbers below 0 of a column if they can only be marks.
func (c *Column) lowMarks() map[string]bool {
	if c.negatives == 0 || 2*c.negatives >= c.Rows || c.Numbers == 0 {
		return nil
	}
	marks, n := map[string]bool{}, 0
	for _, m := range []map[string]*value{c.sample, c.odd} {
		for text, v := range m {
			if v.x >= 0 || v.has(isNumber) == 0 || marks[text] {
				continue
			}
			switch v.x {
			case -9, -99, -999, -9999, -8, -88, -7, -77, -98, -97:
			default:
				return nil
			}
			marks[text] = true
			n += v.n
		}
	}
	if n != c.negatives || len(marks) > 3 {
		return nil
	}
	return marks
}

// highMarks returns 9, 99 and the like that lie above small whole numbers with
// a gap between.
func (c *Column) highMarks() []string {
	if c.full || c.Distinct > 20 || c.Numbers == 0 || c.Whole+c.negatives < c.Numbers {
		return nil
	}
	top, seen := 0.0, map[float64]string{}
	for text, v := range c.sample {
		if v.has(isNumber) == 0 || v.x < 0 {
			continue
		}
		switch v.x {
		case 9, 77, 88, 97, 98, 99, 999:
			seen[v.x] = text
		default:
			top = max(top, v.x)
		}
	}
	var out []string
	for x, text := range seen {
		few := top <= 4 && top >= 1 && c.least == 0 && float64(c.Distinct-len(seen)) == top+1 // 0 1 3 9 are counts
		if x > 9 && top <= mostAnswers && top >= 1 || x == 9 && (top <= 7 && top >= 2 && c.least >= 1 || few) {
			out = append(out, text)
		}
	}
	sort.Strings(out)
	return out
}

// noteMarks words the marks that were found among the features.
func (pl *plan) noteMarks(p *Profile) {
	columns := map[string][]string{}
	for _, f := range pl.features {
		for text := range f.marks {
			if v := p.Columns[f.column].value(text); v != nil {
				columns[text] = append(columns[text], p.Columns[f.column].Name)
			}
		}
	}
	texts := make([]string, 0, len(columns))
	for text := range columns {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	for _, text := range texts {
		pl.aside("%s stands in %s and is read as missing", text, someOf(columns[text], 5, len(pl.features)))
	}
}

// someOf writes a few names and how many there are of how many.
func someOf(names []string, most, of int) string {
	if len(names) == 1 {
		return "column " + names[0]
	}
	s := fmt.Sprintf("%s of %s columns (%s", record.Thousands(len(names)), record.Thousands(of), strings.Join(names[:min(most, len(names))], ", "))
	if len(names) > most {
		s += ", …"
	}
	return s + ")"
}
