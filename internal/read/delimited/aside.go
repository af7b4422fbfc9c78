package delimited

import (
	"bytes"
	"strings"
)

// aside says why a row is no record.
type aside int

// Rows that are no records: lines of separators, comments, totals, remarks, and
// the header again.
const (
	isRecord aside = iota
	isBlank
	isComment
	isTotal
	isRemark
	isHeader
	asides
)

// asideWords words how many lines of a kind were left out.
var asideWords = [asides][2]string{
	{},
	{"empty line", "empty lines"},
	{"comment line", "comment lines"},
	{"line of totals", "lines of totals"},
	{"line of text without columns", "lines of text without columns"},
	{"line that is the header again", "lines that are the header again"},
}

// edge is what tells the lines around records from records: the header as it
// stands, and what the first column holds.
type edge struct {
	heading []byte // the header; nil: there is none
	ids     bool   // the first column names every record by itself
	digits  bool   // and every name has a digit
	plain   bool   // hardly a cell of the first column has a blank inside
}

// edgeOf looks at the first rows below the header.
func edgeOf(body [][]string) (e edge) {
	if len(body) < fewestBody {
		return e
	}
	e.digits = true
	seen, n, blanks := map[string]bool{}, 0, 0
	for _, row := range body {
		f := row[0]
		if f == "" || isSum(f, true) {
			continue
		}
		n++
		seen[f] = true
		if strings.Contains(f, " ") {
			blanks++
		}
		e.digits = e.digits && strings.ContainsAny(f, "0123456789")
	}
	e.ids, e.plain = n >= fewestBody && len(seen) == n, 20*blanks <= n
	return e
}

// aside tells records from the lines that spreadsheets put around them.
func (r *rows) aside(width int) aside {
	if width < 2 {
		return isRecord
	}
	if r.bare() {
		return isBlank
	}
	c := r.data[r.start]
	if r.edge.heading != nil && c == r.edge.heading[0] && r.isHeading() {
		return isHeader
	}
	switch {
	case r.n < width:
		return r.shortAside(c, width)
	case r.edge.total(c) && r.isTotal():
		return isTotal
	case c == r.sep && r.empty():
		return isBlank
	case r.edge.plain && len(r.raw(r.n-1)) == 0 && r.isNote():
		return isRemark
	}
	return isRecord
}

// shortAside is aside for rows with fewer fields than the table.
func (r *rows) shortAside(first byte, width int) aside {
	switch {
	case first == '#':
		return isComment
	case r.empty():
		return isBlank
	case r.edge.total(first) && r.isTotal():
		return isTotal
	case r.n == 1 && width >= 3 && (wordy(r.raw(0)) || first == '(' && r.counted()), r.n == 1 && dashes(r.raw(0)):
		return isRemark
	}
	return isRecord
}

// counted reports the line with which databases end: (200 rows).
func (r *rows) counted() bool {
	f := r.raw(0)
	return bytes.HasSuffix(f, []byte(" rows)")) || bytes.HasSuffix(f, []byte(" row)"))
}

// dashes reports a rule between lines.
func dashes(f []byte) bool { return len(f) >= 5 && len(bytes.Trim(f, "-=+| ")) == 0 }

// isNote reports a line of text in the first of several cells, the others empty,
// in a table whose first column holds single words.
func (r *rows) isNote() bool {
	for i := 1; i < r.n; i++ {
		if len(r.field(i)) > 0 {
			return false
		}
	}
	return r.n >= 3 && wordy(r.field(0))
}

// wordy reports a field with letters and no quote.
func wordy(f []byte) bool {
	letters := 0
	for _, c := range f {
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 {
			letters++
		}
	}
	return letters >= 3 && bytes.IndexByte(f, ' ') > 0
}

// Words that begin a line of totals, and, where the first column has numbers,
// one of means and the like.
var (
	sums = []string{
		"total", "totals", "totale", "totales", "grand total", "gesamt", "gesamtsumme", "insgesamt", "summe", "suma", "sum", "somme", "soma", "subtotal",
	}
	means = []string{
		"mean", "means", "average", "avg", "median", "std", "sd", "std dev", "standard deviation", "minimum", "maximum", "min", "max",
		"media", "promedio", "mediana", "desviación estándar", "moyenne", "médiane", "mittelwert", "durchschnitt", "mittel", "medie", "média",
	}
	sumStart, totalStart = startsOf(sums), startsOf(sums, means)
)

// total reports a byte that a line of totals may begin with.
func (e *edge) total(c byte) bool { return sumStart[c] || totalStart[c] && e.ids && e.digits }

// startsOf marks the bytes that a line of totals may begin with.
func startsOf(lists ...[]string) (starts [256]bool) {
	starts[quote] = true
	for _, list := range lists {
		for _, w := range list {
			starts[w[0]], starts[strings.ToUpper(w)[0]] = true, true
		}
	}
	return starts
}

// isSum reports a word for a total, or for a mean too, alone in its cell.
func isSum(cell string, mean bool) bool {
	word := strings.ToLower(strings.TrimRight(cell, " :.="))
	for _, t := range sums {
		if word == t {
			return true
		}
	}
	for _, t := range means {
		if mean && word == t {
			return true
		}
	}
	return false
}

// isTotal reports a line of totals: it begins with such a word and fills few of
// its fields, or stands where all others have a name of their own.
func (r *rows) isTotal() bool {
	cell := string(r.field(0))
	if r.edge.ids && isSum(cell, r.edge.digits) {
		return true
	}
	word := strings.ToLower(strings.TrimRight(cell, " :.="))
	found := false
	for _, t := range sums {
		rest, ok := strings.CutPrefix(word, t)
		found = found || ok && (rest == "" || rest[0] == ' ' || rest[0] == ':')
	}
	if !found {
		return false
	}
	n := 0
	for i := range r.n {
		if len(r.field(i)) > 0 {
			n++
		}
	}
	return n <= max(2, r.n/2)
}
