package lca

import (
	"slices"
	"testing"
)

// The best maximum must have been reached four times, within a hundredth of a nat.
func TestSettledByHand(t *testing.T) {
	for best, want := range map[int]bool{3: false, 4: true} {
		s := &search{ll: -100}
		for i := range 65 {
			v := -105.0
			if i < best {
				v = -100
			}
			s.all = append(s.all, v)
		}
		if got := s.settled(64); got != want {
			t.Errorf("reached %d times: settled %v", best, got)
		}
		if s.settled(65) {
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
	if least > 1e-8 {
		t.Errorf("probabilities below %v are raised", least)
	}
}
