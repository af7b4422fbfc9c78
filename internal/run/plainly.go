package run

import (
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/verdict"
)

// Plainly says in plain words what the sums of a round are, by the names of their
// formulas: what a data protection officer can read.
func Plainly(name string) string {
	var out []string
	for _, one := range strings.Split(name, " and ") {
		out = append(out, plainSum(one))
	}
	return strings.Join(out, " and ")
}

// noised stands between the name of a sum that leaves with noise and its length.
const noised = " with noise, "

var sumOf = pattern.New(`^([\w.]+) of (\d+)$`)

// plainSum is Plainly of one formula.
func plainSum(name string) string {
	switch {
	case strings.Contains(name, noised): // said in words by the sum itself
		return strings.Replace(name, noised, ", with noise (", 1) + " numbers)"
	case strings.HasPrefix(name, "counts of"):
		return "how many records have each name"
	case strings.HasPrefix(name, "records of"):
		return "how many records there are"
	case strings.HasPrefix(name, verdict.RoundName+" of"):
		return "to judge how many groups there are, of at most 4,000 records of all sites: how many have each feature and each pair, " +
			"expected records and features of groups that are tried, and how well these describe records kept aside"
	case strings.HasPrefix(name, "a total of"):
		return "how many records each group has, and how many of them each feature"
	}
	m := sumOf.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	kind := strings.ToLower(m[1][strings.LastIndex(m[1], ".")+1:])
	for _, k := range []struct{ part, words string }{
		{"leaf", "records and averages of every group of the tree"},
		{"pair", "how many records have each pair of features"},
		{"first", "how many records have each feature, and how many features they have"},
		{"project", "products of features in a few directions"},
		{"core", "products of three features in a few directions"},
		{"step", "expected records and features of every group, for a step of the refinement"},
		{"cell", "how many values of each feature lie in each of many narrow bins"},
		{"missing", "how many values are missing"},
		{"density", "how well the groups describe the records"},
		{"totals", "how much records of a group differ in how many features they have"},
		{"", "sums over the records"}, // of any other formula
	} {
		if strings.Contains(kind, k.part) {
			return k.words + " (" + m[2] + " numbers)"
		}
	}
	return name
}
