package kernel

import (
	"fmt"
	"slices"
	"sort"
	"unsafe"
)

// BinaryRows are compressed rows of presences, proved once: offsets rise inside
// the indices, which lie below the number of features. Kernels take some of them
// by number, without a copy, and do not look again. The slices must not change.
//
// Rows are given as n of a list of their numbers from place first on, or, where
// the list is nil, as n rows from row first on.
type BinaryRows struct {
	ptr    []int
	index  []uint32
	d      int
	proved bool
	// What kernels in assembly want to know.
	starts  []int // of the rows of a packed table of int32, in bytes
	longest int   // entries of a row
}

// NewBinaryRows takes rows over d features, with rising indices in each. It looks at them in
// parts: each calls part(i) for every i below n, in any order and on several cores; nil is one
// after the other.
func NewBinaryRows(ptr []int, index []uint32, d int, each func(n int, part func(i int))) *BinaryRows {
	p := &BinaryRows{ptr: ptr, index: index, d: d}
	if each == nil {
		each = func(n int, part func(i int)) {
			for i := range n {
				part(i)
			}
		}
	}
	if active != plain {
		p.prove(each)
	}
	return p
}

// row returns the entries of the row at a place.
func (p *BinaryRows) row(list []int32, at int) []uint32 {
	if list != nil {
		at = int(list[at])
	}
	return p.index[p.ptr[at]:p.ptr[at+1]]
}

// Pairs adds the pairs of features of the rows to a packed table: entry (h,m),
// h ≤ m, stands at PairRow(h,d)+m. A row's feature makes a pair with itself.
func (p *BinaryRows) Pairs(table []int32, list []int32, first, n int) {
	if p.pairsFast(table, list, first, n) {
		return
	}
	for at := first; at < first+n; at++ {
		pairsOf(table, p.row(list, at), p.d)
	}
}

// Sums sets z to the sum of w over the features of each row. Where w has twice as many
// numbers as there are features, z has n more, for the second half of w: a row is looked at
// once for both.
func (p *BinaryRows) Sums(z, w []float64, list []int32, first, n int) {
	of := len(w) / max(p.d, 1)
	if len(w) != of*p.d || of < 1 || of > 2 || len(z) < of*n {
		panic(fmt.Sprintf("kernel: %d sums of %d numbers, want %d of %d, or twice as many", len(z), len(w), n, p.d))
	}
	if p.sumsFast(z, w, list, first, n) {
		return
	}
	for a := range of {
		w := w[a*p.d:]
		for i := range n {
			s := 0.0
			for _, h := range p.row(list, first+i) {
				s += w[h]
			}
			z[a*n+i] = s
		}
	}
}

// Count adds the number of the rows that have each feature.
func (p *BinaryRows) Count(count []int32, list []int32, first, n int) {
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
	NewBinaryRows(ptr, index, d, nil).Pairs(table, nil, 0, len(ptr)-1)
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

// pairBudget is the number of pairs or entries that a call may count: about a
// millisecond.
const pairBudget = 1 << 20

// provedRows is the number of rows of a part.
const provedRows = 1 << 16

// prove looks at the rows once.
func (p *BinaryRows) prove(each func(n int, part func(i int))) {
	if !hasPairs() || len(p.ptr) <= 1 || p.d <= 0 || len(p.index) == 0 {
		return
	}
	rows := len(p.ptr) - 1
	longest := make([]int, (rows+provedRows-1)/provedRows) // entries of a row of each part, and one more; 0 is not proved
	each(len(longest), func(i int) {
		ptr := p.ptr[i*provedRows : min((i+1)*provedRows, rows)+1]
		if !inside(ptr, p.index, nil, p.d) {
			return
		}
		most := 0
		for at, end := range ptr[1:] {
			most = max(most, end-ptr[at])
		}
		longest[i] = most + 1
	})
	if p.proved = slices.Min(longest) > 0; p.proved {
		p.starts, p.longest = rowStarts(p.d, 4), slices.Max(longest)-1
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
func (p *BinaryRows) has(list []int32, first, n int) bool {
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
func (p *BinaryRows) cut(n, each int, f func(lo, n int)) {
	step := max(1, pairBudget/max(1, each))
	for lo := 0; lo < n; lo += step {
		f(lo, min(step, n-lo))
	}
}

// pairsFast counts in the same way in both instruction sets: the loops use no
// vectors.
func (p *BinaryRows) pairsFast(table []int32, list []int32, first, n int) bool {
	if len(table) < p.d*(p.d+1)/2 || !p.has(list, first, n) {
		return false
	}
	p.cut(n, p.longest*(p.longest+1)/2, func(lo, n int) {
		callPairs(&table[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n, &p.starts[0])
	})
	return true
}

// sumsFast has no version for AVX2, whose gathers are no quicker than a loop.
func (p *BinaryRows) sumsFast(z, w []float64, list []int32, first, n int) bool {
	if !hasRowSums() || !p.has(list, first, n) {
		return false
	}
	beside, apart := 0, 0 // in bytes
	if len(w) > p.d {
		beside, apart = 8*p.d, 8*n
	}
	p.cut(n, p.longest, func(lo, n int) {
		callRowSums(&z[lo], &w[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n, beside, apart)
	})
	return true
}

func (p *BinaryRows) countFast(count []int32, list []int32, first, n int) bool {
	if !hasRowCounts() || len(count) < p.d || !p.has(list, first, n) {
		return false
	}
	p.cut(n, p.longest, func(lo, n int) {
		callRowCounts(&count[0], &p.ptr[0], &p.index[0], unsafe.SliceData(list), first+lo, n)
	})
	return true
}

func realPairsFast(table []float64, ptr []int, index []uint32, d int) bool {
	n := len(ptr) - 1
	if !hasRealPairs() || n < 1 || d < 1 || len(index) == 0 || len(table) < d*(d+1)/2 || !inside(ptr, index, nil, d) {
		return false
	}
	starts := rowStarts(d, 8)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = lo + max(1, sort.Search(n-lo, func(i int) bool { return (ptr[lo+i+1]-ptr[lo])*pairsEach > pairBudget }))
		callRealPairs(&table[0], &ptr[0], &index[0], nil, lo, hi-lo, &starts[0])
	}
	return true
}

// pairsEach is the number of pairs reckoned for an entry: rows are short where
// pairs are counted.
const pairsEach = 8
