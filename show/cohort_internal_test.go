package show

import (
	"strings"
	"testing"
)

// A cohort table without dates says which column is missing and what to do.
func TestCohortWithoutDates(t *testing.T) {
	for _, c := range []struct {
		dates  Dates
		begins bool
		want   string
	}{
		{Dates{}, false, "none were named"},
		{Dates{Start: "from", End: "from"}, false, `have no column "from"`},
		{Dates{Start: "from", End: "to"}, true, `have no column "to"`},
	} {
		if err := noDates(c.dates, c.begins); !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.dates, err)
		}
	}
}
