package lda

import (
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// Whoever infers the documents of a block, sums and mixtures have the same bits, and a
// bad count is found at the same record.
func TestHelpersLeaveTheBits(t *testing.T) {
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
	both := func() (state, theta []float64) {
		state, theta = make([]float64, sum.Len()), make([]float64, set.Rows.N()*p.K())
		if err := sum.Add(state, pass.Block{Rows: set.Rows}); err != nil {
			t.Fatal(err)
		}
		if err := mixtures(pass.Block{Rows: set.Rows}, theta); err != nil {
			t.Fatal(err)
		}
		return state, theta
	}
	state, theta := both()
	for range 3 {
		if err := par.Do(t.Context(), 8, 1, func(int) error {
			again, shares := both()
			if !slices.Equal(again, state) || !slices.Equal(shares, theta) {
				t.Error("with helpers sums or mixtures have other bits")
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	rows := set.Rows
	rows.Value = slices.Clone(rows.Value)
	rows.Value[rows.Ptr[901]], rows.Value[rows.Ptr[990]] = -1, -1
	_ = par.Do(t.Context(), 8, 1, func(int) error {
		err := mixtures(pass.Block{Rows: rows}, theta)
		if err == nil || !strings.Contains(err.Error(), "record 902:") {
			t.Errorf("of two bad records the first is not named: %v", err)
		}
		return nil
	})
	if par.Spare() {
		t.Error("a helper was not given back, or twice")
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
