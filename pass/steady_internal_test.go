package pass

import "testing"

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
