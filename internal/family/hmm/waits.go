package hmm

import (
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

var _ family.Timed = Family{}

// State of a waitStep: log-likelihood; of every state the waits expected there, the
// sums of their logarithms and of the squares, the steps, those that no step
// follows, and the waits between the quartiles of the law.
type waitStep struct {
	p    mixture.Params
	e    emitter
	of   *mixture.Waits
	wait func(record, step int) (float64, bool)
}

const (
	waitSums = 6     // numbers a state
	quartile = .6745 // of the standard normal law
)

func (s waitStep) Len() int { return 1 + waitSums*s.p.K() }

func (s waitStep) Add(state []float64, b pass.Block) error {
	return chunks(b, func(b pass.Block) error { return s.add(state, b) })
}

func (s waitStep) add(state []float64, b pass.Block) error {
	k := s.p.K()
	scores := make([]float64, b.Rows.N()*k)
	if err := s.e.scores(b, scores); err != nil {
		return err
	}
	c := newChain(s.p)
	logs := []float64(nil) // of the waits of the sequence at hand, NaN for none
	return sequences(b, func(i, lo, hi int) {
		if lo == hi {
			return
		}
		g := scores[lo*k : hi*k]
		logs = logs[:0]
		for t := range hi - lo {
			w, ok := s.wait(b.First+i, t)
			if !ok {
				logs = append(logs, math.NaN())
				continue
			}
			logs = append(logs, math.Log(w))
			for j := range k {
				z := (logs[t] - s.of.Mean[j]) / s.of.SD[j]
				g[t*k+j] -= z*z/2 + math.Log(s.of.SD[j])
			}
		}
		state[0] += c.forward(g)
		c.backward(g, nil)
		s.gather(state, g, logs)
	})
}

// gather adds what one sequence tells, given the chances of its states.
func (s waitStep) gather(state, g, logs []float64) {
	k := s.p.K()
	for t, x := range logs {
		for j, share := range g[t*k:][:k] {
			sums := state[1+waitSums*j:][:waitSums]
			sums[3] += share
			if t == len(logs)-1 {
				sums[4] += share
			}
			if x != x {
				continue
			}
			sums[0] += share
			sums[1] += share * x
			sums[2] += share * x * x
			if math.Abs(x-s.of.Mean[j]) <= quartile*s.of.SD[j] {
				sums[5] += share
			}
		}
	}
}

// WaitStep implements family.Timed.
func (f Family) WaitStep(p mixture.Params, of *mixture.Waits, wait func(record, step int) (float64, bool)) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return waitStep{p, f.emitter(p), of, wait}, nil
}
