package explain

import (
	"testing"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/report"
)

// Moves are told from where they go to where they lead: a course that goes round the states is
// not the one that goes the other way.
func TestWayOfMoves(t *testing.T) {
	b := &builder{r: &report.Report{Leaves: []int{0, 1, 2}, Groups: []report.Group{{ID: "1", Name: "a"}, {ID: "2", Name: "b"}, {ID: "3", Name: "c"}}}}
	third := []float64{1. / 3, 1. / 3, 1. / 3}
	for want, moves := range map[string][]float64{
		"goes from state 1 (a) to state 2 (b), from state 2 (b) to state 3 (c), from state 3 (c) to state 1 (a)": {0, 1, 0, 0, 0, 1, 1, 0, 0},
		"goes from state 1 (a) to state 3 (c), from state 2 (b) to state 1 (a), from state 3 (c) to state 2 (b)": {0, 0, 1, 1, 0, 0, 0, 1, 0},
	} {
		c := &mixture.Courses{Share: []float64{1}, Time: [][]float64{third}, Moves: [][]float64{moves}}
		if got := b.courseWords(c, 0, []bool{true, true, true}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
