// Package meant finds the known word that somebody probably meant.
package meant

import (
	"fmt"
	"strings"
)

// Word returns the known word closest to word, or "" if none is close: up to a
// third of its letters, and at least one, may be changed, added or dropped. Case
// does not count; the first of equally close words wins.
func Word(word string, known []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, k := range known {
		if d := edits(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// Hint returns ` (did you mean "known"?)` for the closest known word, or "".
func Hint(word string, known []string) string {
	if best := Word(word, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}

// edits is the least number of bytes to change, add or drop between a and b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
