package stream

import "testing"

// Every place of a run is drawn equally often, also in runs that come round
// with any small period.
func TestOneOf(t *testing.T) {
	const n, runs = 12, 24000
	for _, period := range []int{1, 2, 3, 4, 6, 12} {
		seen := make([]int, n)
		for i := 0; i < runs; i += period {
			at := OneOf(i, n)
			if at < 0 || at >= n {
				t.Fatalf("record %d of %d", at, n)
			}
			seen[at]++
		}
		want := runs / period / n
		for at, c := range seen {
			if c < want*7/10 || c > want*13/10 { // nearly four standard deviations of the rarest
				t.Errorf("period %d: place %d drawn %d times, want about %d", period, at, c, want)
			}
		}
	}
	if OneOf(7, 1) != 0 {
		t.Error("a run of one record")
	}
}

// Every number is drawn equally often, none twice, in rising order.
func TestSome(t *testing.T) {
	const n, k, times = 20, 7, 4000
	r, seen := New(3, "some"), make([]int, n)
	for range times {
		last := -1
		list := Some(r, n, k)
		if len(list) != k {
			t.Fatalf("%d numbers, want %d", len(list), k)
		}
		for _, v := range list {
			if v <= last || v >= n {
				t.Fatalf("drawn %v", list)
			}
			last = v
			seen[v]++
		}
	}
	for v, c := range seen {
		if want := times * k / n; c < want*9/10 || c > want*11/10 {
			t.Errorf("%d was drawn %d times, want about %d", v, c, want)
		}
	}
	if list := Some(r, 3, 9); len(list) != 3 {
		t.Errorf("of three: %v", list)
	}
}
