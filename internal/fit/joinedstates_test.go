package fit_test

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// walkedSteps makes n sequences of 8 to 15 steps; show adds a step to the rows, and returns
// the next state. The first half of them begins in the first state, so that sites differ.
func walkedSteps(n int, states int, show func(r *rand.Rand, sequence, state int) int) (steps []int) {
	r := stream.New(5, "joined states")
	steps = []int{0}
	for i := range n {
		state := r.IntN(states)
		if i < n/2 {
			state = 0
		}
		length := 8 + i%8
		for range length {
			state = show(r, i, state)
		}
		steps = append(steps, steps[i]+length)
	}
	return steps
}

// walkedJourneys are sequences whose number of states nobody gives, with the number that
// one machine tells: symbols with hidden states, with states that are seen, with kinds of
// courses, in one state; sets and measurements with hidden states.
func walkedJourneys() map[string]struct {
	journey
	states int
	beside string
} {
	type law = struct {
		journey
		states int
		beside string
	}
	moved := func(r *rand.Rand, state, states int) int {
		if r.Float64() < .15 {
			return (state + 1) % states
		}
		return state
	}
	out := map[string]law{}
	symbols := func(name string, claimed, n, d, states int, show func(r *rand.Rand, i, state int) (symbol, next int)) {
		b := sparse.NewBuilder(d, true)
		steps := walkedSteps(n, states, func(r *rand.Rand, i, state int) int {
			symbol, next := show(r, i, state)
			_ = b.Add([]uint32{uint32(symbol)}, nil)
			return next
		})
		out[name] = law{journey{b.Rows(), steps, vocab.Numbered(d), record.Presence, fit.Settings{Double: true}}, claimed, ""}
	}
	symbols("hidden states", 2, 400, 6, 2, func(r *rand.Rand, _, s int) (int, int) {
		symbol := s*3 + r.IntN(3)
		if r.Float64() < .1 {
			symbol = r.IntN(6)
		}
		return symbol, moved(r, s, 2)
	})
	symbols("states that are seen", 3, 300, 3, 3, func(r *rand.Rand, _, s int) (int, int) { return s, moved(r, s, 3) })
	symbols("kinds of courses", 3, 300, 3, 3, func(r *rand.Rand, i, s int) (int, int) {
		next := (s + 1 + i%2) % 3 // some go round one way, some the other
		if r.Float64() < .2 {
			next = r.IntN(3)
		}
		return s, next
	})
	courses := out["kinds of courses"]
	courses.beside = "kinds of courses"
	out["kinds of courses"] = courses
	symbols("no memory", 1, 300, 5, 1, func(r *rand.Rand, _, _ int) (int, int) { return r.IntN(5), 0 })
	b := sparse.NewBuilder(8, true)
	steps := walkedSteps(300, 2, func(r *rand.Rand, _, state int) int {
		var row []uint32
		for h := range 8 {
			if p := .1 + .5*float64((h/4+state)%2); r.Float64() < p {
				row = append(row, uint32(h))
			}
		}
		_ = b.Add(row, nil)
		return moved(r, state, 2)
	})
	out["sets"] = law{journey{b.Rows(), steps, vocab.Numbered(8), record.Presence, fit.Settings{Double: true}}, 2, ""}
	rows := sparse.Rows{Dim: 3}
	steps = walkedSteps(200, 2, func(r *rand.Rand, _, state int) int {
		for h := range 3 {
			rows.Dense = append(rows.Dense, 10+3*float64(state*(1-2*(h%2)))+r.NormFloat64())
		}
		return moved(r, state, 2)
	})
	out["measurements"] = law{journey{rows, steps, vocab.Numbered(3), record.Real, fit.Settings{Double: true}}, 2, ""}
	b = sparse.NewBuilder(8, true)
	at, pace, last := 0.0, 0.0, -1
	steps = walkedSteps(200, 1, func(r *rand.Rand, i, _ int) int {
		if i != last {
			at, pace, last = 1.5*r.NormFloat64()-1, .5*r.Float64(), i
		}
		var row []uint32
		for h := range 8 {
			if r.Float64() < 1/(1+math.Exp(.5-at*float64(h-4)/2)) {
				row = append(row, uint32(h))
			}
		}
		at += pace
		_ = b.Add(row, nil)
		return 0
	})
	out["a line"] = law{journey{b.Rows(), steps, vocab.Numbered(8), record.Presence, fit.Settings{Double: true}}, 1, "a line at its own pace"}
	return out
}

// rounds counts the exchanges of a place.
type rounds struct {
	pass.Runner
	n *atomic.Int64
}

func (c rounds) Total(ctx context.Context, x []float64) ([]float64, error) {
	c.n.Add(1)
	return c.Runner.Total(ctx, x)
}

// The number of states, its range and evidence, and the states are those of one machine that
// judges by sums, at 3 and 10 uneven sites, one of them empty; every site has the same bits.
func TestJoinedStates(t *testing.T) {
	numtest.NotShort(t)
	for name, j := range walkedJourneys() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := fit.Tree(t.Context(), j.data(pass.NewSequences(j.rows, j.steps, 2)), j.s)
			if err != nil {
				t.Fatal(err)
			}
			if want.Verdict.Groups != j.states {
				t.Errorf("one machine claims %d states, %s", want.Verdict.Groups, want.Verdict.Reason)
			}
			if said := want.Verdict.Continuum; j.beside != "" && said != j.beside {
				t.Errorf("one machine tells %s: %s", want.Verdict.Continuum, want.Verdict.Reason)
			}
			sites := uneven(len(j.steps) - 1)
			delete(sites, "1 site")
			for name, ends := range sites {
				var n atomic.Int64
				outs := make([]*fit.Outcome, len(ends))
				err := passtest.SplitAt(j.rows, j.steps, ends, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
					first := j.steps[r.Can().First]
					got, err := fit.Tree(ctx, j.data(rounds{r, &n}), j.s)
					if err != nil {
						return err
					}
					outs[place] = got
					return samePlaced(got, want, first, 1e-6)
				})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				t.Logf("%s: %d states of %v, %d rounds", name, want.Verdict.Groups, want.Verdict.Range, int(n.Load())/len(ends))
				for place, o := range outs {
					sameClaim(t, name, place, o.Verdict, want.Verdict)
					if far := farthest(o.Model.Params, outs[0].Model.Params); far != 0 {
						t.Errorf("%s, site %d: parameters are off by %g from those of site 0", name, place, far)
					}
					if far := farthest(o.Model.Params, want.Model.Params); !(far <= 1e-9) {
						t.Errorf("%s, site %d: parameters are off by %g from those of one machine", name, place, far)
					}
				}
			}
		})
	}
}
