package delimited

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// Classify says what shape the table has, and why, in words for people. Its
// answer is a guess from the start of the table; options always win.
func (p *Profile) Classify(o Options) (Shape, string) {
	if columns := timeColumns(p); len(columns) >= 6 && p.states(columns) {
		first, last := p.Columns[columns[0]].Name, p.Columns[columns[len(columns)-1]].Name
		return Sequences, fmt.Sprintf("looks like sequences: the columns %s to %s are points in time with a few states", first, last)
	}
	if f, ok := listFamily(p); ok && o.Text == "" {
		first, last := p.Columns[f.columns[0]].Name, p.Columns[f.columns[len(f.columns)-1]].Name
		return List, fmt.Sprintf("looks like a wide list: the columns %s to %s hold codes", first, last)
	}
	if reason, ok := p.long(o); ok {
		return Long, reason
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
	pl := &plan{id: none, code: none, count: none, time: none, version: none, text: none}
	if pl.given(p, o) != nil || pl.pickCode(p, o) != nil {
		return "", false
	}
	named := o.ID != "" && o.Code != ""
	if pl.id == none {
		pl.id = firstOf(pl.pick(p, personName, (*Column).Repeats), pl.pick(p, stayName, (*Column).Repeats), pl.pick(p, idName, (*Column).Repeats))
	}
	if pl.id == none && (len(p.Columns) <= 3 || !p.Header) {
		pl.id = p.longID(pl)
	}
	if pl.id == none {
		return "", false
	}
	if pl.code == none {
		pl.code = pl.pick(p, codeName, func(c *Column) bool { return !versionName.MatchString(c.Name) && !c.mostly(c.Binary) })
	}
	if pl.code == none && !p.Header && len(p.Columns) <= 4 && pl.id == 0 {
		if c := &p.Columns[1]; c.Distinct > 2 && !c.words() && c.mostly(c.Codes+c.Rows-c.Numbers) {
			pl.code = 1
		}
	}
	if pl.code == none {
		return "", false
	}
	id, code := &p.Columns[pl.id], &p.Columns[pl.code]
	if !named && id.Repeats() {
		return fmt.Sprintf("looks like a long table: column %s repeats, column %s has %s different values", id.Name, code.Name, p.distinct(code)), true
	}
	return fmt.Sprintf("looks like a long table: column %s is the id, column %s the code", id.Name, code.Name), true
}

// longID finds the id of narrow tables: named like one, or the first column of
// a table without header if it comes again.
func (p *Profile) longID(pl *plan) int {
	if p.Header {
		return firstOf(pl.pick(p, personName, nil), pl.pick(p, stayName, nil), pl.pick(p, idName, nil))
	}
	if c := &p.Columns[0]; c.Repeats() && c.Distinct > 2 && len(p.Columns) <= 4 {
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
	o.Shape = Mixed
	pl, err := makePlan(p, o)
	if err != nil {
		return Categorical, "looks like a table of categories"
	}
	var n [4]int
	digits := 0 // columns of 0/1 that could be counts: not yes/no, not true/false
	for _, f := range pl.features {
		n[f.kind]++
		if c := &p.Columns[f.column]; f.kind == record.Presence && c.mostly(c.Whole) {
			digits++
		}
	}
	all := len(pl.features)
	switch {
	case n[record.Presence] == all:
		return Binary, fmt.Sprintf("looks like a table of 0/1: %d columns hold two values", all)
	case n[record.Presence] == all-1 && all >= 5 && p.label(pl):
		return Binary, fmt.Sprintf("looks like a table of 0/1 with a label: %d columns hold two values", all-1)
	case n[record.Counts] > 0 && n[record.Counts]+digits == all:
		return Counts, fmt.Sprintf("looks like a table of counts: %d columns hold whole numbers, many of them 0", all)
	case n[record.Real]+n[record.Counts] == all:
		return Real, fmt.Sprintf("looks like a table of measurements: %d columns hold numbers", all)
	case n[record.Categorical]+n[record.Presence] == all:
		return Categorical, fmt.Sprintf("looks like a table of categories: %d columns hold a few values each", all)
	}
	var words []string
	for k, what := range [...]string{"0/1", "counts", "numbers", "categories"} {
		if n[k] > 0 {
			words = append(words, fmt.Sprintf("%d of %s", n[k], what))
		}
	}
	return Mixed, "looks like a table of different columns: " + strings.Join(words, ", ")
}

// label reports whether the only column that is not 0/1 is a label: words in
// the first or the last column.
func (p *Profile) label(pl *plan) bool {
	for _, f := range pl.features {
		if f.kind == record.Categorical {
			return (f.column == 0 || f.column == len(p.Columns)-1) && p.Columns[f.column].Numbers == 0
		}
	}
	return false
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
