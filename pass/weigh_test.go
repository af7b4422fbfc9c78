package pass_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// numbersSeen adds up the numbers of features, and counts records.
type numbersSeen struct{}

func (numbersSeen) Len() int { return 2 }

func (numbersSeen) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		for _, h := range index {
			state[0] += float64(h)
		}
		state[1]++
	}
	return nil
}

// TestWeigh: by hand, with batches that end inside blocks.
func TestWeigh(t *testing.T) {
	n := 2*pass.BlockRecords + 10
	b := sparse.NewBuilder(8, true)
	for i := range n {
		if err := b.Add([]uint32{uint32(i % 8)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	ends, weights := []int{5, 5000, n}, []float64{.25, .5, 1}
	r := pass.Weigh(pass.NewLocal(b.Rows(), 2), ends, weights)
	state, err := pass.RunOne(t.Context(), r, numbersSeen{})
	if err != nil {
		t.Fatal(err)
	}
	sum, count := 0.0, 0.0
	for i := range n {
		w := 1.0
		if i < 5 {
			w = .25
		} else if i < 5000 {
			w = .5
		}
		sum, count = sum+w*float64(i%8), count+w
	}
	if numtest.Off(state[0], sum, 1e-9*sum) || numtest.Off(state[1], count, 1e-9*count) {
		t.Errorf("%v, want %v and %v", state, sum, count)
	}
	if r.Len() != int(count+.5) || r.Can().Own != n {
		t.Errorf("a weight of %d, %d records", r.Len(), r.Can().Own)
	}
	shown := 0
	if _, err := pass.Weigh(pass.NewLocal(b.Rows(), 1), ends, weights).Own(t.Context(), func(b pass.Block) error { shown += b.N(); return nil }, numbersSeen{}); err != nil || shown != n {
		t.Errorf("%d records shown, %v", shown, err)
	}
}
