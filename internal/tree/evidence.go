package tree

import (
	"math"
	"slices"
)

// mostFeatures is the number of features kept with a split.
const mostFeatures = 10

// differences returns the features whose means differ most between the sides,
// in pooled standard deviations times the root of the pooled size, so that
// rare features do not crowd out telling ones.
func differences(sizes [2]int, columns [2]columnStats) []Difference {
	a, b := columns[0], columns[1]
	na, nb := float64(sizes[0]), float64(sizes[1])
	out := make([]Difference, 0, mostFeatures+1) // the largest so far, falling
	for h := range a.mean {
		v := (na*a.variance[h] + nb*b.variance[h]) / (na + nb)
		diff := a.mean[h] - b.mean[h]
		if diff == 0 {
			continue
		}
		z := math.Copysign(math.MaxFloat32, diff)
		if v > 0 {
			z = diff / math.Sqrt(v)
		}
		at := len(out)
		for at > 0 && math.Abs(z) > math.Abs(out[at-1].Z) {
			at--
		}
		if at < mostFeatures {
			out = slices.Insert(out, at, Difference{h, z})
			out = out[:min(len(out), mostFeatures)]
		}
	}
	return out
}

type columnStats struct{ mean, variance []float64 }
