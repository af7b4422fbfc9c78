package main

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/show"
)

// harmless shows what could disturb a terminal as letters: names, ids and values
// come from data, and may hold escape sequences, or turns of direction that make
// a line read as another one. Line ends stay.
func harmless(s string) string {
	if strings.IndexFunc(s, show.Disturbs) < 0 {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !show.Disturbs(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
