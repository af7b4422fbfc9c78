// Package lab is the bench that the experiments share: columns of figures over
// seeds with their means, spreads and paired comparisons, clocks, and tables.
package lab

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Series holds one figure for every seed, in the order of the seeds.
type Series []float64

// Mean returns the mean.
func (s Series) Mean() float64 {
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum / float64(len(s))
}

// SD returns the sample standard deviation.
func (s Series) SD() float64 {
	m, sum := s.Mean(), 0.0
	for _, v := range s {
		sum += (v - m) * (v - m)
	}
	if len(s) < 2 {
		return 0
	}
	return math.Sqrt(sum / float64(len(s)-1))
}

// Error returns the standard error of the mean.
func (s Series) Error() float64 { return s.SD() / math.Sqrt(float64(len(s))) }

// Less returns the differences to t, seed by seed: a paired comparison.
func (s Series) Less(t Series) Series {
	out := make(Series, len(s))
	for i := range s {
		out[i] = s[i] - t[i]
	}
	return out
}

// Wins returns on how many seeds s is larger than t.
func (s Series) Wins(t Series) int {
	n := 0
	for i := range s {
		if s[i] > t[i] {
			n++
		}
	}
	return n
}

func (s Series) String() string {
	if len(s) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f ±%.3f", s.Mean(), s.SD())
}

// Timed runs f and returns the CPU seconds it took.
func Timed(f func() error) (float64, error) {
	before := cpu()
	err := f()
	return (cpu() - before).Seconds(), err
}

// Seconds formats a duration in seconds with three digits.
func Seconds(s float64) string {
	switch {
	case s < 0.0995:
		return fmt.Sprintf("%.2g ms", s*1000)
	case s < 9.95:
		return fmt.Sprintf("%.2f s", s)
	default:
		return time.Duration(s * float64(time.Second)).Round(time.Second / 10).String()
	}
}

// Table is a text table.
type Table struct {
	head []string
	rows [][]Cell
}

// NewTable returns a table with the given column heads.
func NewTable(head ...string) *Table { return &Table{head: head} }

// Add appends a row; the values are printed with %v.
func (t *Table) Add(values ...any) {
	row := make([]Cell, len(values))
	for i, v := range values {
		switch x := v.(type) {
		case float64:
			row[i] = Cell{fmt.Sprintf("%.3f", x), Series{x}}
		case Series:
			row[i] = Cell{x.String(), x}
		default:
			row[i].Text = fmt.Sprint(x)
		}
	}
	t.rows = append(t.rows, row)
}

// Write prints the table as Markdown, which reads well in a terminal too. A Recorder
// keeps its figures.
func (t *Table) Write(w io.Writer) {
	if r, ok := w.(*Recorder); ok {
		r.keep(t)
	}
	rows := [][]string{t.head}
	for _, row := range t.rows {
		var texts []string
		for _, c := range row {
			texts = append(texts, c.Text)
		}
		rows = append(rows, texts)
	}
	width := make([]int, len(t.head))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	line := func(row []string) {
		for i, cell := range row {
			fmt.Fprintf(w, "| %s%s ", cell, strings.Repeat(" ", width[i]-len([]rune(cell))))
		}
		fmt.Fprintln(w, "|")
	}
	line(t.head)
	for _, n := range width {
		fmt.Fprintf(w, "|%s", strings.Repeat("-", n+2))
	}
	fmt.Fprintln(w, "|")
	for _, row := range rows[1:] {
		line(row)
	}
	fmt.Fprintln(w)
}

// Verdict compares a measured figure with a goal.
func Verdict(ok bool) string {
	if ok {
		return "met"
	}
	return "MISSED"
}
