package pages

import "testing"

// TestMake checks that lists of all sizes, some of pointers, are zero, writable
// and of the right length, also after the collector used their memory again.
func TestMake(t *testing.T) {
	for round := range 3 {
		for _, n := range []int{0, 1, Large/8 - 1, Large / 8, Large, 3 << 20} {
			numbers, names := Make[float64](n), Make[string](n/16)
			if len(numbers) != n || len(names) != n/16 {
				t.Fatalf("%d numbers and %d names, want %d and %d", len(numbers), len(names), n, n/16)
			}
			for i, v := range numbers {
				if v != 0 {
					t.Fatalf("round %d: number %d of %d is %g", round, i, n, v)
				}
				numbers[i] = float64(i)
			}
			for i, s := range names {
				if s != "" {
					t.Fatalf("round %d: name %d of %d is %q", round, i, n/16, s)
				}
				names[i] = "name"
			}
		}
	}
}
