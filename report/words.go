package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Thousands writes n with a comma after every third digit: 1,204.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	from := 0
	if n < 0 {
		from = 1
	}
	for i := len(s) - 3; i > from; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes a share for people: whole per cent from 10 on, one digit below
// it, two below 1 %, never more than the share allows ("over 99.9 %").
func Percent(share float64) string {
	p := 100 * share
	switch {
	case p == 0:
		return "0 %"
	case p >= 100:
		return "100 %"
	case p > 99.9:
		return "over 99.9 %"
	case p >= 99.5:
		return fmt.Sprintf("%.1f %%", p)
	case p >= 9.95:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.995:
		return trimZero(fmt.Sprintf("%.1f", p)) + " %"
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return "under 0.01 %"
}

func trimZero(s string) string { return strings.TrimSuffix(s, ".0") }

// Times writes a ratio for people: "4.1", "12", "0.2", "0.05".
func Times(ratio float64) string {
	switch {
	case ratio >= 9.95:
		return Thousands(int(math.Round(ratio)))
	case ratio >= 0.095:
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.1g", ratio)
}

// Amount writes a measurement with about three significant digits.
func Amount(v float64) string {
	switch a := math.Abs(v); {
	case a >= 999.5:
		return Thousands(int(math.Round(v)))
	case a >= 99.5 || a == 0:
		return fmt.Sprintf("%.0f", v)
	case a >= 9.95:
		return fmt.Sprintf("%.1f", v)
	case a >= 0.0995:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}
