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
	columns := d.standard()
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
			r := 0.0
			for e, v := range columns[j] {
				r += float64(v) * float64(columns[i][e])
			}
			if r*r >= linkedSquare || j-i <= nearLoci && r*r >= nearSquare {
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

// standard returns the columns of some records, centred and of length one.
func (d *drawnBag) standard() [][]float32 {
	every := d.n()/linkedRecords + 1
	n := (d.n() + every - 1) / every
	base := d.overall()
	out := make([][]float32, d.cols)
	for j := range out {
		out[j] = make([]float32, n)
		for i := range out[j] {
			out[j][i] = float32(-float64(d.trials) * base[j])
		}
	}
	for i := range n {
		index, value := d.row(i * every)
		for e, j := range index {
			if int(j) >= d.cols {
				out[int(j)-d.cols][i] = 0
			} else {
				out[j][i] += value[e]
			}
		}
	}
	for j := range out {
		mean, square := 0.0, 0.0
		for _, v := range out[j] {
			mean += float64(v) / float64(n)
		}
		for i, v := range out[j] {
			out[j][i] = v - float32(mean)
			square += (float64(v) - mean) * (float64(v) - mean)
		}
		if square > 0 {
			for i := range out[j] {
				out[j][i] /= float32(math.Sqrt(square))
			}
		}
	}
	return out
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
	out := &bag{trials: d.trials, cols: len(keep), ptr: []int{0}}
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
