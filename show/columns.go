package show

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/moiety-go/moiety/internal/cells"
)

// columns returns the columns that a text takes on a terminal: none for marks
// that join the letter before, two for wide letters.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += wide(r)
	}
	return n
}

// wideRanges are the letters of two columns: Hangul, Chinese, Japanese, full
// width forms, pictures.
var wideRanges = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

func wide(r rune) int {
	switch {
	case r >= strongOn && r <= warnOn || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wideRanges, r):
		return 2
	}
	return 1
}

// Marks of strong words while a line is laid out.
const (
	strongOn  = '\ue000'
	strongOff = '\ue001'
	dimOn     = '\ue002'
	warnOn    = '\ue003'
)

// harmlessJSON writes such letters of a JSON document, which stand inside texts
// alone, by their numbers.
func harmlessJSON(s string) string {
	if strings.IndexFunc(s, cells.Disturbs) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if cells.Disturbs(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain takes out what could disturb a terminal: names come from data, and a
// name may hold line ends, escape sequences or turns of direction.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case cells.Disturbs(r), r >= strongOn && r <= warnOn:
			return -1
		}
		return r
	}, s)
}

// head returns as much of a text as fits into width columns, at least one
// letter, and the rest.
func head(s string, width int) (string, string) {
	n := 0
	for i, r := range s {
		n += wide(r)
		if n > width && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// clip cuts a text to width columns, with a mark where something is missing.
func clip(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	s, _ = head(s, max(width-1, 1))
	return strings.TrimRight(s, " ,;") + "…"
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(width-columns(s), 0))
}

// wrap breaks a text at spaces into lines of at most width columns, and words
// that are longer where they must. Per cent signs cling to their numbers.
func wrap(s string, width int) []string {
	const cling = "\x00"
	width = max(width, leastName)
	var lines []string
	line := ""
	for _, word := range strings.Fields(strings.ReplaceAll(s, " %", cling+"%")) {
		word = strings.ReplaceAll(word, cling, " ")
		if line != "" && columns(line)+1+columns(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for columns(word) > width {
			var first string
			first, word = head(word, width)
			lines = append(lines, first)
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
