package api

import "testing"

// The time left of a step is that of what is left of it at the speed so far, and
// nothing is said before there is one.
func TestLeft(t *testing.T) {
	for _, c := range []struct{ done, total, seconds, want float64 }{
		{25, 100, 10, 30},
		{50, 100, 10, 10},
		{4, 100, 10, 0}, // too early
		{7, 0, 10, 0},   // nobody knows how much there is
		{100, 100, 10, 0},
	} {
		if got := left(Step{Done: int64(c.done), Total: int64(c.total)}, c.seconds); got != c.want {
			t.Errorf("%v of %v after %v s: %v s left, want %v", c.done, c.total, c.seconds, got, c.want)
		}
	}
}

// Screens do not speak of flags.
func TestPlainWords(t *testing.T) {
	for said, want := range map[string]string{
		"Documents also fall into 8 groups with a gap between them (--model single-topic).": "Documents also fall into 8 groups with a gap between them.",
		"Show them (moiety show RUN). Lower --min-codes. Keep them.":                        "Show them. Keep them.",
	} {
		if got := plainWords(said); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
