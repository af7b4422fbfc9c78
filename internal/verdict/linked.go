package verdict

import (
	"math"
	"slices"
)

const (
	linkedSquare  = .5 // squared correlation from which on loci say the same
	nearSquare    = .2 // the same of loci that lie side by side
	nearLoci      = 5
	linkedShare   = .2  // of all loci: what more of them say together is structure
	linkedWindow  = 200 // neighbours that are compared
	linkedRecords = 1000
)

// unlinked keeps one of every run of loci that say the same thing: neighbours on
// a chromosome are inherited together, and records with the same copies of one
// long run would look like a group. Loci that go together all over the genome are
// kept: that is what groups do.
func (d *drawnBag) unlinked() {
	square := d.squared()
	parent := make([]int, d.cols)
	for j := range parent {
		parent[j] = j
	}
	var root func(j int) int
	root = func(j int) int {
		if parent[j] != j {
			parent[j] = root(parent[j])
		}
		return parent[j]
	}
	for j := range d.cols {
		for i := max(0, j-linkedWindow); i < j; i++ {
			if r := square[j*linkedWindow+j-i-1]; r >= linkedSquare || j-i <= nearLoci && r >= nearSquare {
				parent[root(j)] = root(i)
			}
		}
	}
	size := make([]int, d.cols)
	for j := range size {
		size[root(j)]++
	}
	keep, seen := []int{}, make([]bool, d.cols)
	for j := range d.cols {
		r := root(j)
		if !seen[r] || float64(size[r]) > linkedShare*float64(d.cols) {
			keep = append(keep, j)
		}
		seen[r] = true
	}
	if len(keep) < d.cols {
		d.linked = d.cols - len(keep)
		d.narrow(keep)
	}
}

// squared returns the squared correlations of every locus with those of the window before
// it, the nearest first, in some records of all places.
func (d *drawnBag) squared() []float64 {
	columns := d.deviations()
	out := make([]float64, d.cols*linkedWindow)
	sums, squares, n := make([]float64, d.cols), make([]float64, d.cols), []float64{0}
	if d.places == nil {
		standardise(columns)
	} else if d.cols > 0 {
		n[0] = float64(len(columns[0]))
	}
	for j, x := range columns {
		for _, v := range x {
			sums[j] += float64(v)
			squares[j] += float64(v) * float64(v)
		}
		for i := max(0, j-linkedWindow); i < j; i++ {
			r := 0.0
			for e, v := range x {
				r += float64(v) * float64(columns[i][e])
			}
			out[j*linkedWindow+j-i-1] = r
		}
	}
	if d.places != nil {
		d.places.add(out, sums, squares, n)
	}
	for j := range d.cols {
		for i := max(0, j-linkedWindow); i < j; i++ {
			r := &out[j*linkedWindow+j-i-1]
			if d.places != nil {
				own, other := squares[j]-sums[j]*sums[j]/max(n[0], 1), squares[i]-sums[i]*sums[i]/max(n[0], 1)
				*r = (*r - sums[i]*sums[j]/max(n[0], 1)) / math.Sqrt(max(own*other, math.SmallestNonzeroFloat64))
			}
			*r *= *r
		}
	}
	return out
}

// deviations returns the columns of some records, as far from the mean as copies at the
// overall frequency are; a locus that was not read lies there.
func (d *drawnBag) deviations() [][]float32 {
	all, before := d.places.ranked(d.n())
	every := all/linkedRecords + 1
	base := d.overall()
	out := make([][]float32, d.cols)
	for r := (every - before%every) % every; r < d.n(); r += every {
		for j := range out {
			out[j] = append(out[j], float32(-float64(d.trials)*base[j]))
		}
		index, value := d.row(r)
		for e, j := range index {
			if int(j) >= d.cols {
				x := out[int(j)-d.cols]
				x[len(x)-1] = 0
			} else {
				out[j][len(out[j])-1] += value[e]
			}
		}
	}
	return out
}

// standardise centres columns and gives them length one.
func standardise(columns [][]float32) {
	for _, x := range columns {
		mean, square := 0.0, 0.0
		for _, v := range x {
			mean += float64(v) / float64(len(x))
		}
		for i, v := range x {
			x[i] = v - float32(mean)
			square += (float64(v) - mean) * (float64(v) - mean)
		}
		if square > 0 {
			for i := range x {
				x[i] /= float32(math.Sqrt(square))
			}
		}
	}
}

// narrow keeps some of the columns.
func (d *drawnBag) narrow(keep []int) {
	to := make([]int, d.cols)
	for j := range to {
		to[j] = -1
	}
	for c, j := range keep {
		to[j] = c
	}
	out := &bag{trials: d.trials, cols: len(keep), ptr: []int{0}, places: d.places, whole: d.whole}
	for i := range d.n() {
		index, value := d.row(i)
		var x []uint32
		var v []float32
		for e, j := range index {
			c, behind := int(j), 0
			if c >= d.cols {
				c, behind = c-d.cols, out.cols
			}
			if to[c] >= 0 {
				x, v = append(x, uint32(to[c]+behind)), append(v, value[e])
			}
		}
		out.add(x, v)
	}
	for j, c := range d.column {
		if c >= 0 {
			d.column[j] = to[c]
		}
	}
	d.bag = *out
	d.column = slices.Clip(d.column)
}
