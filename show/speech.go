package show

import (
	"strings"

	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/report"
)

// speech says messages in the language of a report.
func speech(r *report.Report) func(id string, values ...any) string {
	return phrases.Language(r.Language).Say
}

// word is a single word of a report in its language: "patients".
func word(r *report.Report, w string) string { return phrases.Language(r.Language).Word(w) }

// nounWord is what one or several groups are called, in the language of a report.
func nounWord(r *report.Report, several bool) string {
	noun := groupNoun(r)
	if several {
		noun += "s"
	}
	return word(r, noun)
}

// allOf joins two names or more: "a and b".
func allOf(r *report.Report, names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return speech(r)("and", strings.Join(names[:n-1], ", "), names[n-1])
}
