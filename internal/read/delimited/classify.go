package delimited

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/record"
)

// Classify says what shape the table has, and why, in words for people. Its
// answer is a guess from the start of the table; options always win.
func (p *Profile) Classify(o Options) (Shape, string) {
	if len(o.Kinds) > 0 && o.Code == "" && o.Text == "" {
		return p.wide(o)
	}
	times := p.times(o)
	if times != nil && p.areSteps(times, o) {
		return Sequences, "looks like sequences: " + p.span(times) + " are points in time with a few states"
	}
	shape, reason := p.otherwise(o)
	if times != nil && Wide(shape) {
		reason += "; as sequences of " + p.span(times) + ": --format sequences"
	}
	return shape, reason
}

// otherwise is Classify of a table without columns for points in time.
func (p *Profile) otherwise(o Options) (Shape, string) {
	if len(o.Columns) > 0 && o.Code == "" && o.Text == "" {
		return p.wide(o)
	}
	if strings.ContainsAny(o.Code, "*?[,") {
		return List, "is read as a wide list: --code names the columns " + o.Code
	}
	if f, ok := listFamily(p, o); ok && o.Text == "" && o.Code == "" {
		first, last := p.Columns[f.columns[0]].Name, p.Columns[f.columns[len(f.columns)-1]].Name
		return List, fmt.Sprintf("looks like a wide list: the columns %s to %s hold codes", first, last)
	}
	if reason, ok := p.panel(o); ok && o.Text == "" {
		return Sequences, reason
	}
	if reason, ok := p.long(o); ok && (o.Text == "" || o.Code != "") {
		return Long, reason
	}
	if o.Code != "" && o.Text == "" {
		return List, "is read as one code a record: column " + o.Code
	}
	if i := p.codeOfRow(o); i != none && o.Text == "" {
		if all := p.codesOfRow(i, o); len(all) > 1 {
			return List, fmt.Sprintf("looks like a wide list: the columns %s to %s hold codes", p.Columns[all[0]].Name, p.Columns[all[len(all)-1]].Name)
		}
		return List, "looks like one code a record: column " + p.Columns[i].Name
	}
	if reason, ok := p.Ways(o); ok && o.Text == "" {
		return Sequences, reason
	}
	if i, how := p.manyOfRow(o); i != none && o.Text == "" {
		return List, fmt.Sprintf("looks like several %s a cell, with %s between them: column %s", how.names(), how.between(), p.Columns[i].Name)
	}
	if i := wordiest(p); i != none || o.Text != "" {
		name := o.Text
		if name == "" {
			name = p.Columns[i].Name
		}
		return Text, fmt.Sprintf("looks like a table with running text: column %s", name)
	}
	return p.wide(o)
}

// states reports whether the values of the columns are words, not
// measurements.
func (p *Profile) states(columns []int) bool {
	numbers, rows := 0, 0
	for _, i := range columns {
		numbers += p.Columns[i].Numbers
		rows += p.Columns[i].Rows
	}
	return numbers*2 < rows
}

// long recognises id, code[, count][, time]: few columns, an id that comes
// again, and a column of codes.
func (p *Profile) long(o Options) (string, bool) {
	if len(p.Columns) < 2 || len(p.Columns) > 12 {
		return "", false
	}
	pl := newPlan()
	if pl.given(p, o) != nil || pl.pickCode(p, o) != nil {
		return "", false
	}
	named := o.ID != "" && o.Code != ""
	if pl.id == none {
		pl.id = firstOf(pl.pick(p, personName, (*Column).names), pl.pick(p, stayName, (*Column).names), pl.pick(p, idName, (*Column).names))
	}
	if pl.id == none && (len(p.Columns) <= 3 || !p.Header) {
		pl.id = p.longID(pl)
	}
	if pl.id == none {
		return p.longByContent(pl, o)
	}
	if pl.code == none {
		pl.code = pl.namedCode(p, o, func(c *Column) bool { return c.share(c.Binary) < 0.98 })
	}
	if pl.code == none && !p.Header && len(p.Columns) <= 4 && pl.id == 0 {
		if c := &p.Columns[1]; c.Distinct > 2 && !c.words() && c.share(c.Codes+c.Rows-c.Numbers) >= 0.98 {
			pl.code = 1
		}
	}
	if pl.code == none {
		return p.longByContent(pl, o)
	}
	id, code := &p.Columns[pl.id], &p.Columns[pl.code]
	if !named && id.Repeats() {
		return fmt.Sprintf("looks like a long table: column %s repeats, column %s has %s different values", id.Name, code.Name, p.distinct(code)), true
	}
	return fmt.Sprintf("looks like a long table: column %s is the id, column %s the code", id.Name, code.Name), true
}

// names reports values that come again and may say of whom a row is: no dates, as
// "admission" may hold.
func (c *Column) names() bool { return c.Repeats() && c.Times == 0 }

// longByContent recognises a long table whose names say nothing, such as those of
// another language: a column of codes beyond doubt, and in front of it one that
// repeats and is no measurement.
func (p *Profile) longByContent(pl *plan, o Options) (string, bool) {
	code := pl.code
	if code == none {
		code = pl.codeColumn(p, o)
	}
	if code == none {
		return p.longByOwners(pl, o)
	}
	if pl.id == none && p.Columns[0].Unique() && code > 0 {
		return "", false // a row is a record, and has one code
	}
	for i := range code {
		c := &p.Columns[i]
		if i != pl.id && pl.id != none || !c.Repeats() || c.Distinct < 3 || c.share(c.Codes) < 0.9 || c.Times > 0 || c.Whole < c.Numbers {
			continue
		}
		return fmt.Sprintf("looks like a long table: column %s repeats, column %s holds codes", c.Name, p.Columns[code].Name), true
	}
	return "", false
}

// longID finds the id of narrow tables: named like one, or the first column of
// a table without header if it comes again.
func (p *Profile) longID(pl *plan) int {
	if p.Header {
		many := func(c *Column) bool { return c.Distinct > 2 || c.Rows <= 20 }
		return firstOf(pl.pick(p, personName, many), pl.pick(p, stayName, many), pl.pick(p, idName, many))
	}
	if c := &p.Columns[0]; c.Repeats() && c.Times == 0 && c.Distinct > 2 && len(p.Columns) <= 4 {
		return 0
	}
	return none
}

// distinct words the number of different values; the sample bounds it.
func (p *Profile) distinct(c *Column) string {
	if p.Complete && p.Rows < sampleRows {
		return fmt.Sprint(c.Distinct)
	}
	return fmt.Sprintf("at least %d", c.Distinct)
}

// wide decides between the tables with one column a feature.
func (p *Profile) wide(o Options) (Shape, string) {
	o.Shape, o.Guessed = Mixed, true
	pl, err := makePlan(p, o)
	if err != nil {
		return Categorical, "looks like a table of categories"
	}
	var n [4]int
	digits, answers := 0, 0 // columns of 0/1 that could be counts: not yes/no; answers in numbers
	for _, f := range pl.features {
		n[f.kind]++
		c, k := &p.Columns[f.column], p.judge()[f.column]
		if f.kind == record.Presence && c.Numbers == c.Rows && !c.isDeclared() {
			digits++
		}
		if k.answers {
			answers++
		}
	}
	all := len(pl.features)
	switch {
	case p.genotypes(pl):
		return Genotypes, "looks like genotypes: " + record.Several(all, "column holds", "columns hold") + " 0, 1 or 2; as answers: --format categorical"
	case n[record.Presence] == all && pl.missing:
		return Categorical, "has some yes-or-no values missing, so the columns were read as answers: yes, no or none"
	case n[record.Presence] == all:
		return Binary, "looks like a table of 0/1: " + record.Several(all, "column holds", "columns hold") + " two values"
	case n[record.Counts] > 0 && n[record.Counts]+digits == all:
		return Counts, "looks like a table of counts: " + record.Several(all, "column holds", "columns hold") + " whole numbers from 0; as answers: --format categorical, as measurements: --format real"
	case n[record.Real]+n[record.Counts] == all:
		return Real, "looks like a table of measurements: " + record.Several(all, "column holds", "columns hold") + " numbers" + p.asCounts(pl)
	case answers > 0 && answers+n[record.Presence] == all:
		return Categorical, "looks like a table of answers: " + record.Several(all, "question", "questions") + " with answers " + p.answers(pl) + "; as measurements: --format real"
	case n[record.Categorical]+n[record.Presence] == all:
		return Categorical, "looks like a table of categories: " + record.Several(all, "column holds", "columns hold") + " a few values each"
	}
	var words []string
	for k, what := range [...]string{"0/1", "counts", "numbers", "categories"} {
		if n[k] > 0 {
			words = append(words, fmt.Sprintf("%d of %s", n[k], what))
		}
	}
	return Mixed, "looks like a table of different columns: " + strings.Join(words, ", ")
}

// asCounts names the other reading of whole numbers from 0.
func (p *Profile) asCounts(pl *plan) string {
	for _, f := range pl.features {
		if x := p.Columns[f.column].figures(f.marks); x.whole != x.n || x.n == 0 {
			return ""
		}
	}
	return "; as counts: --format counts"
}

// answers words the range of answers in numbers.
func (p *Profile) answers(pl *plan) string {
	least, most := math.Inf(1), 0.0
	for _, f := range pl.features {
		x := p.Columns[f.column].figures(f.marks)
		if x.n > 0 {
			least, most = min(least, x.least), max(most, x.most)
		}
	}
	return fmt.Sprintf("%v to %v", least, most)
}

// snpName matches names of single nucleotide polymorphisms.
var snpName = pattern.New(`(?i)^(rs\d+.*|ss\d+|snp[_.-]?[a-z]?-?\d+.*|ax-\d+|(chr)?\d{1,2}[:_]\d+.*|kgp\d+.*|exm.*\d+|affx.*\d+|h?cv\d+)$`)

// genotypes reports columns of 0, 1 and 2, at least one of them a 2, most of
// which are named like SNPs.
func (p *Profile) genotypes(pl *plan) bool {
	named, two := 0, false
	for _, f := range pl.features {
		c := &p.Columns[f.column]
		x := c.figures(f.marks)
		if x.n == 0 || x.whole != x.n || x.most > 2 || f.kind == record.Real || c.isDeclared() {
			return false
		}
		two = two || x.most == 2
		if snpName.MatchString(c.Name) {
			named++
		}
	}
	return two && len(pl.features) >= 3 && 2*named >= len(pl.features)
}

// label returns the column that names groups in a table whose other columns are
// alike: words in the first or the last column, beside yes and no, beside
// answers of a few other levels, or, in tables without a header, beside numbers.
func (p *Profile) label(pl *plan) int {
	judged := p.judge()
	at, kinds, n := none, map[record.Kind]int{}, 0
	levels := map[string]bool{}
	for i, k := range judged {
		c := &p.Columns[i]
		if pl.taken(i) || !k.fits || i == pl.time {
			continue
		}
		if edge := i == 0 || i == len(p.Columns)-1; edge && at == none && k.kind == record.Categorical && c.Numbers == 0 && c.pairs == 0 {
			at = i
			continue
		}
		n++
		kinds[k.kind]++
		if k.kind == record.Categorical && c.Numbers == 0 && len(levels) <= 12 {
			for text := range c.sample {
				levels[text] = true
			}
		}
	}
	if at == none {
		return none
	}
	c := &p.Columns[at]
	words := kinds[record.Categorical]
	switch {
	case n >= 4 && kinds[record.Presence] == n:
		return at
	case n >= 4 && !p.Header && words == 0 && c.Distinct <= 30:
		return at
	case n >= 4 && !p.Header && words == n && len(levels) <= 5 && !c.sharesAny(levels):
		return at
	}
	return none
}

// sharesAny reports that one of the values is among the levels.
func (c *Column) sharesAny(levels map[string]bool) bool {
	for text := range c.sample {
		if levels[text] {
			return true
		}
	}
	return false
}

// some lists a few values in order.
func (c *Column) some(n int) string {
	texts := make([]string, 0, len(c.sample))
	for text := range c.sample {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	if len(texts) > n {
		return strings.Join(texts[:n], ", ") + ", …"
	}
	return strings.Join(texts, ", ")
}

// AreDigits reports whether lines are made of lines of digits of one length.
func AreDigits(lines []string) bool {
	if len(lines) == 0 || len(lines[0]) < 8 {
		return false
	}
	for _, l := range lines {
		if len(l) != len(lines[0]) || strings.Trim(l, "0123456789?") != "" {
			return false
		}
	}
	return true
}
