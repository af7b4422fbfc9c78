package lca

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// The best maximum must have been reached four times, within a hundredth of a nat.
func TestConvergedByHand(t *testing.T) {
	for best, want := range map[int]bool{3: false, 4: true} {
		s := &search{ll: -100}
		for i := range 65 {
			v := -105.0
			if i < best {
				v = -100
			}
			s.all = append(s.all, v)
		}
		if got := s.converged(64); got != want {
			t.Errorf("reached %d times: settled %v", best, got)
		}
		if s.converged(65) {
			t.Error("settled before it was quiet")
		}
	}
}

// Classes stand by falling share; no answer is sure in every class.
func TestModelByHand(t *testing.T) {
	table := &Table{Coding: &Coding{}, n: 4}
	m := table.newModel(2)
	copy(m.Weights, []float64{1, 3})
	table.maximise(m, m)
	if !slices.Equal(m.P, []float64{1, 1}) {
		t.Errorf("no answer has %v, want 1 and 1", m.P)
	}
	if got := table.ordered(m).Weights; !slices.Equal(got, []float64{.75, .25}) {
		t.Errorf("shares %v, want .75 and .25", got)
	}
}

// No probability is raised further than to the bound, and those above stay.
func TestLegalByHand(t *testing.T) {
	if !(least <= 1e-8) {
		t.Errorf("probabilities below %v are raised", least)
	}
}

// What is missing in a dense row is no answer to a question, and neither yes nor no
// to a presence.
func TestMissingByHand(t *testing.T) {
	c := NewCoding([]family.Question{{From: 0, To: 2}, {From: 2, To: 3, Presence: true}})
	no := math.NaN()
	for _, x := range []struct {
		row  []float64
		want []int32
	}{
		{[]float64{no, no, no}, []int32{int32(c.Columns()), int32(c.Columns())}},
		{[]float64{0, 1, 0}, []int32{1, int32(c.First(1))}},
		{[]float64{no, 1, 1}, []int32{1, int32(c.First(1)) + 1}},
	} {
		code := make([]int32, 2)
		if err := c.Code(pass.Block{Rows: sparse.Rows{Dim: 3, Dense: x.row}}, 0, code); err != nil || !slices.Equal(code, x.want) {
			t.Errorf("%v is coded as %v (%v), want %v", x.row, code, err, x.want)
		}
	}
}
