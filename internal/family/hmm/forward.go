package hmm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
)

// chain is the Markov chain of known parameters, with room for one sequence.
type chain struct {
	k       int
	initial []float64
	to      []float64 // k×k: transition, row i to column j
	alpha   []float64 // T×k: forward shares
	scale   []float64 // T: what the shares were divided by
	beta    []float64 // k, and a second row to swap with
}

func newChain(p mixture.Params) *chain {
	k := p.K()
	return &chain{
		k:       k,
		initial: p.Extra[InitialOf].RawRowView(0),
		to:      mat.DenseCopyOf(p.Extra[TransitionOf]).RawMatrix().Data,
		beta:    make([]float64, 2*k),
	}
}

// forward turns scores (T×k log densities) into densities relative to the
// largest of each step, fills alpha and scale, and returns the log-likelihood.
func (c *chain) forward(scores []float64) float64 {
	return densities(scores, c.k) + c.follow(scores)
}

// densities turns scores (T×k log densities) into densities relative to the
// largest of each step, and returns the sum of these.
func densities(scores []float64, k int) float64 {
	sum := 0.0
	for t := 0; t < len(scores); t += k {
		sum += relative(scores[t:][:k])
	}
	return sum
}

// follow fills alpha and scale from densities (T×k), and returns the logarithm of
// the likelihood: that of the product of all scales, taken where it grows small.
func (c *chain) follow(densities []float64) float64 {
	k, n := c.k, len(densities)/c.k
	if cap(c.alpha) < n*k {
		c.alpha, c.scale = make([]float64, n*k), make([]float64, n)
	}
	c.alpha, c.scale = c.alpha[:n*k], c.scale[:n]
	logp, product := 0.0, 1.0
	for t := range n {
		e, a := densities[t*k:][:k], c.alpha[t*k:][:k]
		c.predict(a, t)
		sum := 0.0
		for j := range a {
			a[j] *= e[j]
			sum += a[j]
		}
		if sum <= 0 { // no state that can be reached emits the row: leave the row out
			logp += math.Log(leastShare)
			c.predict(a, t)
			sum = 1
			for j := range e {
				e[j] = 1
			}
		}
		inverse := 1 / sum
		for j := range a {
			a[j] *= inverse
		}
		c.scale[t] = sum
		if product*sum < smallProduct {
			logp, product = logp+math.Log(product), 1
		}
		if sum < smallProduct {
			logp += math.Log(sum)
		} else {
			product *= sum
		}
	}
	return logp + math.Log(product)
}

// smallProduct is the least product of scales that is kept: far from the smallest
// number that there is.
const smallProduct = 1e-100

// predict sets a to the shares of step t before its row is seen.
func (c *chain) predict(a []float64, t int) {
	if t == 0 {
		copy(a, c.initial)
		return
	}
	clear(a)
	for i, v := range c.alpha[(t-1)*c.k:][:c.k] {
		for j, p := range c.to[i*c.k:][:c.k] {
			a[j] += v * p
		}
	}
}

// relative replaces scores by exp(score − largest) and returns the largest.
func relative(e []float64) float64 {
	top := math.Inf(-1)
	for _, v := range e {
		top = math.Max(top, v)
	}
	if math.IsInf(top, -1) {
		for j := range e {
			e[j] = 1
		}
		return math.Log(leastShare)
	}
	for j, v := range e {
		e[j] = math.Exp(v - top)
	}
	return top
}

// backward follows forward: it turns the densities in e (T×k) into smoothed
// posteriors of the states and, where moves is not nil, adds the expected
// transitions (k×k).
func (c *chain) backward(e, moves []float64) {
	k, n := c.k, len(e)/c.k
	beta, next := c.beta[:k], c.beta[k:]
	for j := range beta {
		beta[j] = 1
	}
	for t := n - 1; t >= 0; t-- {
		a, et := c.alpha[t*k:][:k], e[t*k:][:k]
		// next_j = e_t(j)·β_t(j)/scale_t: what the step before sees of state j.
		inverse, sum := 1/c.scale[t], 0.0
		for j, b := range beta {
			next[j] = et[j] * b * inverse
			et[j] = a[j] * b
			sum += et[j]
		}
		if sum > 0 {
			inverse = 1 / sum
			for j := range et {
				et[j] *= inverse
			}
		} else {
			normalise(et)
		}
		if t == 0 {
			return
		}
		before := c.alpha[(t-1)*k:][:k]
		for i := range beta {
			sum, row, share := 0.0, c.to[i*k:][:len(next)], before[i]
			if moves == nil {
				for j, p := range row {
					sum += p * next[j]
				}
				beta[i] = sum
				continue
			}
			from := moves[i*k:][:len(next)]
			for j, p := range row {
				v := p * next[j]
				sum += v
				from[j] += share * v
			}
			beta[i] = sum
		}
	}
}
