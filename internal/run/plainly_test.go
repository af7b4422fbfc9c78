package run

import "testing"

func TestPlainly(t *testing.T) {
	for name, want := range map[string]string{
		"counts of 20 names":     "how many records have each name",
		"records of 20 features": "how many records there are",
		"moment.pairSum of 210":  "how many records have each pair of features (210 numbers)",
		"tree.leafSums of 147":   "records and averages of every group of the tree (147 numbers)",
		"loglinear.eStep of 86 and fit.missing of 1": "expected records and features of every group, for a step of the refinement (86 numbers)" +
			" and how many values are missing (1 numbers)",
		"new.thing of 3": "new.thing of 3",
	} {
		if got := Plainly(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
