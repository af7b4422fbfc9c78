package assign

import (
	"context"
	"sync"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Weighed is All for documents, and adds up the shares in the same scan.
func Weighed(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner) (*Assignment, *mixture.Shares, error) {
	k := p.K()
	posterior := func(b pass.Block, out []float64) error { return f.Posterior(p, b, out) }
	if m, ok := f.(family.Mixer); ok {
		var err error
		if posterior, err = m.Mixtures(p); err != nil {
			return nil, nil, err
		}
	}
	a := newAssignment(k, run)
	sum := shareSum{k: k, parts: new(sync.Map)}
	var space posteriors
	states, err := run.Own(ctx, func(b pass.Block) error {
		return space.use(b.Rows.N()*k, func(theta []float64) error {
			if err := posterior(b, theta); err != nil {
				return err
			}
			for i := range b.Rows.N() {
				g := Best(theta[i*k:][:k])
				a.Group[b.First+i], a.Probability[b.First+i] = int32(g), float32(theta[i*k+g])
			}
			sum.parts.Store(b.First, sum.part(theta, b.Rows.Totals()))
			return nil
		})
	}, sum)
	if err != nil {
		return nil, nil, err
	}
	return a, sum.shares(states[0]), nil
}

// shareSum adds up what visiting a block has left: Σ θ, Σ N θ, documents, words.
type shareSum struct {
	k     int
	parts *sync.Map // []float64 of every own block, by the number of its first record
}

// Len implements pass.Sum.
func (s shareSum) Len() int { return 2*s.k + 2 }

// Add implements pass.Sum.
func (s shareSum) Add(state []float64, b pass.Block) error {
	part, _ := s.parts.Load(b.First)
	for i, v := range part.([]float64) {
		state[i] += v
	}
	return nil
}

func (s shareSum) part(theta, words []float64) []float64 {
	state := make([]float64, s.Len())
	for i, n := range words {
		for j, v := range theta[i*s.k:][:s.k] {
			state[j] += v
			state[s.k+j] += n * v
		}
		state[2*s.k]++
		state[2*s.k+1] += n
	}
	return state
}

func (s shareSum) shares(state []float64) *mixture.Shares {
	out := &mixture.Shares{Documents: make([]float64, s.k), Words: make([]float64, s.k)}
	for j := range s.k {
		out.Documents[j] = state[j] / max(state[2*s.k], 1)
		out.Words[j] = state[s.k+j] / max(state[2*s.k+1], 1)
	}
	return out
}
