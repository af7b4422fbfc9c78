package oracle

import (
	"math"
	"slices"
)

// transposed turns rows of the given width into columns.
func transposed[T any](rows [][]T, width int) [][]T {
	columns := make([][]T, width)
	for j := range columns {
		columns[j] = make([]T, len(rows))
		for i, row := range rows {
			columns[j][i] = row[j]
		}
	}
	return columns
}

// rows turns columns into rows; none stay none.
func rows(columns [][]float64) [][]float64 {
	if len(columns) == 0 {
		return nil
	}
	return transposed(columns, len(columns[0]))
}

// standard gives every column mean 0 and variance 1, fills what is missing with the
// mean, and returns rows. Columns that never vary go, and of too many some, evenly.
func standard(columns [][]float64) [][]float64 {
	var kept [][]float64
	for _, c := range columns {
		if z := standardColumn(c); z != nil {
			kept = append(kept, z)
		}
	}
	if len(kept) > mostColumns {
		for j := range mostColumns {
			kept[j] = kept[j*len(kept)/mostColumns]
		}
		kept = kept[:mostColumns]
	}
	return rows(kept)
}

// standardColumn returns the standard scores of a column, nil where it never varies.
func standardColumn(column []float64) []float64 {
	var sum, squares, n float64
	for _, x := range column {
		if !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	mean := sum / max(n, 1)
	for _, x := range column {
		if !math.IsNaN(x) {
			squares += (x - mean) * (x - mean)
		}
	}
	spread := math.Sqrt(squares / max(n, 1))
	if spread <= 1e-9*math.Abs(mean) {
		return nil
	}
	z := make([]float64, len(column))
	for i, x := range column {
		if !math.IsNaN(x) {
			z[i] = (x - mean) / spread
		}
	}
	return z
}

// normalScores replaces numbers by normal quantiles of their ranks; equal numbers get
// the middle of their ranks, and what is missing stays so.
func normalScores(numbers []float64) []float64 {
	if numbers == nil {
		return nil
	}
	sorted := slices.DeleteFunc(slices.Clone(numbers), math.IsNaN)
	slices.Sort(sorted)
	z := make([]float64, len(numbers))
	for i, x := range numbers {
		if z[i] = math.NaN(); math.IsNaN(x) {
			continue
		}
		low, _ := slices.BinarySearch(sorted, x)
		high, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		z[i] = math.Sqrt2 * math.Erfinv(float64(low+high)/float64(len(sorted))-1)
	}
	return z
}

// normal is the standard normal distribution function.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
