package assign_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// fixed is a family whose records say themselves which component they are of:
// that of their only feature.
type fixed struct{ family.Family }

func (fixed) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	for i := range b.Rows.N() {
		index, _ := b.Rows.Row(i)
		for j := range p.K() {
			out[i*p.K()+j] = 0
			if int(index[0]) == j {
				out[i*p.K()+j] = 1
			}
		}
	}
	return nil
}

func ofThree() mixture.Params {
	return mixture.New(mat.NewDense(3, 3, nil), []float64{.2, .3, .5})
}

// Sequences of 1 to 3 steps, in more than one block of sequences: every step
// has its own group, not that of the step numbered as its sequence.
func TestStepsOfTwoBlocks(t *testing.T) {
	n := pass.BlockRecords + 5
	rows, steps := sparse.Rows{Dim: 3, Ptr: []int{0}}, []int{0}
	for i := range n {
		for s := range 1 + i%3 {
			rows.Index = append(rows.Index, uint32((i+s)%3))
			rows.Ptr = append(rows.Ptr, len(rows.Index))
		}
		steps = append(steps, rows.N())
	}
	a, err := assign.All(t.Context(), fixed{}, ofThree(), pass.NewSequences(rows, steps, 2))
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range rows.Index {
		if a.Group[i] != int32(h) || a.Probability[i] != 1 {
			t.Fatalf("step %d: group %d with probability %v, want %d", i, a.Group[i], a.Probability[i], h)
		}
	}
}

// Three documents of 1, 2 and 5 words, each of its own topic: a third of the
// documents each, and 1/8, 2/8 and 5/8 of the words.
func TestSharesByHand(t *testing.T) {
	build := sparse.NewBuilder(3, false)
	for h, words := range []float32{1, 2, 5} {
		if err := build.Add([]uint32{uint32(h)}, []float32{words}); err != nil {
			t.Fatal(err)
		}
	}
	_, shares, err := assign.Weighed(t.Context(), fixed{}, ofThree(), pass.NewLocal(build.Rows(), 1))
	if err != nil {
		t.Fatal(err)
	}
	for j, words := range []float64{1. / 8, 2. / 8, 5. / 8} {
		if shares.Words[j] != words || shares.Documents[j] != 1./3 {
			t.Errorf("topic %d: %v of the words, %v of the documents", j, shares.Words[j], shares.Documents[j])
		}
	}
}
