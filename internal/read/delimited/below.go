package delimited

import (
	"bytes"
	"strings"
)

// Rows right below the header that describe the columns and are no records:
// questions in words (surveys), units (instruments), rules of dashes (reports).

const (
	mostBelow  = 3 // such rows stand at most so many, one below the other
	fewestBody = 8 // records by which they are recognised
)

// describing counts the rows of top, whose first one is the header, that describe
// columns.
func describing(top [][]string, decimal byte) int {
	n := 0
	for n < mostBelow && len(top) > n+1+fewestBody {
		row, body := top[n+1], top[min(n+1+mostBelow, len(top)):]
		if !isRule(row) && !describes(row, body, decimal) && !continues(top[0], row, body) {
			break
		}
		n++
	}
	return n
}

// isRule reports a row of dashes.
func isRule(row []string) bool {
	most := 0
	for _, f := range row {
		if strings.Trim(f, "-=+: ") != "" {
			return false
		}
		most = max(most, len(f))
	}
	return (most >= 3 || most >= 2 && filled(row) > 1) && 2*filled(row) > len(row)
}

// describes reports a row of words above columns of numbers, in all of them, or
// above columns of a few answers, none of which it has. Its words come nowhere
// again, and differ: a mark of missing values does not.
func describes(row []string, body [][]string, decimal byte) bool {
	numbers, levels := 0, 0
	words := map[string]bool{}
	for i, f := range row {
		c := bodyOf(body, i, f, decimal)
		if c.again {
			return false
		}
		isNumbers := c.n > 0 && 10*c.numbers >= 9*c.n
		isLevels := !isNumbers && c.n >= fewestBody && 4*c.distinct <= c.n
		if !isNumbers && !isLevels {
			continue
		}
		if f == "" && c.n == len(body) { // a column that every record fills, such as ids
			continue
		}
		if _, _, ok := anyNumber([]byte(f), decimal); ok || missing([]byte(f)) || absent(f) {
			return false
		}
		words[f] = true
		if isNumbers {
			numbers++
		} else {
			levels++
		}
	}
	n := numbers + levels
	return len(words) == n && (numbers >= 2 || n >= 3)
}

// continues reports a second row of names: it has words where the header has none,
// and nothing where every record has something (exports of surveys).
func continues(header, row []string, body [][]string) bool {
	named, lacks := 0, 0
	for i, f := range row {
		if i >= len(header) {
			return false
		}
		switch {
		case header[i] == "" && f == "":
			return false
		case header[i] == "":
			named++
		case f == "" && bodyOf(body, i, f, '.').n == len(body):
			lacks++
		}
	}
	return named > 0 && lacks > 0
}

// isHeading reports the header once more: pages that were joined, or files.
func (r *rows) isHeading() bool {
	n := int(r.ends[r.lo+r.n-1]) - r.start
	if n > 0 && r.data[r.start+n-1] == '\r' {
		n--
	}
	return n == len(r.edge.heading) && bytes.Equal(r.data[r.start:r.start+n], r.edge.heading)
}
