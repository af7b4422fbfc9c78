package tree

import "testing"

// What a list does not need of the memory it is given is there for others, and only once.
func TestPoolKeepsTheRest(t *testing.T) {
	var p pool[int32]
	p.give(make([]int32, 100_000))
	first, second := p.take(30_000), p.take(60_000)
	if len(p.free) != 0 || cap(first) != 30_000 {
		t.Fatalf("%d pieces left, the first list has room for %d: the rest was not used", len(p.free), cap(first))
	}
	for i := range first {
		first[i] = 1
	}
	for i, v := range second {
		if v != 0 {
			t.Fatalf("place %d of the second list lies in the first", i)
		}
	}
	p.give(first)
	if again := p.take(29_000); &again[0] != &first[0] {
		t.Error("a list that was given back is not used again")
	}
}
