package cells

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Disturbs reports what a terminal would act on: control characters but line
// ends and tabs, and turns of direction, which make a line read as another one.
func Disturbs(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029
}

// Visible writes what a terminal would act on by its number, \x1b or \u202e: names, ids and
// values come from data.
func Visible(s string) string {
	at := strings.IndexFunc(s, Disturbs)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:at])
	for _, r := range s[at:] {
		switch {
		case !Disturbs(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
