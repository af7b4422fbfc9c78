package delimited

import (
	"bytes"
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
)

// dialect is how the fields of a table are written.
type dialect struct {
	sep      byte
	decimal  byte
	header   bool
	skip     int // rows above the header
	below    int // rows below it that describe the columns
	noQuotes bool
	edge     edge
	quoting
}

// quoting is what quotes mean in a table.
type quoting struct {
	backslash bool // a quote inside quotes is written \"
	oneLine   bool // a quote that is not closed on its line is a letter
	ours      bool // this program wrote it: an apostrophe may guard a cell (package cells)
}

// withSeparator returns the dialect of a table with that separator, as the
// sample shows it.
func withSeparator(sep byte, sample []byte) dialect {
	if sep == ',' && cells.Marked(sample) {
		return dialect{sep: sep, quoting: quoting{ours: true}}
	}
	return dialect{sep: sep, quoting: quoting{oneLine: sep == '\t', backslash: sniffBackslash(sample, sep)}}
}

// sniffBackslash reports that quotes inside quotes are written \" and never "".
func sniffBackslash(sample []byte, sep byte) bool {
	if !bytes.Contains(sample, []byte(`\"`)) {
		return false
	}
	for i := 1; i+2 < len(sample); i++ {
		if sample[i] == quote && sample[i+1] == quote && sample[i-1] != sep && sample[i-1] != '\n' && sample[i-1] != '\\' && sample[i-1] != quote {
			return false
		}
	}
	return true
}

// separators that are looked for, the less likely to stand inside a field
// first.
const separators = "\t;|,^~ "

// sniffSeparator finds the separator that gives most lines the same number of
// fields; ties go to the earlier one of separators, so that "1,5;2,3" is two
// numbers. It returns a comma when the table has one column.
func sniffSeparator(sample []byte) byte {
	best, bestShare := byte(','), 0.0
	for _, sep := range []byte(separators) {
		share, fields := evenness(sample, sep)
		if fields < 2 || share < 0.7 {
			continue
		}
		if sep == ' ' && (bestShare > 0 || share < 0.95) {
			continue
		}
		if share > bestShare+0.05 || share == 1 && bestShare < 1 && partsCells(sample, best, sep) {
			best, bestShare = sep, share
		}
	}
	return best
}

// partsCells reports a sign that parts what stands in cells, as in "1,HP:7;HP:9" below
// "id,terms": the first line has none, and the other sign parts all lines, and no digits
// as a decimal comma does.
func partsCells(sample []byte, sign, sep byte) bool {
	head, body, _ := bytes.Cut(sample, []byte{'\n'})
	if bytes.IndexByte(head, sign) >= 0 {
		return false
	}
	for i, c := range body {
		if c == sep && i > 0 && i+1 < len(body) && body[i-1]-'0' <= 9 && body[i+1]-'0' <= 9 {
			return false
		}
	}
	return true
}

// evenness returns the share of rows with the most frequent number of fields,
// and that number.
func evenness(sample []byte, sep byte) (share float64, fields int) {
	const most, enough = 500, 256 << 10
	var r walk
	if len(sample) > enough {
		sample = wholeLines(sample[:enough], false)
	}
	r.over(sample, 1, withSeparator(sep, sample))
	counts, n := map[int]int{}, 0
	for n < most && r.next() {
		if n++; !r.quotes || !r.broken() {
			counts[r.n]++
		}
	}
	best := 0
	for f, c := range counts {
		if c > best || c == best && f > fields {
			best, fields = c, f
		}
	}
	return float64(best) / float64(max(n, 1)), fields
}

// wholeLines drops the last line of a sample that was cut anywhere.
func wholeLines(sample []byte, complete bool) []byte {
	if complete {
		return sample
	}
	if i := bytes.LastIndexByte(sample, '\n'); i >= 0 {
		return sample[:i+1]
	}
	return sample
}

// endOfLines returns where the first n lines end: they may be very long.
func endOfLines(sample []byte, n int) (end int) {
	for range n {
		i := bytes.IndexByte(sample[end:], '\n')
		if i < 0 {
			return len(sample)
		}
		end += i + 1
	}
	return end
}

// table splits a sample into rows of fields, at most n of them.
func table(sample []byte, d dialect, n int) [][]string {
	var r walk
	if most := max(n<<12, endOfLines(sample, min(n, sampleLines))); len(sample) > most {
		sample = wholeLines(sample[:most], false)
	}
	r.over(sample, 1, d)
	var out [][]string
	for len(out) < n && r.next() {
		row := make([]string, r.n)
		for i := range row {
			row[i] = string(r.field(i))
		}
		out = append(out, row)
	}
	return out
}

// sniffDecimal finds tables with a decimal comma: numbers with a comma are
// more frequent than numbers with a point.
func sniffDecimal(rows [][]string, sep byte) byte {
	commas, points, either := 0, 0, 0
	for _, row := range rows {
		for _, f := range row {
			switch lastSign(f) {
			case ',':
				commas++
			case '.':
				points++
			case '?':
				either++
			}
		}
	}
	switch {
	case sep == ',' && points+either > 0:
		return '.'
	case sep == ';' && 2*commas >= points && commas > 0: // where a comma parts columns, a point parts decimals
		return ','
	case commas > points, commas+points == 0 && either > 0 && sep != ',':
		return ','
	}
	return '.'
}

// lastSign returns the decimal sign of a number: the last of its points and
// commas; '?' for a comma before three digits, which may part thousands; 0 for
// numbers without one, and for all else.
func lastSign(f string) byte {
	i := strings.LastIndexAny(f, ".,")
	if i < 0 || len(f) > 40 {
		return 0
	}
	sign := f[i]
	if _, _, ok := anyNumber([]byte(f), sign); !ok {
		return 0
	}
	before, rest := f[:i], strings.TrimRight(f[i+1:], " %")
	if len(rest) == 3 && !strings.ContainsAny(before, ".,") && before != "0" && before != "" {
		if sign == ',' {
			return '?'
		}
		return '.'
	}
	if len(rest) == 3 && strings.ContainsRune(before, rune(sign)) {
		return '.' + ',' - sign // 1.234.567
	}
	return sign
}
