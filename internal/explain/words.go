package explain

import (
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// quantity writes a number of records: "1 patient", "1,204 patients".
func quantity(n int, u report.Unit) string {
	if n == 1 {
		return "1 " + u.One
	}
	return report.Thousands(n) + " " + u.Many
}

// say gives the words of a message in the language of the report.
func (b *builder) say(id string, values ...any) string { return b.l.Say(id, values...) }

// quantity is a number of records in the language of the report.
func (b *builder) quantity(n int, u report.Unit) string {
	return quantity(n, report.Unit{One: b.l.Word(u.One), Many: b.l.Word(u.Many)})
}

// joined joins words in the language of the report.
func (b *builder) joined(words []string) string {
	if n := len(words); n > 1 {
		return b.say("and", strings.Join(words[:n-1], ", "), words[n-1])
	}
	return strings.Join(words, "")
}

// decimals writes a number with two digits behind the point.
func decimals(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// sentence makes the first letter large.
func sentence(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// repeatable says how well a split was found again.
func repeatable(stability float64) string {
	switch {
	case stability >= 0.9:
		return "good"
	case stability >= 0.75:
		return "fair"
	case stability >= 0.5:
		return "weak"
	}
	return "poor"
}
