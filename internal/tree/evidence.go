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
func (c *cut) differences(columns [2]columnStats) []Difference {
	a, b := columns[0], columns[1]
	na, nb := float64(c.sides[0].n), float64(c.sides[1].n)
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

// columnMoments returns the means and variances of the features over a branch.
func (g *grower) columnMoments(b *branch) columnStats {
	rows, d := g.rows, g.rows.Dim
	s := columnStats{make([]float64, d), make([]float64, d)}
	add := func(h int, v float64) {
		if !math.IsNaN(v) {
			s.mean[h] += v
			s.variance[h] += v * v
		}
	}
	for i := range b.n {
		r := int(b.at(i))
		if rows.IsDense() {
			for h, v := range rows.DenseRow(r) {
				add(h, v)
			}
			continue
		}
		index, value := rows.Row(r)
		for e, h := range index {
			if value == nil {
				add(int(h), 1)
			} else {
				add(int(h), float64(value[e]))
			}
		}
	}
	n := math.Max(float64(b.n), 1)
	for h := range d {
		s.mean[h] /= n
		s.variance[h] = math.Max(s.variance[h]/n-s.mean[h]*s.mean[h], 0)
	}
	return s
}
