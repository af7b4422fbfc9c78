package codes

import (
	"maps"
	"slices"
	"strings"
)

// CategoryTitles returns the titles of all categories of a system.
func CategoryTitles(s System) []string {
	if s == ICD9 {
		return slices.Sorted(maps.Values(icd9().category))
	}
	return slices.Sorted(maps.Values(icd10().category))
}

// Overlooked returns a rule that would find something in a title and is not asked; "" where
// there is none.
func Overlooked(title string) string {
	for _, r := range shortRules {
		if r.find.MatchString(title) && !r.may(strings.ToLower(title)) {
			return r.find.String()
		}
	}
	return ""
}
