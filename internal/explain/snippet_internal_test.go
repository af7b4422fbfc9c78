package explain

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/stream"
)

// What is shown of a text holds what it is shown for, begins and ends with whole words, and is
// about as long as asked for.
func TestWindowOfWholeWords(t *testing.T) {
	r := stream.New(1, "test/window")
	for range 300 {
		var words []string
		var starts []int
		length := 0
		for range 20 + r.IntN(200) {
			starts = append(starts, length)
			w := strings.Repeat([]string{"a", "é", "語"}[r.IntN(3)], 1+r.IntN(12))
			words, length = append(words, w), length+len(w)+1
		}
		text := strings.Join(words, " ")
		first := r.IntN(len(words))
		last := min(len(words)-1, first+r.IntN(4))
		from, to := window(text, starts[first], starts[last]+len(words[last]))
		shown := text[from:to]
		switch {
		case from > starts[first] || to < starts[last]+len(words[last]):
			t.Errorf("%q is shown for %q", shown, words[first:last+1])
		case from > 0 && (text[from-1] != ' ' || text[from] == ' '), to < len(text) && text[to] != ' ':
			t.Errorf("cut within a word or at a blank: %q", shown)
		case !utf8.ValidString(shown):
			t.Errorf("cut within a letter: %q", shown)
		case len(shown) > snippetLetters+40, from > 0 && to < len(text) && len(shown) < snippetLetters-80:
			t.Errorf("%d of %d bytes are shown", len(shown), len(text))
		}
	}
}
