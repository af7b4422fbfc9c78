package pass

import (
	"testing"

	"github.com/moiety-go/moiety/sparse"
)

// Of two contents that share a bucket, with 3,000 and 1,000 records, three quarters
// of the draws are of the first: 300 of 400, with a standard deviation of 8.2.
func TestSteadyInsideABucket(t *testing.T) {
	numbers := func(from, n int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = from + i
		}
		return out
	}
	const draws = 400
	c := contents{5: {3000, numbers(0, draws)}, 6: {1000, numbers(10_000, draws)}}
	if bucketOf(5) != bucketOf(6) {
		t.Fatal("the contents are in two buckets")
	}
	first := 0
	for _, x := range c.drawn(map[uint32]int{bucketOf(5): draws}) {
		if x < 10_000 {
			first++
		}
	}
	if first < 270 || first > 330 {
		t.Errorf("%d of %d draws are of the first", first, draws)
	}
}

// Buckets that are set two at a time are those of the contents.
func TestBuckets(t *testing.T) {
	b := Block{Rows: sparse.Rows{Dim: 9, Ptr: []int{0, 3, 3, 4, 8, 8, 8, 10}, Index: []uint32{0, 4, 8, 2, 1, 3, 5, 7, 0, 4}}}
	got := make([]uint32, b.N())
	b.buckets(got)
	for i, x := range got {
		if want := bucketOf(b.content(i)); x != want {
			t.Errorf("record %d is in bucket %d, want %d", i, x, want)
		}
	}
}
