package pages

import (
	"slices"
	"testing"
)

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

// TestSums checks that what is added to is zero at first, at all lengths around a page.
func TestSums(t *testing.T) {
	for round := range 3 {
		for _, n := range []int{0, 1, small/4 - 1, small / 4, small/4 + 1, 3*small/4 + 5, Large} {
			list := Sums[int32](n)
			if len(list) != n {
				t.Fatalf("%d numbers, want %d", len(list), n)
			}
			for i := range list {
				if list[i]++; list[i] != 1 {
					t.Fatalf("round %d: number %d of %d was %d", round, i, n, list[i]-1)
				}
			}
		}
	}
}

// TestJoin joins neighbours where they are, and others without touching what lies
// behind the first.
func TestJoin(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5}
	if got := Join(all[1:3], all[3:5]); len(got) != 4 || &got[0] != &all[1] {
		t.Errorf("neighbours give %v", got)
	}
	for _, c := range [][2][]int{{all[1:3], all[4:6]}, {all[1:3:3], all[3:5]}, {all[1:3], nil}, {all[1:3], {7, 8}}} {
		got := Join(c[0], c[1])
		if want := append(append([]int{}, c[0]...), c[1]...); !slices.Equal(got, want) || !slices.Equal(all, []int{0, 1, 2, 3, 4, 5}) {
			t.Errorf("%v and %v give %v, and leave %v", c[0], c[1], got, all)
		}
	}
	if got := Join(nil, all[2:4]); &got[0] != &all[2] {
		t.Error("the only list is copied")
	}
}
