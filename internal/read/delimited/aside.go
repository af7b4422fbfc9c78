package delimited

import (
	"bytes"
	"strings"
)

// aside says why a row is no record.
type aside int

// Rows that are no records: lines of separators, comments, totals and remarks.
const (
	isRecord aside = iota
	isBlank
	isComment
	isTotal
	isRemark
	asides
)

// asideWords words how many lines of a kind were left out.
var asideWords = [asides][2]string{
	{},
	{"empty line", "empty lines"},
	{"comment line", "comment lines"},
	{"line of totals", "lines of totals"},
	{"line of text without columns", "lines of text without columns"},
}

// aside tells records from the lines that spreadsheets put around them.
func (r *rows) aside(width int) aside {
	if width < 2 {
		return isRecord
	}
	if r.bare() {
		return isBlank
	}
	switch c := r.data[r.start]; {
	case r.n < width:
		return r.shortAside(c, width)
	case totalStart(c) && r.isTotal(), c == r.sep && r.empty():
		if r.empty() {
			return isBlank
		}
		return isTotal
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
	case totalStart(first) && r.isTotal():
		return isTotal
	case r.n == 1 && width >= 3 && wordy(r.raw(0)):
		return isRemark
	}
	return isRecord
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

// totalStart reports the bytes that a line of totals may begin with.
func totalStart(c byte) bool { return strings.IndexByte("TtGgSsIi\"", c) >= 0 }

// totals begin a line of totals.
var totals = []string{"total", "totals", "totale", "totales", "grand total", "gesamt", "gesamtsumme", "insgesamt", "summe", "suma", "sum", "somme", "soma", "subtotal"}

// isTotal reports a line of totals: it begins with such a word and fills few of
// its fields.
func (r *rows) isTotal() bool {
	word := strings.ToLower(strings.TrimRight(string(r.field(0)), " :.="))
	found := false
	for _, t := range totals {
		found = found || word == t || strings.HasPrefix(word, t+" ") || strings.HasPrefix(word, t+":")
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
