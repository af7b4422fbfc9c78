package read

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
)

// Files for the program STRUCTURE (Pritchard, Stephens and Donnelly 2000) hold two
// whole numbers an individual and locus, in two rows or side by side, a negative one
// where it is missing; in front the name of the individual and often its population;
// above the names of the loci alone, fewer than a row has cells.
const (
	mostBefore   = 6  // columns before the loci
	plainLoci    = 5  // loci from which a file without names can be one
	plainPairs   = 10 // and individuals
	mostOfHeader = 3  // lines above the individuals
)

// structureOf recognises such a file by its first lines.
func structureOf(in source.Input, lines []string) *alleles {
	named := slices.Contains([]string{".str", ".stru", ".structure"}, strings.ToLower(path.Ext(in.Base())))
	width, skip := len(strings.Fields(lines[len(lines)-1])), 0
	if !named && width <= leastLoci { // a cell names the individual; three numbers a line are counts of words
		return nil
	}
	rows := make([][]string, len(lines))
	for i, l := range lines {
		rows[i] = strings.Fields(l)
	}
	for skip < len(rows) && len(rows[skip]) < width {
		skip++
	}
	body := rows[skip:]
	if skip > mostOfHeader || len(body) < leastIndividuals || slices.ContainsFunc(body, func(r []string) bool { return len(r) != width }) {
		return nil
	}
	a := &alleles{in: in, skip: skip, sure: named || skip > 0}
	var names []string
	if skip > 0 {
		names = rows[0]
	}
	twins, before := inPairs(body)
	switch {
	case names != nil && width-2*len(names) >= 1 && width-2*len(names) <= mostBefore:
		before, a.rows = width-2*len(names), 1
	case names != nil && twins && width-len(names) <= mostBefore:
		before, a.rows = width-len(names), 2
	case names == nil && twins && (named || width-before >= plainLoci && len(body) >= 2*plainPairs):
		a.rows = 2
	case names == nil && !twins && named:
		before, a.rows = 1+(width-1)%2, 1
	default:
		return nil
	}
	step := 3 - a.rows // cells of a locus in a row
	for j := before; j < width; j += step {
		name := fmt.Sprintf("locus%d", len(a.loci)+1)
		if l := len(a.loci); l < len(names) {
			name = names[l]
		}
		a.loci = append(a.loci, locus{name: name, at: j})
	}
	for j := range before {
		a.at = append(a.at, j)
		a.plain = append(a.plain, [...]string{"individual", "population", "column3", "column4", "column5", "column6"}[j])
	}
	if a.of = numbersInRow; a.rows == 2 {
		a.of = numbersInRows
	}
	if !named && len(a.loci) < leastLoci || !allNumbers(body, before) {
		return nil
	}
	return a
}

// inPairs reports rows that begin alike two and two, and how many cells in front they
// share; a last one may have lost its twin to the end of the sample.
func inPairs(rows [][]string) (ok bool, before int) {
	before = min(mostBefore, len(rows[0])-1)
	for i := 0; i+1 < len(rows); i += 2 {
		if rows[i][0] != rows[i+1][0] || i > 0 && rows[i][0] == rows[i-1][0] {
			return false, 0
		}
		for before > 0 && !slices.Equal(rows[i][:before], rows[i+1][:before]) {
			before--
		}
	}
	return true, before
}

func allNumbers(rows [][]string, before int) bool {
	for _, row := range rows {
		for _, cell := range row[before:] {
			if _, ok := alleleOf(cell); !ok {
				return false
			}
		}
	}
	return true
}

// alleleOf is the name of an allele, empty where it is missing.
func alleleOf(cell string) (string, bool) {
	if cell == "NA" || cell == "?" || cell == "." {
		return "", true
	}
	n, err := strconv.Atoi(cell)
	if err != nil {
		return "", false
	}
	if n < 0 {
		return "", true
	}
	return cell, true
}

func numbersInRow(rows [][]string, at int) (string, string, bool) {
	return both(rows[0][at], rows[0][at+1])
}

func numbersInRows(rows [][]string, at int) (string, string, bool) {
	return both(rows[0][at], rows[1][at])
}

// both are two alleles; where one is missing nothing is known of the copies.
func both(x, y string) (string, string, bool) {
	a, ok1 := alleleOf(x)
	b, ok2 := alleleOf(y)
	if a == "" || b == "" {
		return "", "", ok1 && ok2
	}
	return a, b, ok1 && ok2
}
