package oracle

import (
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/bank/draw"
	"github.com/moiety-go/moiety/bank/law"
)

// Bounds that keep the work of an oracle within a second or two.
const (
	mostLevels  = 12   // different values of a column that are taken one by one
	mostColumns = 250  // of the rows that discriminants take
	mostWords   = 2000 // of the rows of counts
)

// encoding is the records in the forms that the classifiers take.
type encoding struct {
	values [][]float64 // numbers and indicators, every column with mean 0 and variance 1
	ranks  [][]float64 // the same, with numbers replaced by normal scores of their
	// ranks; nil where no column has many different ones
	narrow [][]float64 // numbers without indicators; nil where that makes no difference
	levels [][]float64 // small whole numbers, column by column
	counts [][]float64 // counts of words; nil where there are none
}

// encode encodes records that are no sequences.
func encode(d law.Data) encoding {
	if d.Table == nil {
		return encodeWords(words(d))
	}
	columns := transposed(d.Table, len(d.Columns))
	var plain, ranks, narrow, levels, counts [][]float64
	measured := false
	for _, cells := range columns {
		c := read(cells)
		measured = measured || c.numbers != nil && c.values > mostLevels
		plain = append(plain, c.indicators(c.numbers)...)
		ranks = append(ranks, c.indicators(normalScores(c.numbers))...)
		narrow = append(narrow, c.narrow()...)
		levels = append(levels, c.levels())
		if c.counts() {
			counts = append(counts, c.numbers)
		}
	}
	more := summaries(columns)
	e := encoding{values: standard(slices.Concat(plain, more)), levels: rows(levels), counts: rows(counts)}
	if len(narrow) < len(plain) {
		e.narrow = standard(narrow)
	}
	if measured {
		e.ranks = standard(append(ranks, more...))
	}
	return e
}

// column is a column of a table.
type column struct {
	numbers []float64 // nil where a cell is no number; NaN is a missing value
	codes   []int     // of the values in their order
	values  int       // different ones, the missing among them
}

// read reads the cells of a column.
func read(cells []string) column {
	different := slices.Compact(slices.Sorted(slices.Values(cells)))
	c := column{values: len(different), codes: make([]int, len(cells))}
	for i, cell := range cells {
		c.codes[i], _ = slices.BinarySearch(different, cell)
	}
	if draw.Numeric([][]string{different}) {
		c.numbers = make([]float64, len(cells))
		for i, cell := range cells {
			c.numbers[i] = number(cell)
		}
	}
	return c
}

// number reads a cell; an empty one is not a number.
func number(cell string) float64 {
	if x, err := strconv.ParseFloat(cell, 64); err == nil {
		return x
	}
	return math.NaN()
}

// indicators returns the numbers, if there are any, and where there are few different
// values a column for each that says who has it.
func (c column) indicators(numbers []float64) [][]float64 {
	var columns [][]float64
	if numbers != nil {
		columns = append(columns, numbers)
	}
	if c.values > mostLevels || c.numbers != nil && c.values < 3 {
		return columns
	}
	for v := range c.values {
		has := make([]float64, len(c.codes))
		for i, code := range c.codes {
			if code == v {
				has[i] = 1
			}
		}
		columns = append(columns, has)
	}
	return columns
}

// narrow returns the numbers, or indicators where there are none.
func (c column) narrow() [][]float64 {
	if c.numbers != nil {
		return [][]float64{c.numbers}
	}
	return c.indicators(nil)
}

// levels returns the codes, or the decile of each of many different numbers.
func (c column) levels() []float64 {
	out := make([]float64, len(c.codes))
	for i, code := range c.codes {
		out[i] = float64(code)
	}
	if c.values > mostLevels && c.numbers != nil {
		for i, z := range normalScores(c.numbers) {
			out[i] = 10 // missing
			if !math.IsNaN(z) {
				out[i] = math.Floor(10 * normal(z))
			}
		}
	}
	return out
}

// counts says whether the column has whole numbers from 0 on and nothing missing.
func (c column) counts() bool {
	for _, x := range c.numbers {
		if !(x >= 0) || x != math.Floor(x) {
			return false
		}
	}
	return c.numbers != nil
}

// summaries tells of every record how many cells are missing, how many are like the
// one before, and mean and spread of its numbers: careless answers show there.
func summaries(columns [][]string) [][]float64 {
	n := len(columns[0])
	missing, alike, mean, spread := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		var sum, squares, count float64
		for j := range columns {
			cell := columns[j][i]
			if cell == "" {
				missing[i]++
			} else if j > 0 && cell == columns[j-1][i] {
				alike[i]++
			}
			if x := number(cell); !math.IsNaN(x) {
				sum, squares, count = sum+x, squares+x*x, count+1
			}
		}
		mean[i] = sum / max(count, 1)
		spread[i] = math.Sqrt(max(0, squares/max(count, 1)-mean[i]*mean[i]))
	}
	return [][]float64{missing, alike, mean, spread}
}
