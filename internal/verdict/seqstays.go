package verdict

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// States of a chain are left with the same chance at every step. Where each lasts for a
// time of its own, more states are found than there are: a second one for those that
// have lasted longer. The rival has stages: every state is passed in three, which show
// the same (Erlang's stages; semi-Markov models, Yu 2010).
const (
	stages     = 3
	stageSteps = 20 // of EM
)

// staged returns the states of a fit as stages of them, refined together.
func (h held) staged(ctx context.Context, w *walks) (held, error) {
	run, p, last := h.see(w).runner(), h.divided(), 0.0
	for step := range stageSteps {
		sum, err := h.fam.EStep(p, true)
		if err != nil {
			return h, err
		}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			return h, err
		}
		if step > 0 && state[0]-last <= boundGain*(1+math.Abs(state[0])) {
			break
		}
		last = state[0]
		next, _, err := h.fam.MStep(state, p, 1)
		if err != nil {
			return h, err
		}
		p = h.tied(next)
	}
	return held{h.fam, p, h.turn}, nil
}

// divided makes stages of the states of a fit.
func (h held) divided() mixture.Params {
	k, info := h.p.K(), h.fam.Info()
	var from []int
	for j := range k {
		for range stages {
			from = append(from, j)
		}
	}
	p := h.p
	p.Centers = mixture.Columns(h.p.Centers, from)
	p.Weights = make([]float64, len(from))
	starts, moves := mat.NewDense(1, len(from), nil), mat.NewDense(len(from), len(from), nil)
	first, move := h.p.Extra[info.In(family.Starts)], h.p.Extra[info.In(family.Transitions)]
	for a, j := range from {
		p.Weights[a] = h.p.Weights[j] / stages
		starts.Set(0, a, first.At(0, j)/stages)
		stay := move.At(j, j)
		on := (1 - stay) * stages // a stage ends sooner than a state, so that all last as long
		on = min(on, .9)
		moves.Set(a, a, 1-on)
		if a%stages < stages-1 {
			moves.Set(a, a+1, on)
			continue
		}
		for b, to := range from {
			if to != j && b%stages == 0 {
				moves.Set(a, b, on*move.At(j, to)/max(1-stay, 1e-12))
			}
		}
	}
	p = h.others(p, k, func(m *mat.Dense) *mat.Dense { return mixture.Columns(m, from) })
	return p.With(info.In(family.Starts), starts).With(info.In(family.Transitions), h.ordered(moves))
}

// others changes what each of n states has besides its center, such as a variance.
func (h held) others(p mixture.Params, n int, change func(*mat.Dense) *mat.Dense) mixture.Params {
	info := h.fam.Info()
	for at, m := range p.Extra {
		_, columns := m.Dims()
		if at != info.In(family.Starts) && at != info.In(family.Transitions) && columns == n {
			p = p.With(at, change(m))
		}
	}
	return p
}

// ordered keeps the moves that stages allow: to stay, to go on, and to leave the state
// from any stage for the first one of another.
func (h held) ordered(moves *mat.Dense) *mat.Dense {
	n, _ := moves.Dims()
	for a := range n {
		all := 0.0
		for b := range n {
			same := a/stages == b/stages
			if same && (b == a || b == a+1) || !same && b%stages == 0 {
				moves.Set(a, b, moves.At(a, b)+1e-9)
				all += moves.At(a, b)
			} else {
				moves.Set(a, b, 0)
			}
		}
		for b := range n {
			moves.Set(a, b, moves.At(a, b)/all)
		}
	}
	return moves
}

// tied gives all stages of a state what they show together.
func (h held) tied(p mixture.Params) mixture.Params {
	weight := p.Weights
	together := func(m *mat.Dense) *mat.Dense {
		d, n := m.Dims()
		out := mat.DenseCopyOf(m)
		for j := 0; j < n; j += stages {
			all := 0.0
			for s := range stages {
				all += weight[j+s]
			}
			for g := 0; g < d && all > 0; g++ {
				v := 0.0
				for s := range stages {
					v += weight[j+s] / all * m.At(g, j+s)
				}
				for s := range stages {
					out.Set(g, j+s, v)
				}
			}
		}
		return out
	}
	p.Centers = together(p.Centers)
	p = h.others(p, len(weight), together)
	at := h.fam.Info().In(family.Transitions)
	return p.With(at, h.ordered(mat.DenseCopyOf(p.Extra[at])))
}
