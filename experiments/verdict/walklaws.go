package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Walk is a way to draw sequences whose number of states is known.
type Walk struct {
	Name   string
	States int
	Hard   bool // the number is not promised
	draw   func(r *rand.Rand, n int) Walked
}

// Walked are sequences: a list of features for every step, numbers, or counts.
type Walked struct {
	Sets   [][][]int
	Values [][][]float64
	Counts [][][]float64
	Labels [][]int // state of every step; nil for one
	Dim    int
}

// Draw draws n sequences.
func (w Walk) Draw(seed uint64, n int) Walked {
	return w.draw(stream.New(seed, "experiments/verdict/walk/"+w.Name), n)
}

// Data returns the sequences from one number to another as fits take them, and
// the state of every step.
func (w Walked) Data(lo, hi int) (fit.Training, []int) {
	steps, labels := []int{0}, []int(nil)
	build, dense := sparse.NewBuilder(w.Dim, w.Counts == nil), []float64(nil)
	for i := lo; i < hi; i++ {
		n := 0
		if w.Values != nil {
			n = len(w.Values[i])
			for _, row := range w.Values[i] {
				dense = append(dense, row...)
			}
		} else if w.Counts != nil {
			n = len(w.Counts[i])
			for _, row := range w.Counts[i] {
				var index []uint32
				var value []float32
				for h, x := range row {
					if x > 0 {
						index, value = append(index, uint32(h)), append(value, float32(x))
					}
				}
				_ = build.Add(index, value)
			}
		} else {
			n = len(w.Sets[i])
			for _, row := range w.Sets[i] {
				index := make([]uint32, len(row))
				for e, h := range row {
					index[e] = uint32(h)
				}
				_ = build.Add(index, nil)
			}
		}
		for t := range n {
			if w.Labels == nil {
				labels = append(labels, 0)
			} else {
				labels = append(labels, w.Labels[i][t])
			}
		}
		steps = append(steps, steps[len(steps)-1]+n)
	}
	rows, kind := build.Rows(), record.Presence
	if w.Values != nil {
		rows, kind = sparse.Rows{Dim: w.Dim, Dense: dense}, record.Real
	} else if w.Counts != nil {
		kind = record.Counts
	}
	return fit.Training{
		Run: pass.NewSequences(rows, steps, 1), Vocab: vocab.Numbered(w.Dim), Kind: kind,
		Sequences: true, Fingerprint: "generated",
	}, labels
}

// length of a sequence.
func length(r *rand.Rand) int { return 10 + r.IntN(21) }

// symbolWalk draws one symbol a step; next is called step by step.
func symbolWalk(r *rand.Rand, n, d int, begin func() func(t int) (symbol, state int)) Walked {
	out := Walked{Dim: d}
	for range n {
		next := begin()
		var s [][]int
		var l []int
		for t := range length(r) {
			symbol, state := next(t)
			s, l = append(s, []int{symbol}), append(l, state)
		}
		out.Sets, out.Labels = append(out.Sets, s), append(out.Labels, l)
	}
	return out
}

// setWalk draws a set a step with chances p(state, feature).
func setWalk(r *rand.Rand, n, d int, begin func() func(t int, before []int) (chance func(h int) float64, state int)) Walked {
	out := Walked{Dim: d}
	for range n {
		next := begin()
		var s [][]int
		var l []int
		var before []int
		for t := range length(r) {
			chance, state := next(t, before)
			var set []int
			for h := range d {
				if r.Float64() < chance(h) {
					set = append(set, h)
				}
			}
			before = set
			s, l = append(s, set), append(l, state)
		}
		out.Sets, out.Labels = append(out.Sets, s), append(out.Labels, l)
	}
	return out
}

func valueWalk(r *rand.Rand, n, d int, begin func() func(t int, before []float64) ([]float64, int)) Walked {
	out := Walked{Dim: d}
	for range n {
		next := begin()
		var s [][]float64
		var l []int
		var before []float64
		for t := range length(r) {
			row, state := next(t, before)
			before = row
			s, l = append(s, row), append(l, state)
		}
		out.Values, out.Labels = append(out.Values, s), append(out.Labels, l)
	}
	return out
}

// chainOf draws moves between k states that stay with about that chance.
func chainOf(r *rand.Rand, k int, stay float64) func() func() int {
	moves := make([][]float64, k)
	for i := range moves {
		moves[i] = dirichlet(r, 1, k)
		for j := range moves[i] {
			moves[i][j] *= 1 - stay
		}
		moves[i][i] += stay
	}
	first := dirichlet(r, 3, k)
	return func() func() int {
		now := -1
		return func() int {
			if now < 0 {
				now = pick(r, first)
			} else {
				now = pick(r, moves[now])
			}
			return now
		}
	}
}

// apart draws k laws of d symbols that differ: each favours its own part.
func apart(r *rand.Rand, k, d int, own float64) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = dirichlet(r, 1, d)
		mine := 0.0
		for h := range d {
			if h%k == j {
				mine += out[j][h] + .05
			}
		}
		for h := range d {
			v := out[j][h] * (1 - own)
			if h%k == j {
				v += own * (out[j][h] + .05) / mine
			}
			out[j][h] = v
		}
		total := 0.0
		for _, v := range out[j] {
			total += v
		}
		for h := range out[j] {
			out[j][h] /= total
		}
	}
	return out
}

// Walks returns the laws of sequences.
func Walks() []Walk {
	list := append(walkSingles(), setSingles()...)
	list = append(list, valueSingles()...)
	list = append(append(list, symbolStates()...), kindWalks()...)
	return append(append(list, setStates()...), valueStates()...)
}

func walkSingles() []Walk {
	return []Walk{
		{Name: "symbols, independent", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := dirichlet(r, 1, 8)
			return symbolWalk(r, n, 8, func() func(int) (int, int) { return func(int) (int, int) { return pick(r, p), 0 } })
		}},
		{Name: "symbols, own level", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return symbolWalk(r, n, 6, func() func(int) (int, int) {
				p := dirichlet(r, 1, 6)
				return func(int) (int, int) { return pick(r, p), 0 }
			})
		}},
		{Name: "symbols, drift", States: 1, draw: func(r *rand.Rand, n int) Walked {
			a, b := dirichlet(r, 1, 6), dirichlet(r, 1, 6)
			return symbolWalk(r, n, 6, func() func(int) (int, int) {
				return func(t int) (int, int) {
					x := float64(t) / 30
					if r.Float64() < x {
						return pick(r, b), 0
					}
					return pick(r, a), 0
				}
			})
		}},
		{Name: "symbols, many and rare", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := dirichlet(r, .3, 60)
			return symbolWalk(r, n, 60, func() func(int) (int, int) { return func(int) (int, int) { return pick(r, p), 0 } })
		}},
	}
}

func setSingles() []Walk {
	level := func(p []float64, z float64) func(int) float64 {
		return func(h int) float64 { return logistic(logit(p[h]) + z) }
	}
	return []Walk{
		{Name: "sets, independent", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := uniform(r, .05, .4, 20)
			return setWalk(r, n, 20, func() func(int, []int) (func(int) float64, int) {
				return func(int, []int) (func(int) float64, int) { return level(p, 0), 0 }
			})
		}},
		{Name: "sets, own amount", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := uniform(r, .05, .4, 20)
			return setWalk(r, n, 20, func() func(int, []int) (func(int) float64, int) {
				z := r.NormFloat64()
				return func(int, []int) (func(int) float64, int) { return level(p, z), 0 }
			})
		}},
		{Name: "sets, codes come again", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := uniform(r, .05, .4, 20)
			return setWalk(r, n, 20, func() func(int, []int) (func(int) float64, int) {
				return func(_ int, before []int) (func(int) float64, int) {
					in := map[int]bool{}
					for _, h := range before {
						in[h] = true
					}
					return func(h int) float64 {
						if in[h] {
							return .6
						}
						return p[h] * .6
					}, 0
				}
			})
		}},
		{Name: "sets, kinds without memory", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := [2][]float64{uniform(r, .05, .7, 20), uniform(r, .05, .7, 20)}
			return setWalk(r, n, 20, func() func(int, []int) (func(int) float64, int) {
				return func(int, []int) (func(int) float64, int) { return level(p[r.IntN(2)], 0), 0 }
			})
		}},
		{Name: "sets, amount of each step", States: 1, draw: func(r *rand.Rand, n int) Walked {
			p := uniform(r, .05, .4, 20)
			return setWalk(r, n, 20, func() func(int, []int) (func(int) float64, int) {
				return func(int, []int) (func(int) float64, int) { return level(p, r.NormFloat64()), 0 }
			})
		}},
	}
}

func valueSingles() []Walk {
	noise := func(r *rand.Rand, d int) []float64 { return normal(r, 0, 1, d) }
	return []Walk{
		{Name: "numbers, independent", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
				return func(int, []float64) ([]float64, int) { return noise(r, 3), 0 }
			})
		}},
		{Name: "numbers, correlated", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
				return func(int, []float64) ([]float64, int) {
					f := 2 * r.NormFloat64()
					x := noise(r, 3)
					for h := range x {
						x[h] += f
					}
					return x, 0
				}
			})
		}},
		{Name: "numbers, little by little", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
				return func(_ int, before []float64) ([]float64, int) {
					x := noise(r, 2)
					for h := range x {
						if before != nil {
							x[h] = .8*before[h] + .6*x[h]
						}
					}
					return x, 0
				}
			})
		}},
		{Name: "numbers, own level", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
				u := normal(r, 0, 2, 2)
				return func(int, []float64) ([]float64, int) {
					x := noise(r, 2)
					return []float64{x[0] + u[0], x[1] + u[1]}, 0
				}
			})
		}},
		{Name: "numbers, heavy tails", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
				return func(int, []float64) ([]float64, int) {
					g := math.Sqrt(gamma(r, 1.5) / 1.5)
					x := noise(r, 2)
					return []float64{x[0] / g, x[1] / g}, 0
				}
			})
		}},
		{Name: "numbers, kinds without memory", States: 1, draw: func(r *rand.Rand, n int) Walked {
			return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
				return func(int, []float64) ([]float64, int) {
					x, at := noise(r, 2), 5*float64(r.IntN(2))
					return []float64{x[0] + at, x[1]}, 0
				}
			})
		}},
	}
}

func symbolStates() []Walk {
	hmm := func(name string, k, d int, stay, own float64, hard bool) Walk {
		return Walk{Name: name, States: k, Hard: hard, draw: func(r *rand.Rand, n int) Walked {
			law, chain := apart(r, k, d, own), chainOf(r, k, stay)
			return symbolWalk(r, n, d, func() func(int) (int, int) {
				next := chain()
				return func(int) (int, int) { j := next(); return pick(r, law[j]), j }
			})
		}}
	}
	return []Walk{
		hmm("symbols, 2 states", 2, 8, .8, .8, false),
		hmm("symbols, 3 states", 3, 9, .8, .85, false),
		hmm("symbols, 4 states", 4, 12, .85, .9, false),
		hmm("symbols, 5 states", 5, 15, .85, .9, true),
		hmm("symbols, 2 states that overlap", 2, 8, .7, .5, true),
		{Name: "symbols, kinds of sequences", States: 2, draw: func(r *rand.Rand, n int) Walked {
			law := apart(r, 2, 8, .6)
			return symbolWalk(r, n, 8, func() func(int) (int, int) {
				j := r.IntN(2)
				return func(int) (int, int) { return pick(r, law[j]), j }
			})
		}},
		{Name: "symbols, a chain that is seen", States: 4, draw: func(r *rand.Rand, n int) Walked {
			chain := chainOf(r, 4, .5)
			return symbolWalk(r, n, 4, func() func(int) (int, int) {
				next := chain()
				return func(int) (int, int) { j := next(); return j, j }
			})
		}},
		{Name: "symbols, memory of two steps", States: 3, draw: func(r *rand.Rand, n int) Walked {
			var to [4][4][]float64
			for a := range to {
				for b := range to[a] {
					to[a][b] = dirichlet(r, .5, 3)
				}
			}
			return symbolWalk(r, n, 3, func() func(int) (int, int) {
				a, b := 3, 3
				return func(int) (int, int) {
					s := pick(r, to[a][b])
					a, b = b, s
					return s, s
				}
			})
		}},
	}
}

func setStates() []Walk {
	hmm := func(name string, k, d int, stay, spread float64, hard bool) Walk {
		return Walk{Name: name, States: k, Hard: hard, draw: func(r *rand.Rand, n int) Walked {
			base, chain := uniform(r, -2.5, -.5, d), chainOf(r, k, stay)
			law := make([][]float64, k)
			for j := range law {
				law[j] = normal(r, 0, spread, d)
			}
			return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
				next := chain()
				return func(int, []int) (func(int) float64, int) {
					j := next()
					return func(h int) float64 { return logistic(base[h] + law[j][h]) }, j
				}
			})
		}}
	}
	return []Walk{
		hmm("sets, 2 states", 2, 20, .8, 1.5, false),
		hmm("sets, 3 states", 3, 20, .8, 1.5, false),
		hmm("sets, 4 states", 4, 30, .85, 1.5, false),
		hmm("sets, 2 states that overlap", 2, 12, .7, .7, true),
	}
}

func valueStates() []Walk {
	hmm := func(name string, k, d int, stay, apart float64, hard bool) Walk {
		return Walk{Name: name, States: k, Hard: hard, draw: func(r *rand.Rand, n int) Walked {
			chain, at := chainOf(r, k, stay), make([][]float64, k)
			for j := range at {
				at[j] = make([]float64, d)
				for h := range at[j] {
					at[j][h] = r.NormFloat64()
				}
				at[j][j%d] += apart * float64(1+j/d)
			}
			return valueWalk(r, n, d, func() func(int, []float64) ([]float64, int) {
				next := chain()
				return func(int, []float64) ([]float64, int) {
					j := next()
					x := normal(r, 0, 1, d)
					for h := range x {
						x[h] += at[j][h]
					}
					return x, j
				}
			})
		}}
	}
	return []Walk{
		hmm("numbers, 2 states", 2, 3, .8, 5, false),
		hmm("numbers, 3 states", 3, 3, .8, 5, false),
		hmm("numbers, 4 states", 4, 4, .85, 6, false),
		hmm("numbers, 2 states that overlap", 2, 2, .8, 1.5, true),
	}
}

// kindWalks are sequences of a few kinds, each with its own way from symbol to symbol:
// nothing is hidden in time, and every symbol is a state.
func kindWalks() []Walk {
	kinds := func(k, d int, own float64) func(r *rand.Rand, n int) Walked {
		return func(r *rand.Rand, n int) Walked {
			ways := make([][][]float64, k)
			for g := range ways {
				for range d {
					ways[g] = append(ways[g], dirichlet(r, own, d))
				}
			}
			return symbolWalk(r, n, d, func() func(int) (int, int) {
				way, now := ways[r.IntN(k)], r.IntN(d)
				return func(t int) (int, int) {
					if t > 0 {
						now = pick(r, way[now])
					}
					return now, now
				}
			})
		}
	}
	return []Walk{
		{Name: "symbols, 2 kinds of chains", States: 4, draw: kinds(2, 4, .7)},
		{Name: "symbols, 3 kinds of chains", States: 6, draw: kinds(3, 6, .7)},
		{Name: "symbols, 4 kinds of chains, faint", States: 5, draw: kinds(4, 5, 2)},
		{Name: "symbols, one kept for good by each", States: 5, draw: func(r *rand.Rand, n int) Walked {
			return symbolWalk(r, n, 5, func() func(int) (int, int) {
				mine := r.IntN(5)
				return func(int) (int, int) {
					if r.Float64() < .15 {
						s := r.IntN(5)
						return s, s
					}
					return mine, mine
				}
			})
		}},
	}
}
