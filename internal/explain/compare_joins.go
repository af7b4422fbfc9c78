package explain

import (
	"fmt"

	"github.com/moiety-go/moiety/report"
)

// mostOf is the share of a group that makes it part of another.
const mostOf = 0.5

// joinWords says which groups were joined and which were split, by the records
// that may be reported: "B 1 joins 3 groups of A: 1, 2 and 5."
func (c *comparer) joinWords() []string {
	t := c.out.Table
	if t == nil || c.out.Same {
		return nil
	}
	a, b := c.out.A.Groups, c.out.B.Groups
	var out []string
	for j := range b {
		var parts []string
		for i := range a {
			if mostly(t[i][j], a[i].N) {
				parts = append(parts, a[i].ID)
			}
		}
		if len(parts) > 1 {
			out = append(out, fmt.Sprintf("B %s joins %d groups of A: %s.", c.refWords(b[j]), len(parts), list(parts)))
		}
	}
	for i := range a {
		var parts []string
		for j := range b {
			if mostly(t[i][j], b[j].N) {
				parts = append(parts, b[j].ID)
			}
		}
		if len(parts) > 1 {
			out = append(out, fmt.Sprintf("A %s is split into %d groups of B: %s.", c.refWords(a[i]), len(parts), list(parts)))
		}
	}
	return out
}

// mostly reports that a part is most of a whole; false where one is withheld.
func mostly(part, whole report.Count) bool {
	p, ok := part.Value()
	w, also := whole.Value()
	return ok && also && p > 0 && float64(p) >= mostOf*float64(w)
}
