package hmm

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// courseTol: the same sums in another order.
const courseTol = 1e-10

// Two courses that are the chain of all in halves: the step that learns states and
// courses together is that of Baum and Welch, for symbols, sets and measurements; and
// every step of two that differ makes the sequences likelier.
func TestCoursesOfOneChain(t *testing.T) {
	for name, c := range map[string]struct {
		f Family
		p mixture.Params
	}{
		"symbols":      {New(Options{}), truth(5, 6, 3, false)},
		"sets":         {New(Options{Of: bernoulli.New(bernoulli.Options{})}), lawTruth(5, 6, 3, false)},
		"measurements": {New(Options{Emission: Gaussian, Raw: true}), truth(5, 3, 3, true)},
	} {
		draw, err := c.f.Sample(c.p, stream.New(4, "courses"), 60, family.Shape{Lengths: []int{5, 1, 0, 8}})
		if err != nil {
			t.Fatal(err)
		}
		run := draw.Runner(2)
		plain, err := c.f.EStep(c.p, false)
		if err != nil {
			t.Fatal(err)
		}
		state, err := pass.RunOne(context.Background(), run, plain)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := c.f.MStep(state, c.p, 1)
		if err != nil {
			t.Fatal(err)
		}
		step := func(p mixture.Params, of *mixture.Courses) []float64 {
			sum, err := c.f.CourseStep(p, of, true)
			if err != nil {
				t.Fatal(err)
			}
			state, err := pass.RunOne(context.Background(), run, sum)
			if err != nil {
				t.Fatal(err)
			}
			return state
		}
		chain := newChain(c.p)
		of := &mixture.Courses{Share: []float64{.5, .5}, Start: [][]float64{chain.initial, chain.initial}, Moves: [][]float64{chain.to, chain.to}}
		both := step(c.p, of)
		got := c.f.CourseShown(both, 2, c.p, 1)
		for _, pair := range [][2][]float64{
			{got.Centers.RawMatrix().Data, want.Centers.RawMatrix().Data},
			{got.Weights, want.Weights},
			{got.Extra[TransitionOf].RawMatrix().Data, want.Extra[TransitionOf].RawMatrix().Data},
			{got.Extra[InitialOf].RawMatrix().Data, want.Extra[InitialOf].RawMatrix().Data},
		} {
			if !floats.EqualApprox(pair[0], pair[1], courseTol) {
				t.Errorf("%s: %v, want %v", name, pair[0], pair[1])
			}
		}
		if numtest.Off(both[0], state[0], courseTol*math.Abs(state[0])) {
			t.Errorf("%s: log-likelihood %v, want %v", name, both[0], state[0])
		}
		stays := slices.Clone(chain.to)
		for i := range 3 {
			stays[i*3+i]++
			floats.Scale(.5, stays[i*3:][:3])
		}
		p, now := c.p, &mixture.Courses{Share: of.Share, Start: of.Start, Moves: [][]float64{stays, chain.to}}
		for last, i := math.Inf(-1), 0; i < 6; i++ {
			s := step(p, now)
			if s[0] < last-courseTol*math.Abs(last) {
				t.Errorf("%s: step %d takes the log-likelihood from %v to %v", name, i, last, s[0])
			}
			last = s[0]
			p, now = c.f.CourseShown(s, 2, p, 0), c.f.CourseMax(s, 2, c.p, 0)
		}
	}
}
