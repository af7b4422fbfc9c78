package normals

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
)

// Starts that need no row: centers of round clouds, one more at a time, by sums that can
// be added up over places (after the fast global k-means of Likas, Vlassis and Verbeek
// 2003, where the new center is a row).

// Cut returns at most so many ways to have one center more (k×D, nil for none): one
// part is cut in two across its longest axis, and its halves have a center each. The
// cuts that bring rows nearest to their centers stand first.
func Cut(t Table, centers []float64, most int) [][]float64 {
	d, k := t.D, len(centers)/t.D
	if k == 0 {
		mean, n := make([]float64, d), []float64{float64(t.N)}
		for i := range t.N {
			for h, v := range t.Row(i) {
				mean[h] += v
			}
		}
		t.total(mean, n)
		for h := range mean {
			mean[h] /= max(n[0], 1)
		}
		return [][]float64{mean}
	}
	label := nearestTo(t, centers)
	list := make([]float64, StatsLen(k, d, Own))
	s := NewStats(list, k, d, Own)
	s.Add(t, Members(label, k))
	t.total(list)
	mean, second := s.Centred()
	axes := make([][]float64, k)
	for c := range axes {
		axes[c] = longest(second[c*d*(d+1)/2:], d)
	}
	size, first := make([]float64, 2*k), make([]float64, 2*k*d) // of the halves
	for i, c := range label {
		x, at := t.Row(i), 0.0
		for h, a := range axes[c] {
			at += a * (x[h] - mean[c*d+h])
		}
		side := 2 * c
		if at > 0 {
			side++
		}
		size[side]++
		for h, v := range x {
			first[side*d+h] += v
		}
	}
	t.total(size, first)
	type way struct {
		centers []float64
		gain    float64
	}
	var ways []way
	for c := range k {
		a, b := size[2*c], size[2*c+1]
		if a == 0 || b == 0 {
			continue
		}
		w := way{append(slices.Clone(centers), make([]float64, d)...), 0}
		for h := range d {
			x, y := first[2*c*d+h]/a, first[(2*c+1)*d+h]/b
			w.centers[c*d+h], w.centers[k*d+h] = x, y
			w.gain += a * b / (a + b) * (x - y) * (x - y)
		}
		ways = append(ways, w)
	}
	slices.SortStableFunc(ways, func(a, b way) int { return cmp.Compare(b.gain, a.gain) })
	out := make([][]float64, min(most, len(ways)))
	for i := range out {
		out[i] = ways[i].centers
	}
	return out
}

// Lloyd moves centers to the means of the rows that are nearest to them, and returns
// the squares of the distances that are left.
func Lloyd(t Table, centers []float64) float64 {
	sum, _ := lloyd(t, centers)
	return sum
}

// Around returns memberships (n×k) of the rows by their nearest centers.
func Around(t Table, centers []float64) []float64 {
	return Members(nearestTo(t, centers), len(centers)/t.D)
}

func nearestTo(t Table, centers []float64) []int {
	out := make([]int, t.N)
	t.forms().nearest(out, centers)
	return out
}

// longest is the direction in which a matrix, packed by rows of its lower triangle, is
// largest.
func longest(packed []float64, d int) []float64 {
	m, at := mat.NewDense(d, d, nil), 0
	for i := range d {
		for j := range i + 1 {
			m.Set(i, j, packed[at])
			m.Set(j, i, packed[at])
			at++
		}
	}
	_, vectors := spectral.SymEig(m)
	return mat.Col(nil, 0, vectors)
}
