package hmm

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// A block of sequences is left between two of them.
func TestBlocksAreLeft(t *testing.T) {
	const n, looks = 100, 10
	rows, steps := sparse.Rows{Dim: 1, Ptr: []int{0}}, []int{0}
	for i := range 3 * n {
		rows.Index, rows.Ptr = append(rows.Index, 0), append(rows.Ptr, i+1)
		if i%3 == 2 {
			steps = append(steps, i+1)
		}
	}
	p := NewParams(mat.NewDense(1, 2, []float64{1, 1}), mat.NewDense(2, 2, []float64{.9, .1, .1, .9}), []float64{.5, .5}, nil)
	step, err := New(Options{}).EStep(p, true)
	if err != nil {
		t.Fatal(err)
	}
	state := make([]float64, step.Len())
	_, err = pass.NewSequences(rows, steps, 1).Own(numtest.EndsAfter(t.Context(), looks), func(b pass.Block) error { return step.Add(state, b) })
	if done := state[1]; !errors.Is(err, context.Canceled) || done == 0 || done > looks {
		t.Errorf("%v sequences were counted: %v", done, err)
	}
}
