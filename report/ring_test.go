package report_test

import (
	"testing"

	"github.com/moiety-go/moiety/report"
)

// TestRingWords: who may see an output, and what is left out of it, in one sentence.
func TestRingWords(t *testing.T) {
	for _, c := range []struct {
		ring        report.Ring
		limit, unit int
		want        string
	}{
		{report.Open, 0, 0, ""},
		{report.Inside, 11, 0, "Counts below 11 are left out, and what would give them away; for inside the house."},
		{report.Inside, 0, 0, "No count is left out, however small; for inside the house."},
		{report.Shared, 11, 5, "Counts below 11 are left out, the others rounded to 5 or more; may be shared."},
	} {
		if got := report.RingWords(c.ring, c.limit, c.unit); got != c.want {
			t.Errorf("%q, limit %d: %q, want %q", c.ring, c.limit, got, c.want)
		}
	}
}
