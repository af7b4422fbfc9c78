// Package simplex works with numbers that add up to one: putting a vector on
// the simplex, logarithms of sums, and distances between two distributions.
//
// It takes and gives slices and columns of numbers; it must not know what they weigh.
package simplex

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// shareInfinite gives equal mass to the entries of v that are +Inf.
func shareInfinite(dst, v []float64) []float64 {
	n := 0.0
	for _, x := range v {
		if math.IsInf(x, 1) {
			n++
		}
	}
	for i, x := range v {
		dst[i] = 0
		if math.IsInf(x, 1) {
			dst[i] = 1 / n
		}
	}
	return dst
}

// Clip sets dst to v with negative entries and NaN put to zero and the rest
// divided by their sum, and returns dst; where nothing is left the result is
// uniform. dst and v may be the same slice.
func Clip(dst, v []float64) []float64 {
	top := 0.0
	for _, x := range v {
		if x > top {
			top = x
		}
	}
	if math.IsInf(top, 1) {
		return shareInfinite(dst[:len(v)], v)
	}
	if top == 0 {
		return uniform(dst[:len(v)])
	}
	sum := 0.0
	for i, x := range v {
		dst[i] = 0
		if x > 0 {
			dst[i] = x / top // at most one, so that the sum cannot overflow
			sum += dst[i]
		}
	}
	for i := range v {
		dst[i] /= sum
	}
	return dst[:len(v)]
}

func uniform(dst []float64) []float64 {
	for i := range dst {
		dst[i] = 1 / float64(len(dst))
	}
	return dst
}

// LogSumExp returns log Σ exp(v_i) without overflow; minus infinity for an
// empty v.
func LogSumExp(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = math.Max(top, x)
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return top
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

// NormaliseBlocks divides the entries of each column in the rows of a block, the answers
// to one question, by their sum; where all are zero they become equal.
func NormaliseBlocks(columns *mat.Dense, blocks [][2]int) {
	_, k := columns.Dims()
	for _, b := range blocks {
		for j := range k {
			sum := 0.0
			for h := b[0]; h < b[1]; h++ {
				sum += columns.At(h, j)
			}
			for h := b[0]; h < b[1]; h++ {
				if sum > 0 {
					columns.Set(h, j, columns.At(h, j)/sum)
				} else {
					columns.Set(h, j, 1/float64(b[1]-b[0]))
				}
			}
		}
	}
}
