package score

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRand(t *testing.T) {
	for _, c := range []struct {
		name         string
		truth, found []int
		want         float64
	}{
		{"the same under other names", []int{0, 0, 1, 1, 2}, []int{5, 5, 3, 3, 9}, 1},
		{"all in one group", []int{0, 0, 1, 1}, []int{7, 7, 7, 7}, 0},
		{"all alone", []int{0, 0, 1, 1}, []int{1, 2, 3, 4}, 0},
		{"one group, found as one", []int{0, 0, 0}, []int{1, 1, 1}, 1},
		{"crossed", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5},
		// scikit-learn's example: adjusted_rand_score([0, 0, 1, 2], [0, 0, 1, 1])
		{"one group joined", []int{0, 0, 1, 2}, []int{0, 0, 1, 1}, 4.0 / 7},
		{"no records", nil, nil, 1},
	} {
		if got := Rand(c.truth, c.found); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestRandByPairs compares the index with its definition, pair by pair.
func TestRandByPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	truth, found := make([]int, 80), make([]string, 80)
	for i := range truth {
		truth[i] = r.IntN(4)
		found[i] = string(rune('a' + (truth[i]+r.IntN(2))%3))
	}
	both, rows, columns, total := 0.0, 0.0, 0.0, 0.0
	for i := range truth {
		for j := range i {
			total++
			a, b := truth[i] == truth[j], found[i] == found[j]
			if a {
				rows++
			}
			if b {
				columns++
			}
			if a && b {
				both++
			}
		}
	}
	chance := rows * columns / total
	want := (both - chance) / ((rows+columns)/2 - chance)
	if got := Rand(truth, found); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%v, by pairs %v", got, want)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{30, 247, 0.0865, 0.1680}, // by hand, from the formula
		{0, 20, 0, 0.1611},
		{20, 20, 0.8389, 1},
	} {
		low, high := Wilson(c.hits, c.n)
		if !(math.Abs(low-c.low) <= 5e-4) || !(math.Abs(high-c.high) <= 5e-4) {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.hits, c.n, low, high, c.low, c.high)
		}
	}
}
