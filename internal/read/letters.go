package read

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

const (
	leastIndividuals = 6 // lines below which nothing is said of alleles
	leastLoci        = 3
)

// Genotypes in letters: two bases, alone or with a sign between; what is missing has
// no base. Codes of two letters, as those of states, look alike in single cells, but
// have no homozygotes and more than two letters a column.
var (
	basePair  = pattern.New(`^([ACGT])[/|: ]?([ACGT])$`)
	noBases   = pattern.New(`^(|NA|N|[N0.?-][/|: ]?[N0.?-])$`)
	lettersBy = []rune{'\t', ',', ';', 0}
)

// pairOf returns the alleles of a cell, both empty where they are missing.
func pairOf(cell string) (a, b string, ok bool) {
	cell = strings.ToUpper(strings.TrimSpace(cell))
	if noBases.MatchString(cell) {
		return "", "", true
	}
	if m := basePair.FindStringSubmatch(cell); m != nil {
		return m[1], m[2], true
	}
	return "", "", false
}

// lettersOf recognises a table with columns of such cells, by its first lines.
func lettersOf(in source.Input, lines []string) *alleles {
	for _, sep := range lettersBy {
		if a := lettersBetween(in, lines, sep); a != nil {
			return a
		}
	}
	return nil
}

func lettersBetween(in source.Input, lines []string, sep rune) *alleles {
	if !mayHoldPairs(lines[1], sep) {
		return nil
	}
	next := rowsOf(strings.NewReader(strings.Join(lines, "\n")), sep)
	var rows [][]string
	for {
		row, err := next()
		if err != nil {
			break
		}
		rows = append(rows, append([]string(nil), row...))
	}
	if len(rows) < leastIndividuals || len(rows[0]) < leastLoci {
		return nil
	}
	a := &alleles{in: in, sep: sep, rows: 1}
	for _, cell := range rows[0] {
		if _, _, ok := pairOf(cell); !ok {
			a.skip = 1 // names
		}
	}
	a.of = func(rows [][]string, at int) (string, string, bool) { return pairOf(rows[0][at]) }
	pairs, equal := 0, 0
	for j := range rows[0] {
		name := fmt.Sprintf("column%d", j+1)
		if a.skip == 1 && rows[0][j] != "" {
			name = rows[0][j]
		}
		n, same := locusIn(rows[a.skip:], j)
		if n == 0 {
			a.plain, a.at = append(a.plain, name), append(a.at, j)
			continue
		}
		a.loci = append(a.loci, locus{name: name, at: j})
		pairs, equal = pairs+n, equal+same
	}
	if len(a.loci) < leastLoci || 5*equal < pairs {
		return nil
	}
	return a
}

// mayHoldPairs looks at one line, as most tables are no genotypes.
func mayHoldPairs(line string, sep rune) bool {
	n := 0
	row, err := rowsOf(strings.NewReader(line), sep)()
	for _, cell := range row {
		if _, _, ok := pairOf(cell); ok {
			n++
		}
	}
	return err == nil && n >= leastLoci
}

// locusIn counts the pairs in a column and those of equal letters; none where a cell
// is no pair, or the letters are more than two.
func locusIn(rows [][]string, j int) (pairs, equal int) {
	letters := map[string]bool{}
	for _, row := range rows {
		if j >= len(row) {
			return 0, 0
		}
		x, y, ok := pairOf(row[j])
		if !ok {
			return 0, 0
		}
		if x == "" {
			continue
		}
		letters[x], letters[y] = true, true
		if pairs++; x == y {
			equal++
		}
	}
	if len(letters) > 2 {
		return 0, 0
	}
	return pairs, equal
}
