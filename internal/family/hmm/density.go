package hmm

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Posterior sets out (rows×k) to the smoothed probability of each state in
// every row, given the row's whole sequence.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	c, err := f.prepare(p, b, out)
	if err != nil {
		return err
	}
	return sequences(b, func(_, lo, hi int) {
		if lo < hi {
			c.forward(out[lo*c.k : hi*c.k])
			c.backward(out[lo*c.k:hi*c.k], nil)
		}
	})
}

// LogDensity sets out, one number a sequence, to the full log density.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	scores := make([]float64, b.Rows.N()*p.K())
	c, err := f.prepare(p, b, scores)
	if err != nil {
		return err
	}
	return sequences(b, func(i, lo, hi int) {
		out[i] = c.forward(scores[lo*c.k : hi*c.k])
	})
}

// prepare checks the parameters and fills scores (rows×k).
func (f Family) prepare(p mixture.Params, b pass.Block, scores []float64) (*chain, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	if b.Rows.Dim != p.Dim() {
		return nil, fmt.Errorf("hmm: rows of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	return newChain(p), f.emitter(p).scores(b, scores)
}

// Viterbi returns the state of every row on the most probable path of its
// sequence, and the log density of each path with its rows. Ties go to the
// lower state.
func (f Family) Viterbi(p mixture.Params, b pass.Block) (path []int, logp []float64, err error) {
	scores := make([]float64, b.Rows.N()*p.K())
	c, err := f.prepare(p, b, scores)
	if err != nil {
		return nil, nil, err
	}
	path, logp = make([]int, b.Rows.N()), make([]float64, b.N())
	to, initial := logs(c.to), logs(c.initial)
	from := make([]int, len(scores))
	err = sequences(b, func(i, lo, hi int) {
		logp[i] = bestPath(path[lo:hi], scores[lo*c.k:hi*c.k], from, to, initial)
	})
	return path, logp, err
}

func logs(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Log(math.Max(x, leastShare))
	}
	return out
}

// bestPath fills path by dynamic programming; scores (T×k) become the best log
// density of a path that ends in a state, from where it came.
func bestPath(path []int, scores []float64, from []int, to, initial []float64) float64 {
	k := len(initial)
	if len(path) == 0 {
		return 0
	}
	for j, v := range initial {
		scores[j] += v
	}
	for t := 1; t < len(path); t++ {
		before, now := scores[(t-1)*k:][:k], scores[t*k:][:k]
		for j := range now {
			best, at := math.Inf(-1), 0
			for i, v := range before {
				if v += to[i*k+j]; v > best {
					best, at = v, i
				}
			}
			now[j] += best
			from[t*k+j] = at
		}
	}
	last := scores[(len(path)-1)*k:][:k]
	at := 0
	for j, v := range last {
		if v > last[at] {
			at = j
		}
	}
	logp := last[at]
	for t := len(path) - 1; t >= 0; t-- {
		path[t] = at
		if t > 0 {
			at = from[t*k+at]
		}
	}
	return logp
}
