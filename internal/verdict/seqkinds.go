package verdict

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/stream"
)

// Kinds of courses: every sequence is of one of a few kinds, and each kind has its own
// way from what a step shows to the next. Nothing is hidden in time, but hidden states
// describe it, with several states for every thing that steps show: who was told that
// there are six states would look for times in lives, where there are kinds of lives
// (mixtures of Markov chains, Cadez and others 2003).

const (
	mostKinds  = 6  // of courses that are tried
	kindStarts = 3  // of EM
	kindSteps  = 30 // of EM
	leastKind  = 10 // sequences a kind, on average, below which no more are tried
)

// moved is a move that a sequence makes, and how often.
type moved struct {
	from, to int
	n        float64
}

// chains are kinds of courses.
type chains struct {
	base   *predictor // the way of all
	weight []float64
	log    [][]float64 // of every kind: log chance of a move, from×to
	states int         // symbols, the begin and what was not observed
}

// moves lists the moves of every sequence; the first step comes from the begin.
func (p *predictor) moves(w *walks) [][]moved {
	out := make([][]moved, w.n())
	p.each(w, w.symbols(), func(i int, at past, s int) {
		from := at.last[0]
		for e := range out[i] {
			if m := &out[i][e]; m.from == from && m.to == s {
				m.n++
				return
			}
		}
		out[i] = append(out[i], moved{from, s, 1})
	})
	return out
}

// learnChains finds the kinds of courses with the least BIC.
func learnChains(train *walks, step *predictor) *chains {
	if train.places != nil && step.dim > kindSymbols {
		return nil
	}
	all := step.moves(train)
	used := step.ways(train.places, all)
	var best, before *chains
	low := math.Inf(1)
	for k := 2; k <= min(mostKinds, train.many()/leastKind); k++ {
		top, most := likeliestChains(train.places, step, all, k, before)
		before = top
		// Moves that nobody makes have no parameter.
		if bic := -2*most + float64(k)*used*math.Log(float64(train.many())); bic < low {
			best, low = top, bic
		} else {
			break
		}
	}
	return best
}

// ways counts the different moves that anybody makes.
func (p *predictor) ways(places *strand, all [][]moved) float64 {
	states, n := p.dim+2, 0.0
	made := make([]float64, states*states)
	for _, list := range all {
		for _, m := range list {
			made[m.from*states+m.to]++
		}
	}
	places.add(made)
	for _, v := range made {
		n += boolean(v > 0)
	}
	return n
}

// likeliestChains returns the likeliest of several starts of k kinds: sequences that lie far
// apart, or, over several places, one kind of those before cut in two.
func likeliestChains(places *strand, step *predictor, all [][]moved, k int, before *chains) (top *chains, most float64) {
	list := make([]*chains, kindStarts)
	if places != nil {
		list = make([]*chains, k-1)
	}
	logs := make([]float64, len(list))
	places.each(len(list), func(i int, own *strand) {
		if own == nil {
			list[i], logs[i] = newChains(step, all, k, fmt.Sprintf("verdict/kinds/%d/%d", k, i))
		} else {
			list[i], logs[i] = cutChains(own, step, all, before, i)
		}
	})
	most = math.Inf(-1)
	for i, c := range list {
		if logs[i] > most {
			top, most = c, logs[i]
		}
	}
	return top, most
}

// newChains takes the steps of EM from sequences that lie far apart.
func newChains(step *predictor, all [][]moved, k int, name string) (*chains, float64) {
	r := stream.New(1, name)
	c := &chains{base: step, weight: make([]float64, k), log: make([][]float64, k), states: step.dim + 2}
	share := make([][]float64, len(all))
	for i := range share {
		share[i] = make([]float64, k)
	}
	far := make([]float64, len(all)) // how badly a sequence is predicted by the kinds so far
	fill(far, math.Inf(1))
	at := r.IntN(len(all))
	for g := range k {
		for i := range share {
			share[i][g] = 0
		}
		share[at][g] = 1
		c.weight[g] = 1 / float64(k)
		c.learnKind(all, share, g)
		total := 0.0
		for i, list := range all {
			if d := c.surprise(list, g); d < far[i] {
				far[i] = d
			}
			total += far[i]
		}
		u := r.Float64() * total
		for i, d := range far {
			if u -= d; u < 0 {
				at = i
				break
			}
		}
	}
	return c, c.climb(nil, all, share)
}

// climb takes the steps of EM from the shares of sequences in kinds; it returns how likely
// the sequences are.
func (c *chains) climb(places *strand, all [][]moved, share [][]float64) float64 {
	k, last := len(c.weight), math.Inf(-1)
	for range kindSteps {
		said := make([]float64, 2+k) // log density, sequences, those of each kind
		said[1] = float64(len(all))
		for i, list := range all {
			said[0] += c.shares(list, share[i])
		}
		var tables [][]float64
		for g := range k {
			for i := range all {
				said[2+g] += share[i][g]
			}
			n, total := c.madeBy(all, share, g)
			tables = append(tables, n, total)
		}
		places.add(append(tables, said)...)
		for g := range k {
			c.weight[g] = (said[2+g] + 1) / (said[1] + float64(k))
			c.setKind(g, tables[2*g], tables[2*g+1])
		}
		if said[0]-last < enough {
			return said[0]
		}
		last = said[0]
	}
	return last
}

// kindPull is the number of moves of all sequences that each kind is given, from
// everywhere.
const kindPull = 2

// learnKind sets the chances of one kind from the moves of its sequences.
func (c *chains) learnKind(all [][]moved, share [][]float64, g int) {
	n, total := c.madeBy(all, share, g)
	c.setKind(g, n, total)
}

// madeBy counts the moves of the sequences of a kind, and those from everywhere.
func (c *chains) madeBy(all [][]moved, share [][]float64, g int) (n, total []float64) {
	n, total = make([]float64, c.states*c.states), make([]float64, c.states)
	for i, list := range all {
		if share[i][g] == 0 {
			continue
		}
		for _, m := range list {
			n[m.from*c.states+m.to] += share[i][g] * m.n
			total[m.from] += share[i][g] * m.n
		}
	}
	return n, total
}

// setKind sets the chances of one kind from the moves that were counted.
func (c *chains) setKind(g int, n, total []float64) {
	log := make([]float64, len(n))
	for from := range total {
		at := past{last: [3]int{from, c.base.dim, c.base.dim}}
		for to := range c.base.dim {
			v := (n[from*c.states+to] + kindPull*c.base.chance(at, to, len(c.base.levels)-1)) / (total[from] + kindPull)
			log[from*c.states+to] = impossible
			if v > 0 {
				log[from*c.states+to] = math.Log(v)
			}
		}
	}
	c.log[g] = log
}

// surprise is how much worse than the way of all a kind predicts a sequence, a move;
// never below zero.
func (c *chains) surprise(list []moved, g int) float64 {
	sum, n := 0.0, 0.0
	for _, m := range list {
		sum -= m.n * c.log[g][m.from*c.states+m.to]
		n += m.n
	}
	return max(sum, 0) / max(n, 1)
}

// shares sets the chance of every kind for a sequence, and returns its log density.
func (c *chains) shares(list []moved, out []float64) float64 {
	top := math.Inf(-1)
	for g := range out {
		out[g] = math.Log(c.weight[g])
		for _, m := range list {
			out[g] += m.n * c.log[g][m.from*c.states+m.to]
		}
		top = max(top, out[g])
	}
	sum := 0.0
	for g, v := range out {
		out[g] = math.Exp(v - top)
		sum += out[g]
	}
	for g := range out {
		out[g] /= sum
	}
	return top + math.Log(sum)
}

// scores returns the log density of every sequence.
func (c *chains) scores(w *walks) []float64 {
	out, share := make([]float64, w.n()), make([]float64, len(c.weight))
	for i, list := range c.base.moves(w) {
		out[i] = c.shares(list, share)
	}
	return out
}
