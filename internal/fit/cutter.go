package fit

import (
	"math"
	"slices"

	"github.com/moiety-go/moiety/sparse"
)

// cutter cuts parts of records in two.
type cutter struct {
	index [][]uint32  // of every record: its features,
	value [][]float64 // and where they put it
	dim   int
	label []int32
	parts []*bisection
}

// bisection is a part as two.
type bisection struct {
	list []int32
	side []bool
	gain float64 // of squares between the sides; 0 where there are no two
}

// newCutter puts records into a space: measurements in units of their spread,
// shares of counts by their roots, presences as they are.
func newCutter(rows sparse.Rows, shares bool, label []int32) *cutter {
	c := &cutter{dim: rows.Dim, label: slices.Clone(label)}
	if rows.IsDense() {
		c.standardised(rows)
	} else {
		c.sparse(rows, shares)
	}
	k := int(slices.Max(c.label)) + 1
	for j := range k {
		c.parts = append(c.parts, c.bisect(int32(j)))
	}
	return c
}

func (c *cutter) sparse(rows sparse.Rows, shares bool) {
	for i := range rows.N() {
		index, value := rows.Row(i)
		x, total := make([]float64, len(index)), 0.0
		for e := range x {
			if x[e] = 1; value != nil {
				x[e] = float64(value[e])
			}
			if x[e] != x[e] { // missing
				x[e] = 0
			}
			total += x[e]
		}
		if shares && total > 0 {
			for e := range x {
				x[e] = math.Sqrt(max(x[e], 0) / total)
			}
		}
		c.index, c.value = append(c.index, index), append(c.value, x)
	}
}

func (c *cutter) standardised(rows sparse.Rows) {
	every := make([]uint32, rows.Dim)
	n, sum, square := make([]float64, rows.Dim), make([]float64, rows.Dim), make([]float64, rows.Dim)
	for h := range every {
		every[h] = uint32(h)
	}
	for i := range rows.N() {
		for h, v := range rows.DenseRow(i) {
			if v == v {
				n[h]++
				sum[h] += v
			}
		}
	}
	for i := range rows.N() {
		for h, v := range rows.DenseRow(i) {
			if v == v {
				square[h] += (v - sum[h]/n[h]) * (v - sum[h]/n[h])
			}
		}
	}
	for i := range rows.N() {
		x := make([]float64, rows.Dim)
		for h, v := range rows.DenseRow(i) {
			if v == v && square[h] > 0 {
				x[h] = (v - sum[h]/n[h]) / math.Sqrt(square[h]/n[h])
			}
		}
		c.index, c.value = append(c.index, every), append(c.value, x)
	}
}

// cut cuts the part that gains most again and again, and returns how many there
// are in the end: at most k.
func (c *cutter) cut(k int) int {
	for len(c.parts) < k {
		best := slices.MaxFunc(c.parts, func(a, b *bisection) int {
			if a.gain > b.gain {
				return 1
			}
			return -1
		})
		if !(best.gain > 0) {
			break
		}
		added := int32(len(c.parts))
		from := c.label[best.list[0]]
		for at, i := range best.list {
			if best.side[at] {
				c.label[i] = added
			}
		}
		c.parts[from] = c.bisect(from)
		c.parts = append(c.parts, c.bisect(added))
	}
	return len(c.parts)
}

// bisect cuts the records of a part along the line on which they differ most, at
// the place that leaves least within the sides.
func (c *cutter) bisect(part int32) *bisection {
	b := &bisection{}
	for i, l := range c.label {
		if l == part {
			b.list = append(b.list, int32(i))
		}
	}
	b.side = make([]bool, len(b.list))
	at := c.along(b.list)
	order := make([]int, len(at))
	total := 0.0
	for i, v := range at {
		order[i] = i
		total += v
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case at[x] < at[y]:
			return -1
		case at[x] > at[y]:
			return 1
		}
		return 0
	})
	n, left, best := float64(len(at)), 0.0, -1
	for i, o := range order[:max(len(order)-1, 0)] {
		left += at[o]
		if next := at[order[i+1]]; !(next-at[o] > 1e-9*(math.Abs(next)+math.Abs(at[o]))) {
			continue
		}
		m := float64(i + 1)
		d := left/m - (total-left)/(n-m)
		if gain := m * (n - m) / n * d * d; gain > b.gain*(1+1e-12) {
			b.gain, best = gain, i
		}
	}
	for _, o := range order[best+1:] {
		b.side[o] = best >= 0
	}
	return b
}

// along returns the places of records on the line on which they differ most, by
// the power method from the record farthest from the middle.
func (c *cutter) along(list []int32) []float64 {
	const turns = 20
	middle := make([]float64, c.dim)
	for _, i := range list {
		for e, h := range c.index[i] {
			middle[h] += c.value[i][e] / float64(len(list))
		}
	}
	direction, far := make([]float64, c.dim), -1.0
	for _, i := range list {
		d := 0.0
		for e, h := range c.index[i] {
			v := c.value[i][e]
			d += v * (v - 2*middle[h])
		}
		if far < 0 || d > far+1e-12 {
			far = max(d, 0)
			for h := range direction {
				direction[h] = -middle[h]
			}
			for e, h := range c.index[i] {
				direction[h] += c.value[i][e]
			}
		}
	}
	out := make([]float64, len(list))
	for range turns {
		c.project(out, list, direction, middle)
		next, size := make([]float64, c.dim), 0.0
		for at, i := range list {
			for e, h := range c.index[i] {
				next[h] += out[at] * c.value[i][e]
			}
		}
		for _, v := range next {
			size += v * v
		}
		if !(size > 0) {
			break
		}
		for h := range next {
			direction[h] = next[h] / math.Sqrt(size)
		}
	}
	c.project(out, list, direction, middle)
	return out
}

func (c *cutter) project(out []float64, list []int32, direction, middle []float64) {
	shift := 0.0
	for h, v := range middle {
		shift += v * direction[h]
	}
	for at, i := range list {
		out[at] = -shift
		for e, h := range c.index[i] {
			out[at] += c.value[i][e] * direction[h]
		}
	}
}
