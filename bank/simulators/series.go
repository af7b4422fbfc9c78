package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// seriesLaws are hidden Markov designs, and series of a single state.
func seriesLaws() []law.Law {
	return []law.Law{
		{
			Name: "gaussian hidden markov", Kind: law.Sequences, Groups: 3,
			About: "Three states with normal emissions (Rabiner 1989; the examples of hmmlearn).",
			Draw:  drawGaussianStates,
		},
		{
			Name: "symbols of hidden states", Kind: law.Sequences, Groups: 3,
			About: "Three states with multinomial emissions (Rabiner 1989; Visser and Speekenbrink 2010, depmixS4).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawSymbolStates(r, n, 3, 0.88, 0.95, 0.85)
			},
		},
		{
			Name: "two faint states", Kind: law.Sequences, Groups: 2,
			About: "Stretches of two compositions of nucleotides, as isochores or islands (Churchill 1989; Durbin et al. 1998).",
			Draw:  drawIsochores,
		},
		{
			Name: "hidden semi-markov counts", Kind: law.Sequences, Groups: 3,
			About: "Poisson counts in three states with negative binomial sojourns (Guédon 2003; Bulla, Bulla and Nenadić 2010).",
			Draw:  drawSemiMarkovCounts,
		},
		{
			Name: "fast guesses", Kind: law.Sequences, Groups: 2,
			About: "Logarithms of response times that switch between guessing and controlled answers (Dutilh et al. 2011; speed data of depmixS4).",
			Draw:  drawFastGuesses,
		},
		{
			Name: "rare states", Kind: law.Sequences, Groups: 3,
			About: "States that hold 90, 8 and 2 percent of the steps (Rabiner 1989; Zucchini, MacDonald and Langrock 2016).",
			Draw:  drawRareStates,
		},
		{
			Name: "switching autoregression", Kind: law.Sequences, Groups: 2,
			About: "Autoregression whose mean and spread switch by a hidden chain (Hamilton 1989).",
			Draw:  drawSwitching,
		},
		{
			Name: "autoregression", Kind: law.Sequences, Groups: 1,
			About: "One stationary first or second order autoregression (Box and Jenkins 1970).",
			Draw:  drawAutoregression,
		},
		{
			Name: "stochastic volatility", Kind: law.Sequences, Groups: 1,
			About: "Returns whose log-variance is a continuous autoregression (Taylor 1986).",
			Draw:  drawVolatility,
		},
		{
			Name: "seasons and levels", Kind: law.Sequences, Groups: 1,
			About: "A smooth season about a level of each series' own, with autocorrelated noise (Harvey 1989; Diggle 1990).",
			Draw:  drawSeasons,
		},
		{
			Name: "integer autoregression", Kind: law.Sequences, Groups: 1,
			About: "Counts by binomial thinning and Poisson arrivals (Al-Osh and Alzaid 1987, INAR).",
			Draw:  drawThinning,
		},
		{
			Name: "discrete autoregression", Kind: law.Sequences, Groups: 1,
			About: "Symbols that at times repeat the one before and else come from one distribution (Jacobs and Lewis 1978, DAR).",
			Draw:  drawRepeats,
		},
		{
			Name: "renewal events", Kind: law.Sequences, Groups: 1,
			About: "Events with gaps of one under-dispersed distribution: a semi-Markov series of a single state (Cox 1962; Barbu and Limnios 2008).",
			Draw:  drawRenewals,
		},
		{
			Name: "personal mixes of symbols", Kind: law.Sequences, Groups: 1,
			About: "Symbols drawn without order from each series' own Dirichlet mix (Mosimann 1962; Minka 2000).",
			Draw:  drawPersonalMixes,
		},
	}
}

// chain is a hidden Markov chain.
type chain struct {
	start []float64
	move  matrix
}

// stickyChain stays in a state with a chance between lo and hi.
func stickyChain(r *rand.Rand, k int, lo, hi float64) chain {
	c := chain{start: even(k), move: zeros(k, k)}
	for s := range k {
		stay := uniform(r, lo, hi)
		away := dirichlet(r, symmetric(max(1, k-1), 3))
		for t, a := 0, 0; t < k; t++ {
			if t == s {
				c.move[s][t] = stay
				continue
			}
			c.move[s][t] = (1 - stay) * away[a]
			a++
		}
	}
	return c
}

// run draws the states of a series.
func (c chain) run(r *rand.Rand, steps int) []int {
	states := make([]int, steps)
	s := categorical(r, c.start)
	for t := range states {
		states[t] = s
		s = categorical(r, c.move[s])
	}
	return states
}

// seriesLength draws the number of steps.
func seriesLength(r *rand.Rand) int { return between(r, 20, 60) }

// emit draws n series: the states of each, then what they show.
func emit(r *rand.Rand, n int, states func(steps int) []int, show func(states []int) []string) law.Data {
	data := law.Data{Steps: make([][]string, n)}
	for i := range data.Steps {
		path := states(seriesLength(r))
		data.Steps[i] = show(path)
		data.Group = append(data.Group, path...)
	}
	return data
}

// single draws n series of one state.
func single(r *rand.Rand, n int, show func(steps int) []string) law.Data {
	data := law.Data{Steps: make([][]string, n)}
	for i := range data.Steps {
		data.Steps[i] = show(seriesLength(r))
	}
	return data
}

// numbers writes a series of real numbers.
func numbers(x []float64, decimals int) []string {
	list := make([]string, len(x))
	for t := range x {
		list[t] = fixed(x[t], decimals)
	}
	return list
}

func drawGaussianStates(r *rand.Rand, n int) law.Data {
	c := stickyChain(r, 3, 0.8, 0.95)
	mean, sd := make([]float64, 3), uniforms(r, 3, 0.6, 1.2)
	level := uniform(r, -5, 20)
	for s, place := range r.Perm(3) {
		mean[s] = level + float64(place)*uniform(r, 3.6, 4.4)
	}
	return emit(r, n, func(steps int) []int { return c.run(r, steps) }, func(states []int) []string {
		x := make([]float64, len(states))
		for t, s := range states {
			x[t] = normal(r, mean[s], sd[s])
		}
		return numbers(x, 2)
	})
}

// symbolSet draws m symbols of one look.
func symbolSet(r *rand.Rand, m int) []string {
	switch r.IntN(4) {
	case 0:
		return []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}[:m]
	case 1:
		return []string{"home", "search", "product", "cart", "help", "account", "pay", "news", "exit"}[:m]
	case 2:
		return []string{"rest", "feed", "walk", "groom", "call", "fly", "dig", "watch", "play"}[:m]
	default:
		return words(r, m)
	}
}

// drawSymbolStates gives each state its own favoured symbols, with the given part of
// its emissions on them.
func drawSymbolStates(r *rand.Rand, n, k int, stayLo, stayHi, focus float64) law.Data {
	c := stickyChain(r, k, stayLo, stayHi)
	m := between(r, 2*k, 9)
	symbols := symbolSet(r, m)
	show := make([]sampler, k)
	for s := range show {
		w := scaled(dirichlet(r, symmetric(m, 2)), 1-focus)
		own := dirichlet(r, symmetric(m/k, 3))
		for a := range own {
			w[s+a*k] += focus * own[a]
		}
		show[s] = newSampler(w)
	}
	return emit(r, n, func(steps int) []int { return c.run(r, steps) }, func(states []int) []string {
		list := make([]string, len(states))
		for t, s := range states {
			list[t] = symbols[show[s].draw(r)]
		}
		return list
	})
}

func drawIsochores(r *rand.Rand, n int) law.Data {
	c := stickyChain(r, 2, 0.93, 0.97)
	rich := uniform(r, 0.68, 0.82)
	poor := uniform(r, 0.22, 0.36)
	return emit(r, n, func(steps int) []int { return c.run(r, steps) }, func(states []int) []string {
		list := make([]string, len(states))
		for t, s := range states {
			list[t] = choose(r, "A", "T")
			if bernoulli(r, []float64{rich, poor}[s]) {
				list[t] = choose(r, "C", "G")
			}
		}
		return list
	})
}

func drawSemiMarkovCounts(r *rand.Rand, n int) law.Data {
	mean := []float64{uniform(r, 0.3, 1), uniform(r, 5, 7), uniform(r, 18, 26)}
	sojourn := uniforms(r, 3, 5, 11)
	size := uniform(r, 2, 6)
	away := dirichlet(r, symmetric(2, 5))
	states := func(steps int) []int {
		path := make([]int, 0, steps+60)
		s := r.IntN(3)
		skip := r.IntN(4) // the first sojourn began before the series
		for len(path) < steps {
			for range max(1, 1+negBinomial(r, sojourn[s]-1, size)-skip) {
				path = append(path, s)
			}
			skip = 0
			s = (s + 1 + categorical(r, away)) % 3
		}
		return path[:steps]
	}
	return emit(r, n, states, func(path []int) []string {
		list := make([]string, len(path))
		for t, s := range path {
			list[t] = whole(poisson(r, mean[s]))
		}
		return list
	})
}

func drawFastGuesses(r *rand.Rand, n int) law.Data {
	c := stickyChain(r, 2, 0.85, 0.94)
	mean := []float64{uniform(r, 5.3, 5.6), uniform(r, 6.1, 6.5)}
	sd := []float64{uniform(r, 0.15, 0.22), uniform(r, 0.22, 0.3)}
	return emit(r, n, func(steps int) []int { return c.run(r, steps) }, func(states []int) []string {
		x := make([]float64, len(states))
		for t, s := range states {
			x[t] = normal(r, mean[s], sd[s])
		}
		return numbers(x, 3)
	})
}

// drawRareStates returns to the common state at rates that keep the wanted shares.
func drawRareStates(r *rand.Rand, n int) law.Data {
	leave, third := uniform(r, 0.12, 0.2), uniform(r, 0.12, 0.2)
	toSecond, toThird := leave*0.08/0.90, third*0.02/0.90
	c := chain{start: steep(), move: matrix{
		{1 - toSecond - toThird, toSecond, toThird},
		{leave, 1 - leave, 0},
		{third, 0, 1 - third},
	}}
	base := uniform(r, 30, 80)
	mean := []float64{base, base + uniform(r, 11, 14), base - uniform(r, 12, 15)}
	sd := []float64{uniform(r, 2, 3), uniform(r, 2, 3), uniform(r, 2, 3)}
	return emit(r, n, func(steps int) []int { return c.run(r, steps) }, func(states []int) []string {
		x := make([]float64, len(states))
		for t, s := range states {
			x[t] = normal(r, mean[s], sd[s])
		}
		return numbers(x, 1)
	})
}

func drawSwitching(r *rand.Rand, n int) law.Data {
	c := stickyChain(r, 2, 0.9, 0.96)
	mean := []float64{uniform(r, -1.6, -1), uniform(r, 1, 1.5)}
	sd := []float64{uniform(r, 0.9, 1.2), uniform(r, 0.5, 0.8)}
	phi := uniform(r, 0.2, 0.45)
	return emit(r, n, func(steps int) []int { return c.run(r, steps) }, func(states []int) []string {
		x := make([]float64, len(states))
		off := r.NormFloat64() * sd[states[0]]
		for t, s := range states {
			off = phi*off + normal(r, 0, sd[s])
			x[t] = mean[s] + off
		}
		return numbers(x, 2)
	})
}

func drawAutoregression(r *rand.Rand, n int) law.Data {
	phi, second := uniform(r, 0.5, 0.92), 0.0
	if r.IntN(3) == 0 {
		phi, second = uniform(r, 0.8, 1.1), uniform(r, -0.5, -0.2)
	}
	mean, sd := uniform(r, -10, 60), logNormal(r, 0.5, 0.5)
	return single(r, n, func(steps int) []string {
		x := make([]float64, steps)
		a, b := 0.0, 0.0
		for t := -100; t < steps; t++ {
			a, b = phi*a+second*b+sd*r.NormFloat64(), a
			if t >= 0 {
				x[t] = mean + a
			}
		}
		return numbers(x, 2)
	})
}

func drawVolatility(r *rand.Rand, n int) law.Data {
	phi, sd := uniform(r, 0.85, 0.97), uniform(r, 0.2, 0.45)
	scale := uniform(r, 0.5, 2)
	return single(r, n, func(steps int) []string {
		x := make([]float64, steps)
		h := r.NormFloat64() * sd / math.Sqrt(1-phi*phi)
		for t := range x {
			h = phi*h + sd*r.NormFloat64()
			x[t] = scale * math.Exp(h/2) * r.NormFloat64()
		}
		return numbers(x, 3)
	})
}

func drawSeasons(r *rand.Rand, n int) law.Data {
	period := float64(between(r, 7, 24))
	height, phi := uniform(r, 1, 3), uniform(r, 0.2, 0.6)
	spreadOfLevels := uniform(r, 0.5, 2)
	level := uniform(r, 5, 40)
	return single(r, n, func(steps int) []string {
		x := make([]float64, steps)
		own, phase := normal(r, level, spreadOfLevels), uniform(r, 0, 2*math.Pi)
		noise := r.NormFloat64()
		for t := range x {
			noise = phi*noise + math.Sqrt(1-phi*phi)*r.NormFloat64()
			x[t] = own + height*math.Sin(2*math.Pi*float64(t)/period+phase) + noise
		}
		return numbers(x, 2)
	})
}

func drawThinning(r *rand.Rand, n int) law.Data {
	keep, mean := uniform(r, 0.4, 0.85), uniform(r, 2, 9)
	return single(r, n, func(steps int) []string {
		list := make([]string, steps)
		x := poisson(r, mean)
		for t := range list {
			x = binomial(r, x, keep) + poisson(r, mean*(1-keep))
			list[t] = whole(x)
		}
		return list
	})
}

func drawRepeats(r *rand.Rand, n int) law.Data {
	m := between(r, 4, 8)
	symbols := symbolSet(r, m)
	share := newSampler(dirichlet(r, symmetric(m, 2)))
	again := uniform(r, 0.2, 0.5)
	return single(r, n, func(steps int) []string {
		list := make([]string, steps)
		at := share.draw(r)
		for t := range list {
			if !bernoulli(r, again) {
				at = share.draw(r)
			}
			list[t] = symbols[at]
		}
		return list
	})
}

func drawRenewals(r *rand.Rand, n int) law.Data {
	shape, gap := uniform(r, 2, 6), uniform(r, 3, 8)
	names := [][]string{{"0", "1"}, {"quiet", "event"}, {".", "x"}}[r.IntN(3)]
	return single(r, n, func(steps int) []string {
		list := make([]string, steps)
		next := uniform(r, 0, gap)
		for t := range list {
			list[t] = names[0]
			if float64(t) >= next {
				list[t] = names[1]
				next = float64(t) + math.Max(1, gamma(r, shape, gap/shape))
			}
		}
		return list
	})
}

func drawPersonalMixes(r *rand.Rand, n int) law.Data {
	m := between(r, 4, 9)
	symbols := symbolSet(r, m)
	alpha := uniforms(r, m, 0.8, 4)
	return single(r, n, func(steps int) []string {
		mix := newSampler(dirichlet(r, alpha))
		list := make([]string, steps)
		for t := range list {
			list[t] = symbols[mix.draw(r)]
		}
		return list
	})
}
