package delimited

import (
	"strings"
	"unicode/utf8"
)

// Several answers in one cell: "fever; cough", "milk,bread". The parts are few
// and come again, in other company.

const (
	mostParts   = 2000 // different parts of such cells
	longestPart = 60   // letters of one
)

// partSign returns the sign that parts the cells of a list of names, "" where
// cells are whole. A sentence has commas too, but what stands between them
// hardly comes again.
func partSign(cells []string) string {
	const enough = 8
	if len(cells) < enough {
		return ""
	}
	for _, sign := range []string{";", "|", ","} {
		if partsOf(cells, sign) {
			return sign
		}
	}
	return ""
}

func partsOf(cells []string, sign string) bool {
	parts, parted, twice, seen := 0, 0, 0, map[string]int{}
	for _, cell := range cells {
		list, own := splitCell(cell, sign), map[string]bool{}
		for _, s := range list {
			if utf8.RuneCountInString(s) > longestPart || strings.Count(s, " ") > 4 || strings.Contains(s, "\n") || strings.ContainsAny(s, ".!?") && strings.Contains(s, " ") {
				return false
			}
			if own[s] {
				twice++
			}
			own[s] = true
			seen[s]++
		}
		parts += len(list)
		if len(list) > 1 {
			parted++
		}
	}
	again, letters := 0, 0
	for s, n := range seen {
		if n > 1 {
			again += n
		}
		if strings.ContainsFunc(s, isLetter) {
			letters += n
		}
	}
	return len(seen) >= 3 && len(seen) <= mostParts && 3*parted >= len(cells) && 10*again >= 7*parts && 20*twice <= parts && 2*letters >= parts
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80 }

// manyOfRow returns the only column that says something of a record and holds
// several names in a cell, and the sign between them; none where there is no such
// column, or others to fit.
func (p *Profile) manyOfRow(o Options) (column int, sign string) {
	pl := newPlan()
	if pl.given(p, o) != nil {
		return none, ""
	}
	if len(p.Columns) > 1 {
		pl.pickRecordID(p, o)
	}
	labels := pl.labels(p, o)
	column = none
	for i, k := range p.judge() {
		c := &p.Columns[i]
		if i == pl.id || labels[i] || i == pl.time || c.Rows == 0 || labelName.MatchString(c.Name) && c.Distinct <= 100 {
			continue
		}
		s := ""
		if 2*c.Numbers < c.Rows && !textName.MatchString(c.Name) {
			s = partSign(p.column(i))
		}
		switch {
		case s != "" && column == none:
			column, sign = i, s
		case s != "" || k.fits:
			return none, ""
		}
	}
	return column, sign
}

// Baskets recognises lines that are lists of names, each a cell of its own.
func (p *Profile) Baskets() (sign string, names int) {
	cells := p.column(0)
	if sign = partSign(cells); sign == "" {
		return "", 0
	}
	seen := map[string]bool{}
	for _, cell := range cells {
		for _, s := range splitCell(cell, sign) {
			seen[s] = true
		}
	}
	return sign, len(seen)
}
