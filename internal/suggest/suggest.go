// Package suggest finds the known word that somebody probably meant.
package suggest

import (
	"fmt"
	"strings"
)

// Word returns the known word closest to word, or "" if none is close: one
// letter of a short word, two of a longer one and three of a long one may be
// changed, added, dropped or exchanged with the next; a beginning of three
// letters will do where nothing is closer. Case does not count; the first of
// equally close words wins.
func Word(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", nearest(len(word))+1
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

// nearest is how many edits away a word of n letters may be meant.
func nearest(n int) int {
	switch {
	case n < 2:
		return 0
	case n < 5:
		return 1
	case n < 9:
		return 2
	}
	return 3
}

// Hint returns ` (did you mean "known"?)` for the closest known word, or "".
func Hint(word string, known []string) string {
	if best := Word(word, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}

// edits is the least number of bytes to change, add, drop or exchange with the
// next one between a and b (optimal string alignment).
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
