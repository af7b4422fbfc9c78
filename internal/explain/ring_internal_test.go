package explain

import "testing"

// TestRoundingUnit: a thousandth of the records, in one digit, ten at least; one
// record more or less of a round number changes nothing.
func TestRoundingUnit(t *testing.T) {
	for n, want := range map[int]int{
		0: 10, 5000: 10, 10_000: 10, 10_527: 20, 20_000: 20, 50_000: 50, 100_000: 100, 199_999: 200, 200_000: 200, 200_001: 200,
		210_500: 200, 210_600: 300, 250_000: 300, 1_000_000: 1000, 1_234_567: 2000,
	} {
		if got := roundingFor(n).unit; got != want {
			t.Errorf("unit of %d records is %d, want %d", n, got, want)
		}
	}
}

// TestRounding goes through all counts: multiples of the unit, never falling,
// low and high as they come out, and no error above a part of the count.
func TestRounding(t *testing.T) {
	for _, r := range []rounding{{10}, {20}, {200}, {300}} {
		for _, part := range []int{partOfSizes, partOfFeatures} {
			low := map[int]int{}
			last := 0
			for n := range 60_000 {
				got := int(r.near(float64(n), part))
				if got%r.unit != 0 || got < last {
					t.Fatalf("unit %d: %d becomes %d after %d", r.unit, n, got, last)
				}
				if most := max(float64(r.unit), float64(n)/float64(part)) / 2; float64(got) > float64(n)+most || float64(got) < float64(n)-most {
					t.Fatalf("unit %d: %d becomes %d", r.unit, n, got)
				}
				if got != last || n == 0 {
					if n > 0 {
						if h := int(r.high(float64(last), part)); h != n-1 {
							t.Fatalf("unit %d: high of %d is %d, want %d", r.unit, last, h, n-1)
						}
					}
					low[got] = n
				}
				last = got
			}
			for n, want := range low {
				if got := int(r.low(float64(n), part)); got != want {
					t.Fatalf("unit %d: low of %d is %d, want %d", r.unit, n, got, want)
				}
			}
		}
	}
	if (rounding{}).count(17) != 17 || (rounding{}).size(17) != 17 {
		t.Error("no rounding changes a count")
	}
}
