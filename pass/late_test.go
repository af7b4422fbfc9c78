package pass_test

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
)

// large is a Sum of so many numbers that two of them have eight lanes; it adds up values by
// feature.
type large struct{}

func (large) Len() int { return 1<<20 + 1 }

func (large) Add(state []float64, b pass.Block) error {
	for i, v := range total(b) {
		state[i] += v
	}
	return nil
}

func total(b pass.Block) []float64 {
	out := make([]float64, b.Rows.Dim)
	for i := range b.Rows.N() {
		index, value := b.Rows.Row(i)
		for e, h := range index {
			out[h] += float64(value[e])
		}
	}
	return out
}

// late is large, with the state asked for when a block's share is known.
type late struct{ large }

func (late) Late() bool { return true }

func (late) AddLate(state func() []float64, b pass.Block) error {
	share := total(b)
	to := state()
	for i, v := range share {
		to[i] += v
	}
	return nil
}

// TestLate: a sum that asks late for its state has the bits of one that does not, over every
// kind of runner.
func TestLate(t *testing.T) {
	rows := passtest.Rows(20*pass.BlockRecords + 5)
	list := make([]int32, rows.N())
	for i := range list {
		list[i] = int32(i)
	}
	over := func(workers int) map[string]pass.Runner {
		local := pass.NewLocal(rows, workers)
		some, err := pass.Filter(t.Context(), local, func(i int) bool { return i >= 2*pass.BlockRecords && i%3 > 0 })
		if err != nil {
			t.Fatal(err)
		}
		return map[string]pass.Runner{
			"Local": local, "Stream": passtest.Streamed(rows, workers), "Subset": pass.Subset(rows, list, workers), "Filter": some,
			"Map":   pass.Map(local, func(b pass.Block) pass.Block { return pass.Block{First: b.First, Rows: b.Rows.Slice(0, b.N()/2)} }),
			"Weigh": pass.Weigh(local, []int{50_000, rows.N()}, []float64{.25, 1}),
		}
	}
	for name, r := range over(1) {
		want, err := r.Run(t.Context(), large{}, pass.Given(large{}))
		if err != nil {
			t.Fatal(name, err)
		}
		for _, workers := range []int{2, 16} {
			got, err := over(workers)[name].Run(t.Context(), late{}, pass.Given(late{}))
			if err != nil {
				t.Fatal(name, err)
			}
			for i := range want {
				if !sameBits(got[i][:rows.Dim], want[i][:rows.Dim]) || slices.Max(want[i]) == 0 {
					t.Errorf("%s, %d workers, sum %d: %v, want %v", name, workers, i, got[i][:3], want[i][:3])
				}
			}
		}
	}
	if pass.Late(large{}) || pass.Late(pass.Given(large{})) || !pass.Late(pass.Given(late{})) {
		t.Error("which sums are late")
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
