package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/kernel"
)

func avx512() bool { return kernel.Tier() == "avx512" }

// table prints results as they come, as Markdown.
type table struct {
	columns []string
}

func newTable(title string, columns ...string) *table {
	t := &table{append([]string{"method", "CPU s", "wall s", "peak MB", "before MB", "runs"}, columns...)}
	fmt.Printf("\n%s\n\n| %s |\n|%s\n", title, strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	return t
}

// row prints one method with its quality; an error stands in for what it says.
func (t *table) row(method string, r *Report, err error, quality ...string) {
	if err != nil {
		fmt.Printf("| %s | %v |\n", method, err)
		return
	}
	cells := []string{
		method, seconds(r.CPU), seconds(r.Wall),
		fmt.Sprintf("%.0f", r.Peak), fmt.Sprintf("%.0f", r.Base), strconv.Itoa(r.Runs),
	}
	cells = append(cells, quality...)
	for len(cells) < len(t.columns) {
		cells = append(cells, "")
	}
	fmt.Printf("| %s |\n", strings.Join(cells, " | "))
}

// ratio returns how many times more CPU a peer took.
func ratio(peer, own *Report) string {
	if peer == nil || own == nil || own.CPU == 0 {
		return ""
	}
	return times(peer.CPU / own.CPU)
}

// times writes a ratio with two digits or more.
func times(r float64) string {
	if r < 9.95 {
		return fmt.Sprintf("%.1f×", r)
	}
	return fmt.Sprintf("%.0f×", r)
}

// seconds writes a time with three digits or more after the point.
func seconds(s float64) string {
	if s < .1 {
		return fmt.Sprintf("%.4f", s)
	}
	return fmt.Sprintf("%.3f", s)
}
