package suggest

import "testing"

func TestWord(t *testing.T) {
	known := []string{"svtd", "sidiwo", "tpm", "random-projections"}
	for word, want := range map[string]string{
		"sidiwoo": "sidiwo", "SVTD": "svtd", "svdt": "svtd", "tp": "tpm", "xyz": "", "": "", "ran": "random-projections",
		"random-projection": "random-projections", "svt": "svtd", "s": "", "svvdd": "svtd", "sxyd": "", "t": "",
	} {
		if got := Word(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	if got := Word("yes", []string{"em", "none"}); got != "" {
		t.Errorf("yes is nowhere near %q", got)
	}
	if got := Hint("sidiwi", known); got != ` (did you mean "sidiwo"?)` {
		t.Errorf("hint %q", got)
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"ab", "ba", 1}, {"fti", "fit", 1}, {"yes", "em", 2}, {"ca", "abc", 3}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
