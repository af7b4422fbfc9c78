package spectral

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// unmet is the share of a row, of the largest one, below which it is what the search for a
// subspace left and not in the subspace at all.
const unmet = 1e-6

// ClearUnmet sets to zero the rows that the subspace of the columns, found to a residual, does
// not meet. What has no others then lies at zero in every direction, and whoever places by
// the directions sees that they say nothing of it; the noise of the search would have placed it.
func ClearUnmet(columns *mat.Dense, residual float64) {
	d, _ := columns.Dims()
	largest := 0.0
	for h := range d {
		largest = math.Max(largest, floats.Norm(columns.RawRowView(h), math.Inf(1)))
	}
	for h := range d {
		if row := columns.RawRowView(h); floats.Norm(row, math.Inf(1)) <= math.Max(unmet, residual)*largest {
			clear(row)
		}
	}
}
