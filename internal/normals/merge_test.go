package normals

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// slowWard merges, of all pairs of lists of rows, the one whose squares around the
// common mean grow least.
func slowWard(t Table, k int) [][]int {
	within := func(list []int) float64 {
		mean := make([]float64, t.D)
		for _, i := range list {
			for h, v := range t.Row(i) {
				mean[h] += v / float64(len(list))
			}
		}
		sum := 0.0
		for _, i := range list {
			sum += squared(t.Row(i), mean)
		}
		return sum
	}
	var clouds [][]int
	for i := range t.N {
		clouds = append(clouds, []int{i})
	}
	for len(clouds) > k {
		least, a, b := math.Inf(1), 0, 0
		for i := range clouds {
			for j := range i {
				grown := within(slices.Concat(clouds[i], clouds[j])) - within(clouds[i]) - within(clouds[j])
				if grown < least {
					least, a, b = grown, j, i
				}
			}
		}
		clouds[a] = append(clouds[a], clouds[b]...)
		clouds = slices.Delete(clouds, b, b+1)
	}
	return clouds
}

func TestMergedTwin(t *testing.T) {
	for seed := range uint64(5) {
		r := stream.New(seed, "test/merge")
		table := Table{N: 23, D: 3}
		for range table.N * table.D {
			table.X = append(table.X, r.NormFloat64())
		}
		keep := slices.Clone(table.X)
		for k := 1; k <= 5; k++ {
			label := Merged(table, k)
			want := make([]int, table.N)
			for c, list := range slowWard(table, k) {
				for _, i := range list {
					want[i] = c
				}
			}
			for i := range label {
				for j := range i {
					if (label[i] == label[j]) != (want[i] == want[j]) {
						t.Fatalf("seed %d, %d clouds: rows %d and %d", seed, k, i, j)
					}
				}
			}
		}
		if !slices.Equal(table.X, keep) {
			t.Error("the table was changed")
		}
	}
}

// Rows beyond those that are merged go to the nearest cloud.
func TestMergedMany(t *testing.T) {
	table, truth := twins(3, 3*mergedRows)
	label := Merged(table, 2)
	same := 0
	for i, l := range label {
		if l == truth[i] {
			same++
		}
	}
	if same = max(same, len(label)-same); float64(same) < .98*float64(len(label)) {
		t.Errorf("%d of %d rows in their cloud", same, len(label))
	}
	if got := Merged(Table{N: 3, D: 1, X: []float64{1, 1, 1}}, 3); slices.Max(got) != 2 {
		t.Errorf("three equal rows, three clouds: %v", got)
	}
}
