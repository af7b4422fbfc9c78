package main

import (
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
)

// harmless shows what could disturb a terminal as letters: names, ids and values
// come from data, and may hold escape sequences, or turns of direction that make
// a line read as another one. Line ends stay.
func harmless(s string) string { return strings.ToValidUTF8(cells.Visible(s), "\ufffd") }
