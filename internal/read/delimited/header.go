package delimited

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
)

// knownName matches names of columns that only a header holds.
var knownName = pattern.New(`(?i)^(id|.*[_ .]id|id[_ .].*|row_?names?|patient.*|subject.*|person.*|.*_?codes?|icd.*|dx_?\d*|diag.*|` +
	`date.*|time.*|count|n|freq.*|text|note|comment|review|message|description|title|abstract|body|content|label|class|sex|age|gender|year|month|day|name|type|value|doc.*|word|term|item|token|symbol|state)$`)

// sniffHeader decides whether the first row names the columns.
func sniffHeader(rows [][]string, decimal byte) bool {
	if len(rows) == 0 {
		return false
	}
	names, body := rows[0], otherRows(rows, decimal)
	for len(names) > 2 && names[len(names)-1] == "" && nearlyEmpty(body, len(names)-1) {
		names = names[:len(names)-1]
	}
	known, filled, numbers := 0, 0, 0
	for _, name := range names {
		if name != "" {
			filled++
		}
		if _, ok := number([]byte(name), decimal); ok {
			numbers++
		}
		if knownName.MatchString(name) {
			known++
		}
	}
	if filled == 0 || 2*filled < len(names) && len(names) > 2 {
		return false
	}
	if len(body) == 0 {
		return known > 0 && numbers == 0
	}
	if allBelow(names, body) {
		return false
	}
	v := headerVotes(names, body, decimal)
	switch {
	case v.yes == 0 && v.beyond > 0:
		return false
	case v.yes != v.no:
		return v.yes > v.no
	case v.no > 0:
		return known > 0
	case v.outside > 0:
		return numbers < filled
	}
	return known > 0 && numbers == 0 || numbers == 0 && v.differs(names, body)
}

// otherRows returns the rows that are not the first one again: pages that were
// joined repeat their header, words above numbers. Any other row that comes again
// is a record.
func otherRows(rows [][]string, decimal byte) [][]string {
	var out [][]string
	for _, row := range rows[1:] {
		if !slices.Equal(row, rows[0]) {
			out = append(out, row)
		}
	}
	numbers := 0
	for i, name := range rows[0] {
		c := bodyOf(out, i, name, decimal)
		if _, ok := number([]byte(name), decimal); !ok && c.n > 0 && 5*c.numbers >= 4*c.n {
			numbers++
		}
	}
	if 2*numbers < len(rows[0]) {
		return rows[1:]
	}
	return out
}

// nearlyEmpty reports that hardly any row fills column i.
func nearlyEmpty(body [][]string, i int) bool {
	n := 0
	for _, row := range body {
		if i < len(row) && row[i] != "" {
			n++
		}
	}
	return 20*n <= len(body)
}

// allBelow reports a first row of values alone: each of them, and there are
// several, stands somewhere below, so they are no names.
func allBelow(names []string, body [][]string) bool {
	values := map[string]bool{}
	for _, row := range body {
		for _, f := range row {
			values[f] = true
		}
	}
	n := 0
	for _, name := range names {
		if name != "" && !values[name] {
			return false
		}
		if name != "" {
			n++
		}
	}
	return n > 1
}

// votes for and against a header, one a column.
type votes struct {
	yes, no int
	outside int // whole numbers as names, above numbers of another size
	beyond  int // the same with decimals, as some codes have
}

// headerVotes compares the first row with the column below it: a name above
// numbers, or above a small set of values it is not part of, speaks for a
// header; a first value that comes again, or a number among numbers, against.
func headerVotes(names []string, body [][]string, decimal byte) (v votes) {
	run := running(names)
	for i, name := range names {
		c := bodyOf(body, i, name, decimal)
		x, isNumber := number([]byte(name), decimal)
		switch {
		case name == "" || c.n == 0:
		case missing([]byte(name)) || c.again && !run || c.sameWords(name) || c.counted == c.n && countedCell(name):
			v.no++
		case !isNumber || run:
			if 5*c.numbers >= 4*c.n || c.n >= 4 && c.distinct <= c.n/2 {
				v.yes++
			}
		case c.numbers == 0:
			v.yes++
		case c.numbers == c.n && c.distinct == c.n && (x == c.least-1 || x == c.most+1): // the rows are numbered
			v.no++
		case c.numbers == c.n && x == float64(int64(x)) && (x < c.least || x > c.most):
			v.outside++
		case c.numbers == c.n && c.n >= fewestBody && (x < c.least || x > c.most):
			v.beyond++
		default:
			v.no++
		}
	}
	return v
}

// running reports names of which three or more are whole numbers, each one more
// than the one before: years, or a numbering.
func running(names []string) bool {
	n, last := 0, 0
	for _, name := range names {
		x, err := strconv.Atoi(name)
		switch {
		case err != nil && n == 0:
		case err != nil || n > 0 && x != last+1:
			return false
		default:
			n, last = n+1, x
		}
	}
	return n >= 3
}

// below is what lies below a name.
type below struct {
	n, numbers, distinct, digits int
	counted                      int // cells of counted names
	least, most                  float64
	again                        bool
	pairs                        uint8 // of words for yes and no that all cells may be
}

// sameWords reports a word for yes or no above such words alone.
func (c *below) sameWords(name string) bool {
	_, pairs := binaryValue([]byte(name))
	return pairs&^pairDigits&c.pairs != 0
}

func bodyOf(body [][]string, i int, name string, decimal byte) (c below) {
	seen := map[string]bool{}
	c.pairs = allPairs
	for _, row := range body {
		if i >= len(row) || missing([]byte(row[i])) {
			continue
		}
		c.n++
		_, pairs := binaryValue([]byte(row[i]))
		c.pairs &= pairs
		if x, ok := number([]byte(row[i]), decimal); ok {
			if c.numbers++; c.numbers == 1 {
				c.least, c.most = x, x
			}
			c.least, c.most = min(c.least, x), max(c.most, x)
		}
		if strings.ContainsAny(row[i], "0123456789") {
			c.digits++
		}
		if c.counted == c.n-1 && countedCell(row[i]) {
			c.counted++
		}
		c.again = c.again || row[i] == name
		seen[row[i]] = true
	}
	c.distinct = len(seen)
	return c
}

// differs reports a first row whose cells are all different and come nowhere
// again, above columns of another kind: with digits, or with values that repeat.
func (v votes) differs(names []string, body [][]string) bool {
	seen, other := map[string]bool{}, false
	for i, name := range names {
		if name == "" || seen[name] || len(name) > 60 {
			return false
		}
		seen[name] = true
		c := bodyOf(body, i, name, '.')
		other = other || c.n > 2 && (c.distinct < c.n || 2*c.digits > c.n && !strings.ContainsAny(name, "0123456789"))
	}
	return other && len(body) > 2
}

// preamble returns how many rows stand above the header: titles, which fill a
// cell or two, and comments.
func preamble(top [][]string, decimal byte) int {
	const most = 30
	width := 0
	for _, row := range top {
		width = max(width, filled(row))
	}
	for i, row := range top[:min(len(top), most)] {
		if f := filled(row); f <= 1 || 3*f <= width || strings.HasPrefix(row[0], "#") && f < width {
			continue
		}
		if i > 0 && (10*filled(row) < 7*width || !sniffHeader(top[i:], decimal)) {
			return 0
		}
		return i
	}
	return 0
}

// filled counts the fields that are not empty.
func filled(row []string) (n int) {
	for _, f := range row {
		if f != "" {
			n++
		}
	}
	return n
}

// columnNames cleans the header: empty names get their number, names that
// come twice get a number behind.
func columnNames(header []string, width int) (names []string, repeated []string) {
	seen := map[string]int{}
	for i := range width {
		name := ""
		if i < len(header) {
			name = strings.TrimSpace(header[i])
		}
		if name == "" {
			name = fmt.Sprintf("column%d", i+1)
		}
		base := name
		for seen[name] > 0 {
			seen[base]++
			name = fmt.Sprintf("%s.%d", base, seen[base])
		}
		if name != base {
			repeated = append(repeated, base)
		}
		seen[name]++
		names = append(names, name)
	}
	return names, repeated
}
