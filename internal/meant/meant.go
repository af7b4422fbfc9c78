// Package meant finds the known word that somebody probably meant.
package meant

import (
	"fmt"
	"strings"
)

// Word returns the known word closest to word, or "" if none is close: up to
// two letters, more for long words, may be changed, added or dropped, but not
// all of them; a beginning of three letters will do where nothing is closer.
// Case does not count; the first of equally close words wins.
func Word(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", min(3+len(word)/6, max(len(word), 1))
	begun := ""
	for _, k := range known {
		lower := strings.ToLower(k)
		if d := edits(word, lower); d < least {
			best, least = k, d
		}
		if begun == "" && len(word) > 2 && strings.HasPrefix(lower, word) {
			begun = k
		}
	}
	if best == "" {
		return begun
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
