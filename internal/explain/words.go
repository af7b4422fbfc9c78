package explain

import (
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
