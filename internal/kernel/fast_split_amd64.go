//go:build !purego

package kernel

import "sort"

// pairBudget is the number of pairs that a call may count, widestTable the
// number of features of a table that one call goes through: about a
// millisecond each.
const (
	pairBudget  = 1 << 20
	widestTable = 4096
)

func pairsFast(table []int32, ptr []int, index []uint32, d int) bool {
	return countPairs(table, ptr, index, d, 4, pairs256)
}

func realPairsFast(table []float64, ptr []int, index []uint32, d int) bool {
	return countPairs(table, ptr, index, d, 8, realPairs256)
}

// countPairs proves the bounds and cuts the calls. The counts are the same in
// both instruction sets: the loops use no vectors.
func countPairs[T int32 | float64](table []T, ptr []int, index []uint32, d, size int, call func(table *T, ptr *int, n int, index *uint32, starts *int)) bool {
	n := len(ptr) - 1
	if n < 1 || d < 1 || len(index) == 0 || len(table) < d*(d+1)/2 || !inside(ptr, index, nil, d) {
		return false
	}
	starts := make([]int, d)
	for h := range starts {
		starts[h] = size * PairRow(h, d)
	}
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = lo + max(1, sort.Search(n-lo, func(i int) bool { return (ptr[lo+i+1]-ptr[lo])*pairsEach > pairBudget }))
		call(&table[0], &ptr[lo], hi-lo, &index[0], &starts[0])
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
