package main

import (
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"gonum.org/v1/gonum/mat"
)

// Five steps by hand: two in the first state, three in the second; what comes next
// is the last step's shares times the moves.
func TestFollowed(t *testing.T) {
	state := func(j int) (string, string) { return strconv.Itoa(j + 1), "" }
	post := []float64{.9, .1, .7, .3, .2, .8, .1, .9, .25, .75}
	to := mat.NewDense(2, 2, []float64{.8, .2, .4, .6})
	var f followed
	f.stages(post, 2, state)
	f.moves(post, []float64{.5, .5}, to, state)
	if len(f.Steps) != 2 || f.Steps[0].From != 1 || f.Steps[0].To != 2 || f.Steps[1].From != 3 || f.Steps[1].To != 5 || f.Steps[1].State != "2" {
		t.Fatalf("stages %+v", f.Steps)
	}
	if numtest.Off(f.Steps[0].Sure, .8, 1e-12) || numtest.Off(f.Steps[1].Sure, (.8+.9+.75)/3, 1e-12) {
		t.Errorf("how sure: %v and %v", f.Steps[0].Sure, f.Steps[1].Sure)
	}
	// .25·(.8, .2) + .75·(.4, .6) = (.5, .5): of equals the first.
	if f.Next[0].State != "1" || numtest.Off(f.Next[0].Probability, .5, 1e-12) {
		t.Errorf("next %+v", f.Next)
	}
	var empty followed
	empty.stages(nil, 2, state)
	empty.moves(nil, []float64{.3, .7}, to, state)
	if len(empty.Steps) != 0 || empty.Next[0].State != "2" || empty.Next[0].Probability != .7 {
		t.Errorf("without steps: %+v", empty)
	}
}
