package verdict

import (
	"cmp"
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// StateFit finds k hidden states of sequences; none where they cannot tell so many apart.
type StateFit func(ctx context.Context, run pass.Runner, k int) (mixture.Params, error)

// memory is what ties a step to those before it.
type memory int

const (
	hidden    memory = iota // a hidden state that moves
	staying                 // the same, and each lasts for a time of its own
	levelled                // the same, in sequences that each have a level of their own
	unmoved                 // a hidden state that a sequence keeps
	forgetful               // kinds of steps that do not follow each other
	loose                   // steps by themselves; there are no states
	drifting                // steps that change with time, the same for all
	ownLevel                // sequences that each have a level of their own
	onward                  // places on a line that each sequence passes at its own pace
	astray                  // places on a line that sequences wander on, little by little
	rounds                  // places on a circle that sequences go round, each from its own begin
	uneven                  // steps that scatter more or less, by degrees
	visible                 // the step before, which is seen
	longer                  // two or three steps before
	dwelling                // the step before, and how long it has been so
	habits                  // the step before, each sequence in its own way
	seasons                 // the step before, and time
	kindred                 // the step before, in the way of one of a few kinds of sequences
)

// course is an explanation of sequences.
type course struct {
	states int
	memory memory
}

// compare orders explanations by number and memory.
func (c course) compare(o course) int {
	return cmp.Or(cmp.Compare(c.states, o.states), cmp.Compare(c.memory, o.memory))
}

// held is a fit of states on some of the sequences.
type held struct {
	fam  family.Family
	p    mixture.Params
	turn *turn // columns that it is in, where these are not as they are given
}

// scores returns the log density of every sequence.
func (h held) scores(w *walks) ([]float64, error) {
	out := make([]float64, w.n())
	if len(out) == 0 { // nobody here
		return out, nil
	}
	if err := h.fam.LogDensity(h.p, h.see(w).block(), out); err != nil || h.turn == nil {
		return out, err
	}
	for i := range out {
		out[i] += h.turn.logDet * float64(w.steps[i+1]-w.steps[i])
	}
	return out, nil
}

const (
	boundSteps = 40   // of EM with moves held
	boundGain  = 1e-6 // relative gain that ends it
)

// bound refines states whose moves are held: nobody moves, or the next state does
// not depend on the state now.
func (h held) bound(ctx context.Context, w *walks, m memory) (held, error) {
	// Every state is a first state to begin with: one that only follows others
	// would stay empty where nobody moves.
	first := mat.NewDense(1, h.p.K(), append([]float64(nil), h.p.Weights...))
	run, p, last := h.see(w).runner(), h.fastened(h.p.With(h.fam.Info().In(family.Starts), first), m), 0.0
	for step := range boundSteps {
		sum, err := h.fam.EStep(p, true)
		if err != nil {
			return h, err
		}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			return h, err
		}
		if step > 0 && state[0]-last <= boundGain*(1+max(state[0], -state[0])) {
			break
		}
		last = state[0]
		next, _, err := h.fam.MStep(state, p, 1)
		if err != nil {
			return h, err
		}
		p = h.fastened(next, m)
	}
	return held{h.fam, p, h.turn}, nil
}

// fastened returns p with its moves held.
func (h held) fastened(p mixture.Params, m memory) mixture.Params {
	k, info := p.K(), h.fam.Info()
	moves, starts := mat.NewDense(k, k, nil), mat.NewDense(1, k, nil)
	starts.SetRow(0, p.Weights)
	if m == unmoved {
		starts.SetRow(0, p.Extra[info.In(family.Starts)].RawRowView(0))
	}
	for j := range k {
		if m == unmoved {
			moves.Set(j, j, 1)
		} else {
			moves.SetRow(j, p.Weights)
		}
	}
	return p.With(info.In(family.Transitions), moves).With(info.In(family.Starts), starts)
}
