package oracle

import (
	"math"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/score"
)

// reachSteps returns what Markov chains reach of which the states of half of the
// sequences were known: states that show levels, and where steps are numbers states
// that show a normal law.
func reachSteps(d law.Data) map[string]float64 {
	var cells []string
	for _, sequence := range d.Steps {
		cells = append(cells, sequence...)
	}
	c := read(cells)
	reached := map[string]float64{
		"chain of levels": score.Rand(d.Group, crossedSteps(d, c.levels(), shownLevels)),
	}
	if c.numbers != nil && c.values > 2 {
		reached["chain of numbers"] = score.Rand(d.Group, crossedSteps(d, c.numbers, shownNormal))
		reached["chain of ranks"] = score.Rand(d.Group, crossedSteps(d, normalScores(c.numbers), shownNormal))
	}
	return reached
}

// emission learns what states show and returns the logarithm of the chance that a
// state shows a value.
type emission func(values []float64, state []int, states int) func(state int, value float64) float64

// crossedSteps places the steps of either half of the sequences by a chain that was
// learned from the other half.
func crossedSteps(d law.Data, values []float64, learn emission) []int {
	placed := make([]int, len(values))
	states := count(d.Group)
	for fold := range 2 {
		c := chain{moves: square(states + 1)}
		var shown []float64
		var known []int
		each(d.Steps, func(i, from, to int) {
			if i%2 == fold {
				return
			}
			shown, known = append(shown, values[from:to]...), append(known, d.Group[from:to]...)
			c.observe(d.Group[from:to])
		})
		c.normalise()
		c.shows = learn(shown, known, states)
		each(d.Steps, func(i, from, to int) {
			if i%2 == fold {
				copy(placed[from:to], c.place(values[from:to]))
			}
		})
	}
	return placed
}

// each goes through the sequences, whose steps stand one after another.
func each(sequences [][]string, visit func(i, from, to int)) {
	from := 0
	for i, s := range sequences {
		visit(i, from, from+len(s))
		from += len(s)
	}
}

// chain is a Markov chain of known states. The last row of moves is that of the
// beginning.
type chain struct {
	moves [][]float64
	shows func(state int, value float64) float64
}

// observe counts the moves of a sequence.
func (c *chain) observe(states []int) {
	now := len(c.moves) - 1
	for _, s := range states {
		c.moves[now][s]++
		now = s
	}
}

// normalise turns the counts of the moves into chances.
func (c *chain) normalise() {
	for _, row := range c.moves {
		total := 0.0
		for s := range row[:len(row)-1] {
			row[s] += 0.1
			total += row[s]
		}
		for s := range row[:len(row)-1] {
			row[s] /= total
		}
	}
}

// place returns the likeliest state of every step, given the whole sequence.
func (c *chain) place(values []float64) []int {
	states := len(c.moves) - 1
	chances, forward := make([][]float64, len(values)), make([][]float64, len(values))
	before := c.moves[states][:states]
	for t, v := range values {
		chances[t], forward[t] = c.chances(v), make([]float64, states)
		for s := range states {
			forward[t][s] = before[s] * chances[t][s]
		}
		toSumOne(forward[t])
		before = make([]float64, states)
		for s := range states {
			for next := range states {
				before[next] += forward[t][s] * c.moves[s][next]
			}
		}
	}
	return c.backward(chances, forward)
}

// backward goes back through a sequence and picks the likeliest states.
func (c *chain) backward(chances, forward [][]float64) []int {
	states := len(c.moves) - 1
	placed := make([]int, len(chances))
	after := make([]float64, states)
	for s := range after {
		after[s] = 1
	}
	for t := len(chances) - 1; t >= 0; t-- {
		both, sooner := make([]float64, states), make([]float64, states)
		for s := range states {
			both[s] = forward[t][s] * after[s]
		}
		placed[t] = best(both)
		if t == 0 {
			break
		}
		for s := range states {
			for next := range states {
				sooner[s] += c.moves[s][next] * chances[t][next] * after[next]
			}
		}
		toSumOne(sooner)
		after = sooner
	}
	return placed
}

// chances returns how likely every state shows a value, up to a factor.
func (c *chain) chances(value float64) []float64 {
	out := make([]float64, len(c.moves)-1)
	for s := range out {
		out[s] = c.shows(s, value)
	}
	most := out[best(out)]
	for s := range out {
		out[s] = math.Exp(max(out[s]-most, -500))
	}
	return out
}

// toSumOne divides by the sum.
func toSumOne(x []float64) {
	total := 0.0
	for _, v := range x {
		total += v
	}
	for i := range x {
		x[i] /= total
	}
}
