package delimited

import (
	"strings"
	"unicode/utf8"
)

// Several answers in one cell: "fever; cough", "milk,bread", or with a number of
// times behind each: "milk:2 bread:1". The parts are few and come again, in other
// company.

const (
	mostParts   = 2000 // different parts of such cells
	longestPart = 60   // letters of one
)

// parting is how the cells of a list of names are parted; the zero value says that
// cells are whole.
type parting struct {
	sign    string // between the names
	counted bool   // a number of times stands behind each
}

// names are what is parted, in words for people.
func (p parting) names() string {
	if p.counted {
		return "counted names"
	}
	return "names"
}

// between is the sign in words.
func (p parting) between() string {
	if p.sign == " " {
		return "blanks"
	}
	return p.sign
}

// partingOf looks how cells are parted. A sentence has commas too, but what stands
// between them hardly comes again; blanks part nothing but counted names.
func partingOf(cells []string) parting {
	const enough = 8
	if len(cells) < enough {
		return parting{}
	}
	for _, sign := range []string{";", "|", ",", " "} {
		if countedParts(cells, sign) && partsOf(cells, sign, true) {
			return parting{sign, true}
		}
		if sign != " " && partsOf(cells, sign, false) {
			return parting{sign, false}
		}
	}
	return parting{}
}

// countedName cuts the number of times off a part: "milk:2", "milk=2".
func countedName(part string) (name string, n float64, ok bool) {
	const digits = 9
	at := strings.LastIndexAny(part, ":=")
	if at < 1 {
		return part, 1, false
	}
	name, behind := strings.TrimSpace(part[:at]), strings.TrimSpace(part[at+1:])
	if name == "" || behind == "" || len(behind) > digits || behind[0] == '0' && len(behind) > 1 {
		return part, 1, false
	}
	for _, c := range []byte(behind) {
		if c-'0' > 9 {
			return part, 1, false
		}
		n = 10*n + float64(c-'0')
	}
	return name, n, true
}

// countedCell reports a cell of counted names alone.
func countedCell(cell string) bool {
	parts := splitCell(cell, codeSigns)
	for _, part := range parts {
		if name, _, ok := countedName(part); !ok || !strings.ContainsFunc(name, isLetter) {
			return false
		}
	}
	return len(parts) > 0
}

// countedParts reports that all parts have a number of times behind them, most of
// them a small one: a place such as chr2:43817 has a large one.
func countedParts(cells []string, sign string) bool {
	const small = 20
	parts, few := 0, 0
	for _, cell := range cells {
		for _, part := range splitCell(cell, sign) {
			name, n, ok := countedName(part)
			if !ok || !strings.ContainsFunc(name, isLetter) {
				return false
			}
			if parts++; n <= small {
				few++
			}
		}
	}
	return 2*few > parts
}

func partsOf(cells []string, sign string, counted bool) bool {
	parts, parted, twice, seen := 0, 0, 0, map[string]int{}
	for _, cell := range cells {
		list, own := splitCell(cell, sign), map[string]bool{}
		for _, s := range list {
			if counted {
				s, _, _ = countedName(s)
			}
			if !counted && utf8.RuneCountInString(s) > longestPart || strings.Count(s, " ") > 4 || strings.Contains(s, "\n") || strings.ContainsAny(s, ".!?") && strings.Contains(s, " ") {
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
	if counted { // their form says what they are
		return len(seen) >= 3 && 3*parted >= len(cells) && 20*twice <= parts
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
// several names in a cell, and how they are parted; none where there is no such
// column, or others to fit.
func (p *Profile) manyOfRow(o Options) (column int, how parting) {
	pl := newPlan()
	if pl.given(p, o) != nil {
		return none, how
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
		var h parting
		if 2*c.Numbers < c.Rows && !textName.MatchString(c.Name) {
			h = partingOf(p.column(i))
		}
		switch {
		case h.sign != "" && column == none:
			column, how = i, h
		case h.sign != "" || k.fits:
			return none, parting{}
		}
	}
	return column, how
}

// Baskets recognises lines that are lists of names, each line a cell of its own. It
// returns how they are written, "" for other lines, and how many names there are.
func (p *Profile) Baskets() (how string, n int) {
	cells := p.column(0)
	h := partingOf(cells)
	if h.sign == "" {
		return "", 0
	}
	seen := map[string]bool{}
	for _, cell := range cells {
		for _, s := range splitCell(cell, h.sign) {
			if h.counted {
				s, _, _ = countedName(s)
			}
			seen[s] = true
		}
	}
	return h.names() + " with " + h.between() + " between them", len(seen)
}
