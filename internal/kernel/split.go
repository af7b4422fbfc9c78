package kernel

import "fmt"

// Presences are compressed rows of presences, proved once: offsets rise inside
// the indices, which lie below the number of features. Kernels take some of them
// by number, without a copy, and do not look again. The slices must not change.
//
// Rows are given as n of a list of their numbers from place first on, or, where
// the list is nil, as n rows from row first on.
type Presences struct {
	ptr    []int
	index  []uint32
	d      int
	proved bool
	// What kernels in assembly want to know.
	starts  []int // of the rows of a packed table of int32, in bytes
	longest int   // entries of a row
}

// NewPresences takes rows over d features, with rising indices in each.
func NewPresences(ptr []int, index []uint32, d int) *Presences {
	p := &Presences{ptr: ptr, index: index, d: d}
	if active != plain {
		p.prove()
	}
	return p
}

// row returns the entries of the row at a place.
func (p *Presences) row(list []int32, at int) []uint32 {
	if list != nil {
		at = int(list[at])
	}
	return p.index[p.ptr[at]:p.ptr[at+1]]
}

// Pairs adds the pairs of features of the rows to a packed table: entry (h,m),
// h ≤ m, stands at PairRow(h,d)+m. A row's feature makes a pair with itself.
func (p *Presences) Pairs(table []int32, list []int32, first, n int) {
	if p.pairsFast(table, list, first, n) {
		return
	}
	for at := first; at < first+n; at++ {
		pairsOf(table, p.row(list, at), p.d)
	}
}

// Sums sets z to the sum of w over the features of each row.
func (p *Presences) Sums(z, w []float64, list []int32, first, n int) {
	if len(w) < p.d || len(z) < n {
		panic(fmt.Sprintf("kernel: %d sums of %d numbers, want %d of %d", len(z), len(w), n, p.d))
	}
	if p.sumsFast(z, w, list, first, n) {
		return
	}
	for i := range n {
		s := 0.0
		for _, h := range p.row(list, first+i) {
			s += w[h]
		}
		z[i] = s
	}
}

// Sums2 is Sums of two numbers for each feature, one after the other, in single
// precision.
func (p *Presences) Sums2(z, w []float32, list []int32, first, n int) {
	if len(w) < 2*p.d || len(z) < 2*n {
		panic(fmt.Sprintf("kernel: %d sums of %d numbers, want %d of %d", len(z), len(w), 2*n, 2*p.d))
	}
	if p.sums2Fast(z, w, list, first, n) {
		return
	}
	for i := range n {
		var a, b float32
		for _, h := range p.row(list, first+i) {
			x := (*[2]float32)(w[2*h:])
			a += x[0]
			b += x[1]
		}
		z[2*i], z[2*i+1] = a, b
	}
}

// Count adds the number of the rows that have each feature.
func (p *Presences) Count(count []int32, list []int32, first, n int) {
	if p.countFast(count, list, first, n) {
		return
	}
	for at := first; at < first+n; at++ {
		for _, h := range p.row(list, at) {
			count[h]++
		}
	}
}

// Pairs adds the pairs of features of every row to a packed table over d
// features.
func Pairs(table []int32, ptr []int, index []uint32, d int) {
	NewPresences(ptr, index, d).Pairs(table, nil, 0, len(ptr)-1)
}

// RealPairs is Pairs for a table of float64.
func RealPairs(table []float64, ptr []int, index []uint32, d int) {
	if active != plain && realPairsFast(table, ptr, index, d) {
		return
	}
	for i := range len(ptr) - 1 {
		pairsOf(table, index[ptr[i]:ptr[i+1]], d)
	}
}

func pairsOf[T int32 | float64](table []T, row []uint32, d int) {
	for e, h := range row {
		counts := table[PairRow(int(h), d):]
		for _, m := range row[e:] {
			counts[m]++
		}
	}
}

// PairRow returns where row h of a packed table over d features begins, less
// h, so that entry (h,m) stands at PairRow+m.
func PairRow(h, d int) int { return h*d - h*(h+1)/2 }

// PackedMul sets y to A·x for a symmetric matrix of whole numbers, whose upper
// triangle is packed by rows as in Pairs.
func PackedMul(y []float64, a []int32, x []float64) {
	clear(y)
	if active == plain || !packedMulFast(y, a, x) {
		packedMulPlain(y, a, x)
	}
}

// PackedMul2 sets the columns of y to A·x for the two columns of x, one after
// the other, in half the time of two products: to the accuracy of single
// precision where the processor has kernels for it, in room of PackedRoom(d)
// numbers, or in its own.
func PackedMul2(y [2][]float64, a []int32, x [2][]float64, room []float32) {
	if packedMul2Fast(y, a, x, room) {
		return
	}
	for v := range y {
		PackedMul(y[v], a, x[v])
	}
}

// PackedRoom is the number of numbers that PackedMul2 works in.
func PackedRoom(d int) int { return 4 * (d + past) }

// past is how far past the end of a vector PackedMul2 may reach.
const past = 16

func packedMulPlain(y []float64, a []int32, x []float64) {
	d := len(x)
	for h, f := range x {
		row := a[PairRow(h, d)+h:][:d-h]
		s := y[h] + float64(row[0])*f
		xs, ys := x[h+1:], y[h+1:]
		row = row[1:][:len(xs)]
		ys = ys[:len(xs)]
		for m, c := range row {
			v := float64(c)
			s += v * xs[m]
			ys[m] += v * f
		}
		y[h] = s
	}
}
