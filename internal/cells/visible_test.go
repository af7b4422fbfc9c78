package cells_test

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/cells"
)

// TestVisible: what a terminal acts on is written by its number, and nothing else changes.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"Ärzte 医者\t\n":       "Ärzte 医者\t\n",
		"a\x1b[2Jb":          `a\x1b[2Jb`,
		"\x00\x7f":           `\x00\x7f`,
		"nut\u009b31m":       `nut\u009b31m`,
		"abc\u202etxt.exe":   `abc\u202etxt.exe`,
		"x\u2066y\u2029z":    `x\u2066y\u2029z`,
		"not utf8 \xff here": "not utf8 \xff here",
	} {
		got := cells.Visible(in)
		if got != want {
			t.Errorf("%q is written as %q, want %q", in, got, want)
		}
		if strings.ContainsFunc(got, cells.Disturbs) {
			t.Errorf("%q still disturbs", got)
		}
		if guarded, changed := cells.Guard(in); guarded != want || changed {
			t.Errorf("the cell %q is written as %q, changed %v", in, guarded, changed)
		}
	}
}
