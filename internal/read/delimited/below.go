package delimited

import (
	"bytes"
	"strings"
)

// Rows right below the header that describe the columns and are no records:
// questions in words (surveys), units (instruments), rules of dashes (reports).

const (
	mostBelow  = 3 // such rows stand at most so many, one below the other
	fewestBody = 8 // records by which they are told
)

// describing counts the rows of top, whose first one is the header, that describe
// columns.
func describing(top [][]string, decimal byte) int {
	n := 0
	for n < mostBelow && len(top) > n+1+fewestBody {
		row, body := top[n+1], top[min(n+1+mostBelow, len(top)):]
		if !isRule(row) && !describes(row, body, decimal) {
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
	return most >= 3 && 2*filled(row) > len(row)
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

// isHeading reports the header once more: pages that were joined, or files.
func (r *rows) isHeading() bool {
	n := int(r.ends[r.lo+r.n-1]) - r.start
	if n > 0 && r.data[r.start+n-1] == '\r' {
		n--
	}
	return n == len(r.edge.heading) && bytes.Equal(r.data[r.start:r.start+n], r.edge.heading)
}
