package moment

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Standard is a completed Source of standardised features with what it takes
// to bring centers back to the records' own units. Features whose scale is
// infinite are constant: they take no part in the moments.
type Standard struct {
	*Completed
	Shift []float64 // what was subtracted from each feature first; nil for nothing
	Scale []float64 // what each feature was divided by then
	Mean  []float64 // of each feature, in its own units
	N     float64   // records
}

// Varying reports whether any feature takes part; where none does there is
// nothing to tell groups apart.
func Varying(scale []float64) bool {
	for _, s := range scale {
		if !math.IsInf(s, 1) {
			return true
		}
	}
	return false
}

// ErrConstant is the error of records whose features are all constant.
func ErrConstant() error {
	return &ErrTooFew{"every feature has the same value in all records: there is nothing to tell groups apart"}
}

// Unscale returns centers in the records' units; constant features, and
// entries that are no numbers, get the mean.
func (s *Standard) Unscale(raw *mat.Dense) *mat.Dense {
	centers := mat.DenseCopyOf(raw)
	for h, f := range s.Scale {
		row := centers.RawRowView(h)
		for j, v := range row {
			row[j] = v * f
			if s.Shift != nil {
				row[j] += s.Shift[h]
			}
			if math.IsInf(f, 1) || math.IsNaN(row[j]) || math.IsInf(row[j], 0) {
				row[j] = s.Mean[h]
			}
		}
	}
	return centers
}

// lightest is the least weight of a settled component, in records.
const lightest = 0.2

// Weights returns weights on the simplex, none below a fifth of a record.
func (s *Standard) Weights(raw []float64) []float64 {
	out, sum := make([]float64, len(raw)), 0.0
	for j, v := range raw {
		out[j] = lightest / s.N
		if v > out[j] && !math.IsInf(v, 1) {
			out[j] = v
		}
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

// PairFeatures is the largest number of features for which families that
// complete M2 keep it whole: each update of the completion is then free of
// passes over the data.
const PairFeatures = 2048
