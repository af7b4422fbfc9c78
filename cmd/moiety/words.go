package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/report"
)

func thousands(v int64) string { return report.Thousands(int(v)) }

// byteSize writes a number of bytes for people.
func byteSize(v int64) string {
	units := []string{"kB", "MB", "GB", "TB"}
	if v < 1000 {
		return fmt.Sprintf("%d bytes", v)
	}
	x := float64(v)
	for _, u := range units {
		x /= 1000
		if x < 999.5 || u == "TB" {
			return fmt.Sprintf("%.3g %s", x, u)
		}
	}
	return ""
}

// parseBytes reads "2GB", "500M", "1.5GiB" or a plain number of bytes.
func parseBytes(text string) (int64, error) {
	s := strings.ToLower(strings.TrimSpace(text))
	factor := 1.0
	for _, u := range []struct {
		ending string
		factor float64
	}{
		{"kib", 1 << 10},
		{"mib", 1 << 20},
		{"gib", 1 << 30},
		{"tib", 1 << 40},
		{"kb", 1e3},
		{"mb", 1e6},
		{"gb", 1e9},
		{"tb", 1e12},
		{"k", 1e3},
		{"m", 1e6},
		{"g", 1e9},
		{"t", 1e12},
		{"b", 1},
	} {
		if rest, ok := strings.CutSuffix(s, u.ending); ok {
			s, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0) || v*factor > 1e18 {
		return 0, fmt.Errorf("%q is no amount of memory: write 500MB, 2GB, 1.5GiB", text)
	}
	return int64(v * factor), nil
}

// duration writes a time for people.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return "under 1 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// count writes "1 record", "2 records".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return report.Thousands(n) + " " + many
}

// wrap breaks a text into lines of at most width letters; lines after the first
// begin with indent.
func wrap(text string, width int, indent string) string {
	var out strings.Builder
	length := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case length+1+n > width:
			out.WriteString("\n" + indent)
			length = len(indent)
		default:
			out.WriteByte(' ')
			length++
		}
		out.WriteString(word)
		length += n
	}
	return out.String()
}

// number6 writes a number with six digits.
func number6(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
