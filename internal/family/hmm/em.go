package hmm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// State of the E-step: log-likelihood, sequences, steps; expected first states
// (k), occupancy (k), transitions (k×k); then the emission's statistics.
type eStep struct {
	p mixture.Params
	e emitter
}

const heads = 3

func (s eStep) Len() int { k := s.p.K(); return heads + 2*k + k*k + s.e.size() }

// parts cuts a state after its heads.
func parts(state []float64, k int) (first, occupancy, moves, emission []float64) {
	state = state[heads:]
	return state[:k], state[k : 2*k], state[2*k:][:k*k], state[2*k+k*k:]
}

func (s eStep) Add(state []float64, b pass.Block) error {
	return chunks(b, func(b pass.Block) error { return s.add(state, b) })
}

func (s eStep) add(state []float64, b pass.Block) error {
	k := s.p.K()
	gamma := make([]float64, b.Rows.N()*k)
	if err := s.e.scores(b, gamma); err != nil {
		return err
	}
	first, occupancy, moves, emission := parts(state, k)
	c := newChain(s.p)
	err := sequences(b, func(_, lo, hi int) {
		state[1]++
		if lo == hi {
			return
		}
		g := gamma[lo*k : hi*k]
		state[0] += c.forward(g)
		state[2] += float64(hi - lo)
		c.backward(g, moves)
		floats.Add(first, g[:k])
		for t := range hi - lo {
			floats.Add(occupancy, g[t*k:][:k])
		}
	})
	if err != nil {
		return err
	}
	s.e.gather(emission, b.Rows, gamma)
	return nil
}

// sequences calls do with the number and the rows of every sequence of the
// block.
func sequences(b pass.Block, do func(i, lo, hi int)) error {
	if b.Steps == nil {
		for i := range b.Rows.N() {
			do(i, i, i+1)
		}
		return nil
	}
	for i := range b.N() {
		if err := b.Err(); err != nil {
			return err
		}
		lo, hi := b.Steps[i]-b.Steps[0], b.Steps[i+1]-b.Steps[0]
		if lo > hi || hi > b.Rows.N() {
			return fmt.Errorf("hmm: sequence %d has steps %d to %d of %d rows", b.First+i+1, lo, hi, b.Rows.N())
		}
		do(i, lo, hi)
	}
	return nil
}

// chunkRows is the number of rows whose shares are held at once, or one
// sequence if that is longer: a block of long sequences would not fit.
const chunkRows = 4096

// chunks cuts a block into blocks of whole sequences.
func chunks(b pass.Block, do func(pass.Block) error) error {
	if b.Steps == nil {
		return do(b)
	}
	for lo := 0; lo < b.N(); {
		hi := lo + 1
		for hi < b.N() && b.Steps[hi+1]-b.Steps[lo] <= chunkRows {
			hi++
		}
		from, to := b.Steps[lo]-b.Steps[0], b.Steps[hi]-b.Steps[0]
		if from < 0 || from > to || to > b.Rows.N() {
			return fmt.Errorf("hmm: sequences %d to %d have rows %d to %d of %d", b.First+lo+1, b.First+hi, from, to, b.Rows.N())
		}
		if err := do(b.Part(lo, hi)); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// EStep implements family.Family.
func (f Family) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return eStep{p, f.emitter(p)}, nil
}

// MStep is the step of Baum and Welch. The prior adds pseudo transitions from
// every state, pseudo first states, both spread evenly, and pseudo emissions of
// the kind that all records have.
func (f Family) MStep(state []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	k := old.K()
	first, occupancy, moves, emission := parts(state, k)
	if !(state[2] > 0) {
		return old, nil, fmt.Errorf("hmm: no steps to learn from")
	}
	p := f.emitter(old).maximise(emission, old, pseudo)
	return chained(p, first, occupancy, moves, pseudo), loglinear.Emptied(occupancy), nil
}

// chained returns p with the chain of these expectations.
func chained(p mixture.Params, first, occupancy, moves []float64, pseudo float64) mixture.Params {
	k := p.K()
	t, initial := mat.DenseCopyOf(p.Extra[TransitionOf]), mat.DenseCopyOf(p.Extra[InitialOf])
	smooth(initial.RawRowView(0), first, pseudo)
	for i := range k {
		smooth(t.RawRowView(i), moves[i*k:][:k], pseudo)
	}
	p.Weights = normalise(append([]float64(nil), occupancy...))
	return p.With(TransitionOf, t).With(InitialOf, initial)
}

// smooth sets dst to the shares of counts plus pseudo/k each; without any
// counts it stays as it is.
func smooth(dst, counts []float64, pseudo float64) {
	total := floats.Sum(counts) + pseudo
	if total <= 0 {
		return
	}
	for j, c := range counts {
		dst[j] = (c + pseudo/float64(len(dst))) / total
	}
}

// Objective adds the logarithm of the prior that MStep names.
func (f Family) Objective(state []float64, p mixture.Params, pseudo float64) float64 {
	if pseudo == 0 {
		return state[0]
	}
	k := p.K()
	_, _, _, emission := parts(state, k)
	prior := f.emitter(p).prior(emission, p)
	for _, m := range []*mat.Dense{p.Extra[InitialOf], p.Extra[TransitionOf]} {
		rows, _ := m.Dims()
		for i := range rows {
			for _, v := range m.RawRowView(i) {
				prior += math.Log(math.Max(v, leastShare)) / float64(k)
			}
		}
	}
	return state[0] + pseudo*prior
}
