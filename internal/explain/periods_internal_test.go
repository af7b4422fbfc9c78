package explain

import (
	"fmt"
	"strings"
	"testing"
)

// TestPeriods: times of many forms are cut by the calendar, other numbers by
// round steps, names not at all.
func TestPeriods(t *testing.T) {
	many := func(n int, of func(int) string) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = of(i)
		}
		return out
	}
	for _, x := range []struct {
		values      []string
		every       string
		first, last string
		n           int
	}{
		{many(1000, func(i int) string { return fmt.Sprint(1945 + i%62) }), "five years", "1945–49", "2005–09", 13},
		{many(1000, func(i int) string { return fmt.Sprint(1990 + i%20) }), "year", "1990", "2009", 20},
		{many(1000, func(i int) string { return fmt.Sprintf("2008-%02d-15T10:00", i%12+1) }), "month", "2008-01", "2008-12", 12},
		{many(1000, func(i int) string { return fmt.Sprintf("2008-01-%02d", i%20+1) }), "day", "2008-01-01", "2008-01-20", 20},
		{many(1000, func(i int) string { return fmt.Sprintf("%d.%d.%d", i%28+1, i%12+1, 2003+i%3) }), "quarter", "2003 Q1", "2005 Q4", 12},
		{many(1000, func(i int) string { return fmt.Sprintf("%d/%d/%d", i%12+1, i%12+1, 2000+i%3) }), "year", "2000", "2002", 3}, // nobody knows which is the day
		{many(30, func(i int) string { return fmt.Sprint(1990 + i) }), "ten years", "1990–99", "2010–19", 3},                     // few records
		{many(1000, func(i int) string { return fmt.Sprint(1 + i%365) }), "", "0–49", "350–399", 8},
		{many(1000, func(i int) string { return fmt.Sprint(float64(i%10) / 10) }), "", "0 to 0.1", "0.9 to 1", 10},
		{many(1000, func(i int) string { return []string{"1066", "1500"}[i%2] }), "twenty years", "1060–79", "1500–19", 23},
	} {
		p, ok := timePeriods(x.values)
		if !ok || p.every != x.every || len(p.names) != x.n || p.names[0] != x.first || p.names[len(p.names)-1] != x.last {
			t.Errorf("%s …: %v %q, %v", x.values[0], ok, p.every, p.names)
			continue
		}
		for i, at := range p.place {
			if at < 0 || at >= len(p.names) {
				t.Fatalf("%s lies in period %d of %d", x.values[i], at, len(p.names))
			}
		}
	}
	if _, ok := timePeriods(strings.Fields("spring summer autumn winter spring summer")); ok {
		t.Error("seasons are dates")
	}
	p := quarters([]float64{1, 1, 1, 1, 2, 3, 4, 5})
	if fmt.Sprint(p.names) != "[1 2 to 3 4 to 5]" || fmt.Sprint(p.place) != "[0 0 0 0 1 1 2 2]" {
		t.Error(p.names, p.place)
	}
	if got := spanOf("2001 to 2003", spanOf("2004", "2005")); got != "2001 to 2005" {
		t.Error(got)
	}
}
