package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/agree"
)

// Largest differences of numbers that are no change.
const (
	exact = 1e-6
	mixed = 1e-4 // documents: their EM stops by a tolerance of its own
)

// names are the columns that hold names, even where these look like numbers.
var names = []string{"id", "group", "feature", "node", "parent"}

// errChanged says that something differs that must not.
var errChanged = errors.New("answers changed")

// compare holds two folders of keep against one another, set by set.
func compare(w io.Writer, before, after string) error {
	changed := false
	for _, s := range sets {
		a, b := filepath.Join(before, s.name), filepath.Join(after, s.name)
		if _, err := os.Stat(a); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		d, err := differ(a, b)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		limit := exact
		if s.documents {
			limit = mixed
		}
		if !(d.largest <= limit) {
			d.found("numbers differ by %.3g in %s", d.largest, d.where)
		}
		fmt.Fprintf(w, "%-20s ARI %.6f  largest difference %-9.3g %s\n", s.name, d.ari, d.largest, strings.Join(d.texts, "; "))
		changed = changed || len(d.texts) > 0
	}
	if changed {
		return errChanged
	}
	return nil
}

// difference is what compare finds in a set.
type difference struct {
	ari, largest float64
	where        string // table and column of the largest
	texts        []string
}

func (d *difference) found(format string, args ...any) {
	d.texts = append(d.texts, fmt.Sprintf(format, args...))
}

func differ(a, b string) (*difference, error) {
	d := &difference{ari: 1}
	for _, name := range []string{exitFile, filesFile} {
		x, y := content(filepath.Join(a, name)), content(filepath.Join(b, name))
		if x != y {
			d.found("%s: %s", name, firstChange(x, y))
		}
	}
	tables, err := filepath.Glob(filepath.Join(a, "csv", "*.csv"))
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		name := filepath.Base(t)
		x, err := table(t)
		if err != nil {
			return nil, err
		}
		y, err := table(filepath.Join(b, "csv", name))
		if err != nil {
			d.found("%s is missing", name)
			continue
		}
		d.table(name, x, y)
	}
	return d, nil
}

// content returns the text of a file, "" where there is none.
func content(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

// firstChange returns the first line in which two texts differ.
func firstChange(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("%q became %q", strings.Join(x[min(i, len(x)):min(i+1, len(x))], ""), strings.Join(y[min(i, len(y)):min(i+1, len(y))], ""))
		}
	}
	return ""
}

func table(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	return r.ReadAll()
}

// table compares two tables cell by cell: words must be equal, numbers near.
func (d *difference) table(name string, a, b [][]string) {
	if len(a) != len(b) || !slices.Equal(a[0], b[0]) {
		d.found("%s: %d lines of %v became %d of %v", name, len(a), a[0], len(b), b[0])
		return
	}
	words := 0
	for i := range a {
		for j := range min(len(a[i]), len(b[i])) {
			if a[i][j] == b[i][j] {
				continue
			}
			x, errX := strconv.ParseFloat(a[i][j], 64)
			y, errY := strconv.ParseFloat(b[i][j], 64)
			if errX != nil || errY != nil || j < len(a[0]) && slices.Contains(names, a[0][j]) {
				words++
				continue
			}
			if diff := math.Abs(x-y) / max(1, math.Abs(x)); !(diff <= d.largest) {
				d.largest, d.where = diff, name+" "+a[0][j]
			}
		}
	}
	if words > 0 {
		d.found("%s: %d words changed", name, words)
	}
	if at := slices.Index(a[0], "group"); name == "assignments.csv" && at >= 0 {
		d.ari = agreement(a[1:], b[1:], at)
	}
}

// agreement returns the adjusted Rand index of two columns.
func agreement(a, b [][]string, column int) float64 {
	number := map[string]int{}
	labels := func(rows [][]string) []int {
		out := make([]int, len(rows))
		for i, r := range rows {
			n, ok := number[r[column]]
			if !ok {
				n = len(number)
				number[r[column]] = n
			}
			out[i] = n
		}
		return out
	}
	ari, err := agree.ARI(labels(a), labels(b))
	if err != nil {
		return math.NaN()
	}
	return ari
}
