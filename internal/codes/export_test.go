package codes

import (
	"maps"
	"slices"
)

// CategoryTitles returns the titles of all categories of a system.
func CategoryTitles(s System) []string {
	if s == ICD9 {
		return slices.Sorted(maps.Values(icd9().category))
	}
	return slices.Sorted(maps.Values(icd10().category))
}
