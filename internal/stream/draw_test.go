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
