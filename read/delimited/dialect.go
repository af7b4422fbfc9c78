package delimited

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// dialect is how the fields of a table are written.
type dialect struct {
	sep      byte
	decimal  byte
	header   bool
	noQuotes bool
}

// separators that are looked for, the less likely to stand inside a field
// first.
const separators = "\t;|, "

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
		if share > bestShare+0.05 {
			best, bestShare = sep, share
		}
	}
	return best
}

// evenness returns the share of rows with the most frequent number of fields,
// and that number.
func evenness(sample []byte, sep byte) (share float64, fields int) {
	const most, enough = 500, 256 << 10
	var r rows
	if len(sample) > enough {
		sample = wholeLines(sample[:enough], false)
	}
	r.reset(sample, 1, dialect{sep: sep})
	counts, n := map[int]int{}, 0
	for n < most && r.next() {
		counts[r.n]++
		n++
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

// table splits a sample into rows of fields, at most n of them.
func table(sample []byte, d dialect, n int) [][]string {
	var r rows
	if most := n << 12; len(sample) > most {
		sample = wholeLines(sample[:most], false)
	}
	r.reset(sample, 1, d)
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
	if sep == ',' {
		return '.'
	}
	commas, points := 0, 0
	for _, row := range rows {
		for _, f := range row {
			_, point := shortNumber([]byte(f), '.')
			_, comma := shortNumber([]byte(f), ',')
			switch {
			case comma && !point:
				commas++
			case point && strings.Contains(f, "."):
				points++
			}
		}
	}
	if commas > points {
		return ','
	}
	return '.'
}

// knownName matches names of columns that only a header holds.
var knownName = regexp.MustCompile(`(?i)^(id|.*[_ .]id|id[_ .].*|row_?names?|patient.*|subject.*|person.*|.*_?codes?|icd.*|dx_?\d*|diag.*|` +
	`date.*|time.*|count|n|freq.*|text|label|class|sex|age|gender|year|month|day|name|type|value|doc.*|word|term|item|token|symbol|state)$`)

// sniffHeader decides whether the first row names the columns.
func sniffHeader(rows [][]string, decimal byte) bool {
	if len(rows) == 0 {
		return false
	}
	names, body := rows[0], rows[1:]
	known := 0
	for i, name := range names {
		if name == "" && i > 0 {
			return false
		}
		if _, ok := number([]byte(name), decimal); ok || missing([]byte(name)) && name != "" {
			return false
		}
		if knownName.MatchString(name) {
			known++
		}
	}
	if len(body) == 0 {
		return known > 0
	}
	yes, no := headerVotes(names, body, decimal)
	if yes != no {
		return yes > no
	}
	return known > 0
}

// headerVotes compares the first row with the column below it: a name above
// numbers, or above a small set of values it is not part of, speaks for a
// header; a first value that comes again speaks against.
func headerVotes(names []string, body [][]string, decimal byte) (yes, no int) {
	for i, name := range names {
		seen := map[string]bool{}
		n, numbers, again := 0, 0, false
		for _, row := range body {
			if i >= len(row) || missing([]byte(row[i])) {
				continue
			}
			n++
			if _, ok := number([]byte(row[i]), decimal); ok {
				numbers++
			}
			again = again || row[i] == name
			seen[row[i]] = true
		}
		switch {
		case n == 0:
		case again:
			no++
		case numbers == n, n >= 4 && len(seen) <= n/2:
			yes++
		}
	}
	return yes, no
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
