package lda

import (
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// Whoever infers the documents of a block, sums and mixtures have the same bits, and a
// bad count is found at the same record.
func TestSeveralAtABlock(t *testing.T) {
	set := synth.Corpus(7, 1000, 200, 6, true)
	p := set.Truth
	f, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := f.EStep(p, false)
	if err != nil {
		t.Fatal(err)
	}
	mixtures, err := f.Mixtures(p)
	if err != nil {
		t.Fatal(err)
	}
	both := func(workers int) (state, theta []float64) {
		theta = make([]float64, set.Rows.N()*p.K())
		states, err := pass.NewLocal(set.Rows, workers).Own(t.Context(), func(b pass.Block) error {
			if b.Workers() != workers {
				t.Errorf("%d of %d workers are at the only block", b.Workers(), workers)
			}
			return mixtures(b, theta)
		}, sum)
		if err != nil {
			t.Fatal(err)
		}
		return states[0], theta
	}
	state, theta := both(1)
	for _, workers := range []int{2, 3, 8} {
		again, shares := both(workers)
		if !slices.Equal(again, state) || !slices.Equal(shares, theta) {
			t.Errorf("of %d workers sums or mixtures have other bits", workers)
		}
	}
	rows := set.Rows
	rows.Value = slices.Clone(rows.Value)
	rows.Value[rows.Ptr[901]], rows.Value[rows.Ptr[990]] = -1, -1
	_, err = pass.NewLocal(rows, 8).Own(t.Context(), func(b pass.Block) error { return mixtures(b, theta) })
	if err == nil || !strings.Contains(err.Error(), "record 902:") {
		t.Errorf("of two bad records the first is not named: %v", err)
	}
}

// Work spaces that a model of other parameters, or of another shape, left behind do not
// change a bit.
func TestSpacesLeaveTheBits(t *testing.T) {
	used, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{6, 3, 6} {
		set := synth.Corpus(7, 200, 100+10*k, k, true)
		for _, size := range []float64{1, 20} {
			p := set.Truth.With(Alpha, scaledAlpha(set.Truth, size))
			fresh, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			var want [2][]float64
			for i, f := range []*Family{fresh, used} {
				sum, err := f.EStep(p, false)
				if err != nil {
					t.Fatal(err)
				}
				want[i] = make([]float64, sum.Len())
				if err := sum.Add(want[i], pass.Block{Rows: set.Rows}); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(want[0], want[1]) {
				t.Errorf("%d topics, α times %v: sums in used work spaces have other bits", k, size)
			}
		}
	}
}
