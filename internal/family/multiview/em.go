package multiview

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// adder is an E-step that can be given its responsibilities (rows×k): views of
// such a family cost no more than the family alone. Others are shown one record
// at a time.
type adder interface {
	AddGiven(state []float64, b pass.Block, given []float64) error
}

// joint is the E-step of known parameters: log-likelihood, n, Σ_i r_ij (k), then
// the states of the views' E-steps under the common posterior. The views' own
// log-likelihoods stay 0.
type joint struct {
	f     *Family
	p     mixture.Params
	views []mixture.Params
	sums  []pass.Sum
}

const heads = 2

func (f *Family) joint(p mixture.Params) (*joint, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	e := &joint{f: f, p: p}
	for i, v := range f.views {
		q := f.view(p, i)
		s, err := v.Family.EStep(q, true)
		if err != nil {
			return nil, f.inView(i, err)
		}
		e.views, e.sums = append(e.views, q), append(e.sums, s)
	}
	return e, nil
}

// EStep implements family.Family.
func (f *Family) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	e, err := f.joint(p)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Len implements pass.Sum.
func (e *joint) Len() int {
	n := heads + e.p.K()
	for _, s := range e.sums {
		n += s.Len()
	}
	return n
}

// parts returns the states of the views.
func (e *joint) parts(state []float64) [][]float64 {
	state = state[heads+e.p.K():]
	out := make([][]float64, len(e.sums))
	for i, s := range e.sums {
		n := s.Len()
		out[i], state = state[:n:n], state[n:]
	}
	return out
}

// Add implements pass.Sum.
func (e *joint) Add(state []float64, b pass.Block) error {
	k, n := e.p.K(), b.Rows.N()
	post, logp := make([]float64, n*k), make([]float64, n)
	sides, scores, err := e.posterior(b, post, logp)
	if err != nil {
		return err
	}
	state[0] += floats.Sum(logp)
	state[1] += float64(n)
	for i := range n {
		floats.Add(state[heads:heads+k], post[i*k:][:k])
	}
	for v, part := range e.parts(state) {
		given := pick(post, sides[v], k)
		if err := e.gather(v, part, sides[v].block(b.First), given, scores[v]); err != nil {
			return e.f.inView(v, err)
		}
	}
	return nil
}

// pick returns the rows of post (n×k) that the side has.
func pick(post []float64, s side, k int) []float64 {
	if s.of == nil {
		return post
	}
	out := make([]float64, 0, len(s.of)*k)
	for _, r := range s.of {
		out = append(out, post[r*k:][:k]...)
	}
	return out
}

// posterior sets post (n×k) and logp (n); it returns the sides of the block
// and the log densities of their rows in all components.
func (e *joint) posterior(b pass.Block, post, logp []float64) ([]side, [][]float64, error) {
	if err := e.f.fits(b); err != nil {
		return nil, nil, err
	}
	k := e.p.K()
	for i := range logp {
		for j, w := range e.p.Weights {
			post[i*k+j] = math.Log(w)
		}
	}
	sides, scores := make([]side, len(e.views)), make([][]float64, len(e.views))
	for v := range e.views {
		s, err := e.scores(v, b)
		if err != nil {
			return nil, nil, e.f.inView(v, err)
		}
		sides[v], scores[v] = s.side, s.out
		for r := range s.rows.N() {
			floats.Add(post[s.place(r)*k:][:k], s.out[r*k:][:k])
		}
	}
	kernel.Softmax(post, k, nil, logp, nil)
	return sides, scores, nil
}

type scored struct {
	side
	out []float64 // rows×k
}

// scores returns the log densities of a view's rows in all components.
func (e *joint) scores(v int, b pass.Block) (scored, error) {
	s := e.f.side(b, v)
	k, n := e.p.K(), s.rows.N()
	out := make([]float64, n*k)
	own := e.f.views[v].Family
	col := make([]float64, n)
	for j := range k {
		one := own.Reorder(e.views[v], []int{j})
		one.Weights = []float64{1}
		if err := own.LogDensity(one, s.block(b.First), col); err != nil {
			return scored{}, err
		}
		for i, x := range col {
			out[i*k+j] = x
		}
	}
	return scored{s, out}, nil
}

// gather adds the statistics of a view under responsibilities given. A family
// that knows only its own posterior is shown one row at a time, with weights
// that are what the other views say of the row: its posterior then is the
// common one.
func (e *joint) gather(v int, state []float64, b pass.Block, given, scores []float64) error {
	own, k := e.f.views[v].Family, e.p.K()
	if a, ok := e.sums[v].(adder); ok {
		return a.AddGiven(state, b, given)
	}
	q := e.views[v]
	for i := range b.Rows.N() {
		w := make([]float64, k)
		for j := range w {
			w[j] = math.Log(given[i*k+j])
			if !math.IsInf(w[j], -1) {
				w[j] -= scores[i*k+j]
			}
		}
		loglinear.Softmax(w)
		q.Weights = w
		sum, err := own.EStep(q, true)
		if err != nil {
			return err
		}
		if err := sum.Add(state, pass.Block{First: b.First + i, Rows: b.Rows.Slice(i, i+1)}); err != nil {
			return err
		}
	}
	state[0] = 0
	return nil
}

// MStep implements family.Family: every view's own M-step, common weights.
func (f *Family) MStep(state []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	e, err := f.joint(old)
	if err != nil {
		return old, nil, err
	}
	if !(state[1] > 0) {
		return old, nil, fmt.Errorf("multiview: no records to learn from")
	}
	k := old.K()
	count := state[heads : heads+k]
	weights := append([]float64(nil), count...)
	floats.Scale(1/floats.Sum(weights), weights)
	views := make([]mixture.Params, len(f.views))
	for i, part := range e.parts(state) {
		q, _, err := f.views[i].Family.MStep(part, e.views[i], pseudo)
		if err != nil { // no record has the view: it stays as it is
			q = e.views[i]
		}
		views[i] = q
	}
	p, err := f.Join(weights, views)
	return p, loglinear.Emptied(count), err
}

// Objective adds the logarithms of the views' priors.
func (f *Family) Objective(state []float64, p mixture.Params, pseudo float64) float64 {
	e, err := f.joint(p)
	if err != nil {
		return math.NaN()
	}
	sum := state[0]
	for i, part := range e.parts(state) {
		// Without its own log-likelihood, which is 0, a view has only its prior.
		if v := f.views[i].Family.Objective(part, e.views[i], pseudo); !math.IsNaN(v) {
			sum += v - part[0]
		}
	}
	return sum
}

// Posterior implements family.Family.
func (f *Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	e, err := f.joint(p)
	if err != nil {
		return err
	}
	_, _, err = e.posterior(b, out[:b.Rows.N()*p.K()], make([]float64, b.Rows.N()))
	return err
}

// LogDensity implements family.Family; a view that a record lacks does not
// count.
func (f *Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	e, err := f.joint(p)
	if err != nil {
		return err
	}
	_, _, err = e.posterior(b, make([]float64, b.Rows.N()*p.K()), out[:b.Rows.N()])
	return err
}
