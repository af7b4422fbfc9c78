// Package agree measures how well two groupings or two sets of columns agree:
// adjusted Rand index, normalised mutual information, and the best matching of
// labels or columns, whose order is arbitrary.
//
// It takes labels and matrices and gives numbers and matchings; it must not
// know where a label came from.
package agree

import (
	"fmt"
	"math"
	"slices"
)

// Table counts how often label Rows[i] of the first labeling meets label
// Cols[j] of the second. Labels are sorted.
type Table struct {
	Rows, Cols []int
	Count      [][]int
	N          int
}

// Cross returns the table of two labelings of the same records.
func Cross(a, b []int) (*Table, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("agree: %d labels against %d: both must label the same records", len(a), len(b))
	}
	t := &Table{Rows: distinct(a), Cols: distinct(b), N: len(a)}
	t.Count = make([][]int, len(t.Rows))
	for i := range t.Count {
		t.Count[i] = make([]int, len(t.Cols))
	}
	row, col := numbers(t.Rows), numbers(t.Cols)
	for i := range a {
		t.Count[row[a[i]]][col[b[i]]]++
	}
	return t, nil
}

// Counted returns the table of records that were counted already: label i of
// the first labeling meets label j of the second count[i][j] times. Labels that
// nobody has are left out.
func Counted(count [][]int) *Table {
	t := &Table{}
	used := make(map[int]bool)
	for i, row := range count {
		n := 0
		for j, c := range row {
			n += c
			used[j] = used[j] || c > 0
		}
		if t.N += n; n > 0 {
			t.Rows = append(t.Rows, i)
		}
	}
	for j := range used {
		if used[j] {
			t.Cols = append(t.Cols, j)
		}
	}
	slices.Sort(t.Cols)
	for _, i := range t.Rows {
		row := make([]int, len(t.Cols))
		for at, j := range t.Cols {
			row[at] = count[i][j]
		}
		t.Count = append(t.Count, row)
	}
	return t
}

func distinct(labels []int) []int {
	s := slices.Clone(labels)
	slices.Sort(s)
	return slices.Compact(s)
}

func numbers(labels []int) map[int]int {
	m := make(map[int]int, len(labels))
	for i, l := range labels {
		m[l] = i
	}
	return m
}

// sums returns the sizes of the groups of both labelings.
func (t *Table) sums() (rows, cols []float64) {
	rows, cols = make([]float64, len(t.Rows)), make([]float64, len(t.Cols))
	for i, r := range t.Count {
		for j, c := range r {
			rows[i] += float64(c)
			cols[j] += float64(c)
		}
	}
	return rows, cols
}

// ARI returns the adjusted Rand index (Hubert and Arabie 1985): 1 for the same
// grouping, about 0 for unrelated ones. Two groupings that are both trivial in
// the same way (one group, or every record alone) agree fully.
func (t *Table) ARI() float64 {
	rows, cols := t.sums()
	both, inRows, inCols := 0.0, 0.0, 0.0
	for _, r := range t.Count {
		for _, c := range r {
			both += pairs(float64(c))
		}
	}
	for _, c := range rows {
		inRows += pairs(c)
	}
	for _, c := range cols {
		inCols += pairs(c)
	}
	if both == inRows && both == inCols {
		return 1
	}
	expected := inRows * (inCols / pairs(float64(t.N)))
	return (both - expected) / ((inRows+inCols)/2 - expected)
}

func pairs(n float64) float64 { return n * (n - 1) / 2 }

// NMI returns the mutual information of the labelings divided by the mean of
// their entropies, between 0 and 1. Two groupings of one group each agree
// fully.
func (t *Table) NMI() float64 {
	rows, cols := t.sums()
	n := float64(t.N)
	if len(rows) <= 1 && len(cols) <= 1 {
		return 1
	}
	info := 0.0
	for i, r := range t.Count {
		for j, c := range r {
			if c > 0 {
				info += float64(c) / n * math.Log(float64(c)*n/(rows[i]*cols[j]))
			}
		}
	}
	return min(max(info/((entropy(rows, n)+entropy(cols, n))/2), 0), 1)
}

func entropy(sizes []float64, n float64) float64 {
	h := 0.0
	for _, c := range sizes {
		h -= c / n * math.Log(c/n)
	}
	return h
}

// ARI returns the adjusted Rand index of two labelings of the same records.
func ARI(a, b []int) (float64, error) {
	t, err := Cross(a, b)
	if err != nil {
		return 0, err
	}
	return t.ARI(), nil
}

// NMI returns the normalised mutual information of two labelings of the same
// records.
func NMI(a, b []int) (float64, error) {
	t, err := Cross(a, b)
	if err != nil {
		return 0, err
	}
	return t.NMI(), nil
}
