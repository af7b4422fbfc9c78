package setting

import "testing"

func TestSay(t *testing.T) {
	for _, c := range []struct{ text, flags, plain string }{
		{"nothing is named", "nothing is named", "nothing is named"},
		{"lower ‹min-codes›, or ask with ‹groups›: ‹out›", "lower --min-codes, or ask with -k: -o", "lower min codes, or ask with groups: out"},
		{"column \"‹ˮ of ‹X› is ‹› strange", "column \"‹ˮ of ‹X› is ‹› strange", "column \"‹ˮ of ‹X› is ‹› strange"},
		{"‹skip-malformed› 0.3%", "--skip-malformed 0.3%", "skip malformed 0.3%"},
	} {
		if got := Say(c.text, Flag); got != c.flags {
			t.Errorf("%q: %q, want %q", c.text, got, c.flags)
		}
		if got := Say(c.text, Plain); got != c.plain {
			t.Errorf("%q: %q, want %q", c.text, got, c.plain)
		}
	}
}
