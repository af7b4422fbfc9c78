package pass

import (
	"cmp"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
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
	c := []equals{{5, 3000, numbers(0, draws)}, {6, 1000, numbers(10_000, draws)}}
	if bucketOf(5) != bucketOf(6) {
		t.Fatal("the contents are in two buckets")
	}
	first := 0
	for _, x := range fromBucket(c, draws) {
		if x.record < 10_000 {
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

// steadyPlainly draws as Steady does, from lists of all random numbers.
func steadyPlainly(b Block, k int) []int {
	type item struct {
		v, of uint64
	}
	least := func(list []item, n int) []item {
		slices.SortFunc(list, func(x, y item) int { return cmp.Or(cmp.Compare(x.v, y.v), cmp.Compare(x.of, y.of)) })
		return list[:n]
	}
	records, buckets := map[uint64][]int{}, map[uint64]int{}
	var all []item
	for i := range b.N() {
		c := b.content(i)
		x := uint64(bucketOf(c))
		all = append(all, item{nthRandom(x, uint64(buckets[x])), x})
		records[c] = append(records[c], i)
		buckets[x]++
	}
	wanted := map[uint64]int{}
	for _, x := range least(all, k) {
		wanted[x.of]++
	}
	inside := map[uint64][]item{}
	for c, list := range records {
		for j := range list {
			inside[uint64(bucketOf(c))] = append(inside[uint64(bucketOf(c))], item{nthRandom(c, uint64(j)), c})
		}
	}
	var out []item
	record := map[item]int{}
	for x, n := range wanted {
		times := map[uint64]int{}
		for _, y := range least(inside[x], n) {
			j := times[y.of]
			times[y.of]++
			z := item{nthRandom(^y.of, uint64(j)), y.of}
			out, record[z] = append(out, z), records[y.of][j]
		}
	}
	var list []int
	for _, x := range least(out, len(out)) {
		list = append(list, record[x])
	}
	return list
}

// Blocks, tables and shelves draw what lists of all random numbers do: where few contents are
// often the same and where nearly all differ, with more on a shelf than it holds apart.
func TestSteadyPlainly(t *testing.T) {
	for _, kinds := range []uint64{40, 6_000, 1 << 40} {
		rows := sparse.Rows{Dim: 1 << 10, Ptr: []int{0}}
		for i := range 3*BlockRecords + 5 {
			for x := mixed(mixed(uint64(i)) % kinds); x > 1<<40; x /= 16 {
				rows.Index = append(rows.Index, uint32(x%(1<<10)))
			}
			rows.Ptr = append(rows.Ptr, len(rows.Index))
		}
		want := steadyPlainly(Block{Rows: rows}, 900)
		for _, workers := range []int{1, 8} {
			got, err := Steady(t.Context(), NewLocal(rows, workers), 900)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d kinds, %d workers: %d records are drawn, not those of all numbers (%v)", kinds, workers, len(got), err)
			}
		}
	}
}

// A shelf keeps the first of equal records, whatever comes before.
func TestShelf(t *testing.T) {
	var s shelf
	wanted := map[uint32]int{0: 3}
	for i := range 5000 {
		s.add(equals{uint64(i % 7), 1, []int{(i * 3) % 5000}}, wanted)
	}
	if len(s.list) > 1100 {
		t.Errorf("%d of 7 contents on a shelf", len(s.list))
	}
	list := merged(s.list, wanted)
	if len(list) != 7 || list[2].content != 2 || list[2].n != 714 || len(list[2].first) != 3 || !slices.IsSorted(list[2].first) {
		t.Errorf("%d contents: %+v", len(list), list[2])
	}
}

// Tables of bytes count beyond what a byte holds, on all cores.
func TestTally(t *testing.T) {
	counts := newTally()
	list := make([]uint32, 1000)
	for i := range list {
		list[i] = uint32(i%3) << 18
	}
	_ = par.Do(t.Context(), 8, 40, func(int) error {
		counts.add(list)
		return nil
	})
	if a, b, c := counts.of(0), counts.of(2<<18), counts.of(5); a != 40*334 || b != 40*333 || c != 0 {
		t.Errorf("counted %d, %d and %d", a, b, c)
	}
}
