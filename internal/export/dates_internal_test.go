package export

import (
	"testing"

	"github.com/moiety-go/moiety/show"
)

// TestDatesOf: a cohort's dates are those of the column that was named for times, or of
// columns that are called as in a cohort table.
func TestDatesOf(t *testing.T) {
	for _, c := range []struct {
		side []string
		time string
		want show.Dates
	}{
		{[]string{"age", "cohort_start_date", "cohort_end_date"}, "", show.Dates{Start: "cohort_start_date", End: "cohort_end_date"}},
		{[]string{"cohort_start_date"}, "", show.Dates{Start: "cohort_start_date"}},
		{[]string{"cohort_start_date", "seen"}, "seen", show.Dates{Start: "seen"}},
		{[]string{"cohort_end_date"}, "", show.Dates{}},
	} {
		if got := datesOf(c.side, c.time); got.Start != c.want.Start || got.End != c.want.End {
			t.Errorf("%v, times %q: %q to %q, want %q to %q", c.side, c.time, got.Start, got.End, c.want.Start, c.want.End)
		}
	}
}
