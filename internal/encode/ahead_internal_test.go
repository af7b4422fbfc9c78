package encode

import "testing"

// Memory that was made ahead is used where nearly all of it is, and else left: what was made for
// many holds on to it.
func TestValuesAhead(t *testing.T) {
	const made = 1000
	for n, used := range map[int]bool{made: true, made * 9 / 10: true, made / 2: false, made + 1: false} {
		a := ahead{value: make([]float32, made)}
		got := a.values(n)
		if len(got) != n || cap(got) < n {
			t.Fatalf("%d values asked for, %d given", n, len(got))
		}
		got[0] = 1
		if a.value[0] == 1 != used {
			t.Errorf("%d of %d values: memory made ahead is used: %t", n, made, !used)
		}
	}
}
