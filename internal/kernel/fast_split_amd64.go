//go:build !purego

package kernel

import (
	"sort"
	"unsafe"
)

// pairBudget is the number of pairs or entries that a call may count,
// widestTable the number of features of a table that one call goes through:
// about a millisecond each.
const (
	pairBudget  = 1 << 20
	widestTable = 4096
)

// prove looks at the rows once.
func (p *Presences) prove() {
	p.proved = len(p.ptr) > 1 && p.d > 0 && len(p.index) > 0 && inside(p.ptr, p.index, nil, p.d)
	if !p.proved {
		return
	}
	p.starts = rowStarts(p.d, 4)
	for i, at := range p.ptr[1:] {
		p.longest = max(p.longest, at-p.ptr[i])
	}
}

// rowStarts returns the byte at which each row of a packed table would begin if
// it had all columns, its numbers being so many bytes long.
func rowStarts(d, size int) []int {
	starts := make([]int, d)
	for h := range starts {
		starts[h] = size * PairRow(h, d)
	}
	return starts
}

// has reports whether the rows are all there.
func (p *Presences) has(list []int32, first, n int) bool {
	if !p.proved || first < 0 || n < 1 {
		return false
	}
	if list == nil {
		return first+n < len(p.ptr)
	}
	if first+n > len(list) {
		return false
	}
	most := uint32(0)
	for _, r := range list[first : first+n] {
		most = max(most, uint32(r))
	}
	return int(most) < len(p.ptr)-1
}

// cut calls f with parts of n rows that cost at most so much each.
func (p *Presences) cut(n, each int, f func(lo, n int)) {
	step := max(1, pairBudget/max(1, each))
	for lo := 0; lo < n; lo += step {
		f(lo, min(step, n-lo))
	}
}

// pairsFast counts in the same way in both instruction sets: the loops use no
// vectors.
func (p *Presences) pairsFast(table []int32, list []int32, first, n int) bool {
	if len(table) < p.d*(p.d+1)/2 || !p.has(list, first, n) {
		return false
	}
	p.cut(n, p.longest*(p.longest+1)/2, func(lo, n int) {
		pairs256(&table[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n, &p.starts[0])
	})
	return true
}

// sumsFast has no version for AVX2, whose gathers are no quicker than a loop.
func (p *Presences) sumsFast(z, w []float64, list []int32, first, n int) bool {
	if active != avx512 || !p.has(list, first, n) {
		return false
	}
	p.cut(n, p.longest, func(lo, n int) {
		rowSums512(&z[lo], &w[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n)
	})
	return true
}

func (p *Presences) sums2Fast(z, w []float32, list []int32, first, n int) bool {
	if active != avx512 || !p.has(list, first, n) {
		return false
	}
	p.cut(n, p.longest, func(lo, n int) {
		rowSums2in512(&z[2*lo], &w[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n)
	})
	return true
}

func (p *Presences) countFast(count []int32, list []int32, first, n int) bool {
	if active != avx512 || len(count) < p.d || !p.has(list, first, n) {
		return false
	}
	p.cut(n, p.longest, func(lo, n int) {
		rowCounts512(&count[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n)
	})
	return true
}

func realPairsFast(table []float64, ptr []int, index []uint32, d int) bool {
	n := len(ptr) - 1
	if n < 1 || d < 1 || len(index) == 0 || len(table) < d*(d+1)/2 || !inside(ptr, index, nil, d) {
		return false
	}
	starts := rowStarts(d, 8)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = lo + max(1, sort.Search(n-lo, func(i int) bool { return (ptr[lo+i+1]-ptr[lo])*pairsEach > pairBudget }))
		realPairs256(&table[0], &ptr[0], &index[0], nil, lo, hi-lo, &starts[0])
	}
	return true
}

// pairsEach is the number of pairs reckoned for an entry: rows are short where
// pairs are counted.
const pairsEach = 8

func packedMulFast(y []float64, a []int32, x []float64) bool {
	d := len(x)
	if d < 1 || d > widestTable || len(y) < d || len(a) < d*(d+1)/2 {
		return false
	}
	if active == avx512 {
		packedMul512(&y[0], &a[0], &x[0], d)
	} else {
		packedMul256(&y[0], &a[0], &x[0], d)
	}
	return true
}

// packedMul2Fast works on copies in single precision, which the kernel may read
// and write past the end.
func packedMul2Fast(y [2][]float64, a []int32, x [2][]float64, room []float32) bool {
	d := len(x[0])
	if active != avx512 || d < 1 || d > widestTable || len(x[1]) != d || len(y[0]) != d || len(y[1]) != d || len(a) < d*(d+1)/2 {
		return false
	}
	if len(room) < PackedRoom(d) {
		room = make([]float32, PackedRoom(d))
	}
	clear(room)
	var in, out [2][]float32
	for v := range x {
		in[v], out[v] = room[2*v*(d+past):][:d], room[(2*v+1)*(d+past):][:d]
		for h, f := range x[v] {
			in[v][h] = float32(f)
		}
	}
	packedMul2in512(&out[0][0], &out[1][0], &a[0], &in[0][0], &in[1][0], d)
	for v := range y {
		for h, f := range out[v] {
			y[v][h] = float64(f)
		}
	}
	return true
}
