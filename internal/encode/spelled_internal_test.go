package encode

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/record"
)

// TestUnique compares long lists, with many equals, to a map of all.
func TestUnique(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 19))
	for _, n := range []int{0, 1, 17, 3*namesAtOnce + 5} {
		list := make([]string, n)
		for i := range list {
			list[i] = strconv.Itoa(r.IntN(n))
		}
		seen, want := map[string]bool{}, []string(nil)
		for _, s := range list {
			if !seen[s] {
				seen[s], want = true, append(want, s)
			}
		}
		for _, workers := range []int{1, 2, 16} {
			if got := unique(list, workers); !slices.Equal(got, want) {
				t.Errorf("%d names, %d workers: %d different ones, want %d", n, workers, len(got), len(want))
			}
		}
	}
}

// TestInOrder compares lists that are sorted in parts to those that are sorted whole.
func TestInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 19))
	for _, n := range []int{0, 1, 4096, 4097, 3*4096 + 1, 30000} {
		e := &encoder{stats: &stats{freq: make([]float64, n)}, terms: &terms{dict: record.NewDict()}}
		list := make([]uint32, n)
		for i := range list {
			list[i] = e.terms.dict.Add(strconv.Itoa(i))
			e.stats.freq[i] = float64(r.IntN(50))
		}
		want := slices.Clone(list)
		slices.SortFunc(want, e.byFrequency)
		for _, workers := range []int{1, 2, 16} {
			got := slices.Clone(list)
			e.s.Workers = workers
			if e.inOrder(got); !slices.Equal(got, want) {
				t.Errorf("%d terms, %d workers: another order", n, workers)
			}
		}
	}
}
