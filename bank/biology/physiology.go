package biology

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// physiology are the laws of sequences: of neuroscience, physiology, animal behaviour
// and the bases along a chromosome.
func physiology() []law.Law {
	return []law.Law{
		{
			Name: "heart period memory", Kind: law.Sequences, Groups: 1,
			About: "Beat-to-beat intervals with long memory (Kobayashi and Musha 1982, 1/f noise): a person's level and sums of autoregressive processes of several time scales, no states.",
			Draw:  heartPeriod,
		},
		{
			Name: "correlated walk steps", Kind: law.Sequences, Groups: 1,
			About: "Step lengths of an animal on a correlated random walk (Kareiva and Shigesada 1983): gamma steps about a speed that changes as a stationary lognormal process.",
			Draw:  correlatedWalk,
		},
		{
			Name: "circadian activity counts", Kind: law.Sequences, Groups: 1,
			About: "Hourly actigraphy (Witting et al. 1990): negative binomial counts about a smooth daily wave, persons differ continuously in phase, level and amplitude.",
			Draw:  circadianActivity,
		},
		{
			Name: "base composition", Kind: law.Sequences, Groups: 1,
			About: "Bases drawn independently along fragments whose composition differs continuously (Sueoka 1962): a Dirichlet of every fragment, no segments within.",
			Draw:  baseComposition,
		},
		{
			Name: "graded arousal letters", Kind: law.Sequences, Groups: 1,
			About: "Arousal as an Ornstein-Uhlenbeck process (Ricciardi and Sacerdote 1979; Ogilvie 2001, sleep onset as a continuum) scored in five letters with a scorer's noise.",
			Draw:  gradedArousal,
		},
		{
			Name: "glucose by sensor", Kind: law.Sequences, Groups: 1,
			About: "Glucose by a sensor every quarter of an hour (Breton and Kovatchev 2008): a damped second-order process on the logarithm about a person's own level, and sensor noise.",
			Draw:  sensorGlucose,
		},
		{
			Name: "spike counts with gain", Kind: law.Sequences, Groups: 1,
			About: "Spike counts of one neuron by trial (Goris, Movshon and Simoncelli 2014): Poisson with a gain that wanders continuously, neurons differ in rate.",
			Draw:  gainedSpikes,
		},
		{
			Name: "ion channel two states", Kind: law.Sequences, Groups: 2,
			About: "Current of one ion channel (Colquhoun and Hawkes 1981): closed and open with exponential dwell times and Gaussian noise of the amplifier.",
			Draw:  ionChannel,
		},
		{
			Name: "channel subconductance", Kind: law.Sequences, Groups: 3,
			About: "A channel with a subconductance level (Chung et al. 1990): closed, partly open and open, with excess noise when open.",
			Draw:  subconductance,
		},
		{
			Name: "sleep stage codes", Kind: law.Sequences, Groups: 4,
			About: "Sleep stages by epoch (Rechtschaffen and Kales 1968; Kemp and Kamphuisen 1986 as a Markov chain): wake, light, deep and dreaming sleep show codes of graphoelements.",
			Draw:  sleepStages,
		},
		{
			Name: "behaviour bouts", Kind: law.Sequences, Groups: 3,
			About: "An ethogram as a hidden Markov chain of moods (Zucchini, Raubenheimer and MacDonald 2008): foraging, social and resting bouts show acts out of a common repertoire.",
			Draw:  behaviourBouts,
		},
		{
			Name: "rest walk run heart rate", Kind: law.Sequences, Groups: 3,
			About: "Heart rate by minute at rest, walking and running (Achten and Jeukendrup 2003): levels of activity, autoregressive wander and a person's own base.",
			Draw:  heartRateActivity,
		},
		{
			Name: "copy number segments", Kind: law.Sequences, Groups: 3,
			About: "Array log ratios along tumour chromosomes (Fridlyand et al. 2004): mostly neutral probes with segments of gain (10 percent) and loss (5 percent).",
			Draw:  copyNumber,
		},
		{
			Name: "movement modes hard", Kind: law.Sequences, Groups: 2,
			About: "Encamped and exploratory movement (Morales et al. 2004): Weibull step lengths of two overlapping scales with persistent modes.",
			Draw:  movementModes,
		},
		{
			Name: "cortical spike states hard", Kind: law.Sequences, Groups: 4,
			About: "Ensemble states of gustatory cortex (Jones et al. 2007): in each bin one unit fires or none, with rates that depend on the state.",
			Draw:  corticalStates,
		},
		{
			Name: "isochore bases very hard", Kind: law.Sequences, Groups: 2,
			About: "Bases with rich and poor stretches of G and C (Churchill 1989): two states of weak contrast, nearly lost in single bases.",
			Draw:  isochores,
		},
	}
}

// chain is a hidden Markov chain of states.
type chain struct {
	start []float64
	move  [][]float64
}

// resting is a chain that keeps its state for about dwell[g] steps before it takes
// another in proportion to share.
func resting(share, dwell []float64) chain {
	k := len(share)
	move := matrix(k, k)
	for g := range k {
		rest := 0.0
		for h := range k {
			if h != g {
				rest += share[h]
			}
		}
		for h := range k {
			move[g][h] = share[h] / rest / dwell[g]
		}
		move[g][g] = 1 - 1/dwell[g]
	}
	return settled(move)
}

// settled is the chain of these moves that starts from its stationary shares.
func settled(move [][]float64) chain {
	k := len(move)
	p := even(k)
	for range 2000 {
		next := make([]float64, k)
		for g := range k {
			for h := range k {
				next[h] += p[g] * move[g][h]
			}
		}
		p = next
	}
	return chain{p, move}
}

// walk draws the states of a sequence.
func (c chain) walk(r *rand.Rand, steps int) []int {
	out := make([]int, steps)
	for t := range out {
		if t == 0 {
			out[t] = categorical(r, c.start)
		} else {
			out[t] = categorical(r, c.move[out[t-1]])
		}
	}
	return out
}

// lengths draws how long sequences are: all alike, or each its own length.
func lengths(r *rand.Rand) func() int {
	if chance(r, 0.4) {
		all := between(r, 30, 60)
		return func() int { return all }
	}
	lo := between(r, 20, 30)
	return func() int { return between(r, lo, 60) }
}

// hiddenData draws n sequences of a hidden chain; show gives the cells of a sequence
// of states.
func hiddenData(r *rand.Rand, n int, c chain, show func(states []int) []string) law.Data {
	long := lengths(r)
	data := law.Data{Steps: make([][]string, n)}
	for i := range n {
		states := c.walk(r, long())
		data.Steps[i] = show(states)
		data.Group = append(data.Group, states...)
	}
	return data
}

// autoregressive is a stationary process of unit variance with correlation keep.
func autoregressive(r *rand.Rand, steps int, keep float64) []float64 {
	x := r.NormFloat64()
	return rows(steps, func(int) float64 {
		x = keep*x + math.Sqrt(1-keep*keep)*r.NormFloat64()
		return x
	})
}

func heartPeriod(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	level, between, within := uniform(r, 780, 920), uniform(r, 40, 110), uniform(r, 25, 50)
	keeps := []float64{0, 0.5, 0.85, 0.96}
	weight := dirichlet(r, []float64{4, 4, 4, 4})
	return law.Data{Steps: rows(n, func(int) []string {
		steps := long()
		own, spread := normal(r, level, between), within*lognormal(r, 1, 0.25)
		total := make([]float64, steps)
		for k, keep := range keeps {
			for t, x := range autoregressive(r, steps, keep) {
				total[t] += math.Sqrt(weight[k]) * x
			}
		}
		return rows(steps, func(t int) string { return decimal(own+spread*total[t], 0) })
	})}
}

func correlatedWalk(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	median, sd, keep := lognormal(r, 120, 0.5), uniform(r, 0.4, 0.9), uniform(r, 0.6, 0.9)
	shape := uniform(r, 1.5, 4)
	return law.Data{Steps: rows(n, func(int) []string {
		speed := autoregressive(r, long(), keep)
		own := lognormal(r, median, 0.2)
		return rows(len(speed), func(t int) string {
			return decimal(gamma(r, shape, own*math.Exp(sd*speed[t])/shape), 1)
		})
	})}
}

func circadianActivity(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	level, swing, size := uniform(r, 3, 4.2), uniform(r, 0.6, 1.4), uniform(r, 1.2, 3)
	return law.Data{Steps: rows(n, func(int) []string {
		begin, own, amplitude := uniform(r, 0, 24), normal(r, level, 0.25), swing*lognormal(r, 1, 0.2)
		return rows(long(), func(t int) string {
			hour := begin + float64(t)
			return decimal(float64(negbin(r, math.Exp(own+amplitude*math.Cos(math.Pi*hour/12)), size)), 0)
		})
	})}
}

func baseComposition(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	bases := []string{"A", "C", "G", "T"}
	precision := uniform(r, 15, 60)
	content := uniform(r, 0.38, 0.6)
	alpha := []float64{(1 - content) / 2 * precision, content / 2 * precision, content / 2 * precision, (1 - content) / 2 * precision}
	return law.Data{Steps: rows(n, func(int) []string {
		share := dirichlet(r, alpha)
		return rows(long(), func(int) string { return bases[categorical(r, share)] })
	})}
}

func gradedArousal(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	letters := []string{"a", "b", "c", "d", "e"}
	keep, noise := uniform(r, 0.7, 0.92), uniform(r, 0.4, 0.8)
	return law.Data{Steps: rows(n, func(int) []string {
		x := autoregressive(r, long(), keep)
		own := normal(r, 0, 0.3)
		return rows(len(x), func(t int) string {
			seen := x[t] + own + normal(r, 0, noise)
			return letters[int(clamp(math.Floor(seen/0.85+2.5), 0, 4))]
		})
	})}
}

func sensorGlucose(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	radius, turn := uniform(r, 0.85, 0.95), uniform(r, 0.1, 0.4)
	a, b := 2*radius*math.Cos(turn), -radius*radius
	swing, noise, level := uniform(r, 0.15, 0.3), uniform(r, 0.02, 0.06), uniform(r, 6, 8.5)
	// the deviation of the stationary process with errors of unit variance
	unit := math.Sqrt((1 - b) / ((1 + b) * ((1-b)*(1-b) - a*a)))
	return law.Data{Steps: rows(n, func(int) []string {
		own := lognormal(r, level, 0.15)
		last, x := 0.0, 0.0
		step := func() { last, x = x, a*x+b*last+r.NormFloat64() }
		for range 150 {
			step()
		}
		return rows(long(), func(int) string {
			step()
			return decimal(own*math.Exp(swing*x/unit+noise*r.NormFloat64()), 1)
		})
	})}
}

func gainedSpikes(r *rand.Rand, n int) law.Data {
	long := lengths(r)
	rate, sd, keep := lognormal(r, 9, 0.3), uniform(r, 0.35, 0.7), uniform(r, 0.5, 0.92)
	return law.Data{Steps: rows(n, func(int) []string {
		gain := autoregressive(r, long(), keep)
		own := lognormal(r, rate, 0.35)
		return whole(rows(len(gain), func(t int) int { return poisson(r, own*math.Exp(sd*gain[t])) }))
	})}
}

func ionChannel(r *rand.Rand, n int) law.Data {
	current, noise := uniform(r, 3, 8), uniform(r, 0.14, 0.2)
	c := resting([]float64{0.6, 0.4}, []float64{uniform(r, 6, 15), uniform(r, 4, 10)})
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string {
			return decimal(current*(float64(states[t])+normal(r, 0, noise)), 2)
		})
	})
}

func subconductance(r *rand.Rand, n int) law.Data {
	current, part := uniform(r, 4, 10), uniform(r, 0.42, 0.55)
	noise := []float64{uniform(r, 0.07, 0.1), uniform(r, 0.08, 0.11), uniform(r, 0.1, 0.13)}
	level := []float64{0, part, 1}
	c := settled([][]float64{{0.9, 0.06, 0.04}, {0.08, 0.84, 0.08}, {0.04, 0.06, 0.9}})
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string {
			g := states[t]
			return decimal(-current*(level[g]+normal(r, 0, noise[g])), 3)
		})
	})
}

func sleepStages(r *rand.Rand, n int) law.Data {
	codes := []string{"alpha", "move", "theta", "spindle", "kcomplex", "delta", "sawtooth", "eyes"}
	show := [][]float64{
		{14, 8, 1.2, 0.2, 0.1, 0.1, 0.1, 1},
		{0.6, 0.4, 6, 9, 5, 1, 0.2, 0.2},
		{0.1, 0.2, 0.8, 1, 1, 16, 0.1, 0.1},
		{0.5, 0.4, 3, 0.2, 0.1, 0.1, 7, 9},
	}
	show = rows(4, func(g int) []float64 { return dirichlet(r, show[g]) })
	stay := uniform(r, 0.92, 0.95)
	out := 1 - stay
	c := settled([][]float64{
		{stay, 0.9 * out, 0.02 * out, 0.08 * out},
		{0.2 * out, stay, 0.5 * out, 0.3 * out},
		{0.1 * out, 0.85 * out, stay, 0.05 * out},
		{0.35 * out, 0.6 * out, 0.05 * out, stay},
	})
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string { return codes[categorical(r, show[states[t]])] })
	})
}

func behaviourBouts(r *rand.Rand, n int) law.Data {
	acts := []string{"peck", "scratch", "walk", "look", "preen", "call", "chase", "sit", "doze"}
	show := [][]float64{
		{12, 9, 6, 2, 0.5, 0.4, 0.3, 0.3, 0.2},
		{0.4, 0.4, 3, 4, 1, 9, 8, 0.4, 0.2},
		{0.2, 0.2, 0.6, 2, 6, 0.4, 0.2, 11, 9},
	}
	show = rows(3, func(g int) []float64 { return dirichlet(r, show[g]) })
	c := resting(uneven(r, 3, 0.25), []float64{uniform(r, 10, 16), uniform(r, 8, 12), uniform(r, 12, 20)})
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string { return acts[categorical(r, show[states[t]])] })
	})
}

func heartRateActivity(r *rand.Rand, n int) law.Data {
	level := []float64{uniform(r, 60, 68), uniform(r, 94, 102), uniform(r, 142, 155)}
	noise := []float64{uniform(r, 4, 6), uniform(r, 6, 8), uniform(r, 7, 10)}
	keep := uniform(r, 0.2, 0.5)
	c := resting([]float64{0.5, 0.35, 0.15}, []float64{uniform(r, 12, 18), uniform(r, 7, 11), uniform(r, 6, 10)})
	return hiddenData(r, n, c, func(states []int) []string {
		own := normal(r, 0, 3)
		wander := autoregressive(r, len(states), keep)
		return rows(len(states), func(t int) string {
			return decimal(level[states[t]]+own+noise[states[t]]*wander[t], 0)
		})
	})
}

func copyNumber(r *rand.Rand, n int) law.Data {
	purity := uniform(r, 0.75, 0.95)
	level := []float64{0, math.Log2(1 + purity/2), math.Log2(1 - purity/2)}
	noise := uniform(r, 0.1, 0.15)
	c := resting([]float64{0.85, 0.1, 0.05}, []float64{45, uniform(r, 6.5, 8.5), uniform(r, 6, 8)})
	return hiddenData(r, n, c, func(states []int) []string {
		spread := noise * lognormal(r, 1, 0.1)
		return rows(len(states), func(t int) string { return decimal(normal(r, level[states[t]], spread), 3) })
	})
}

func movementModes(r *rand.Rand, n int) law.Data {
	scale := []float64{uniform(r, 30, 60), 0}
	scale[1] = scale[0] * uniform(r, 4, 6)
	shape := []float64{uniform(r, 0.9, 1.3), uniform(r, 1.2, 1.8)}
	c := resting([]float64{0.55, 0.45}, []float64{uniform(r, 9, 14), uniform(r, 8, 12)})
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string {
			g := states[t]
			return decimal(scale[g]*math.Pow(r.ExpFloat64(), 1/shape[g]), 1)
		})
	})
}

func corticalStates(r *rand.Rand, n int) law.Data {
	units := []string{"none", "u1", "u2", "u3", "u4", "u5", "u6", "u7"}
	show := rows(4, func(g int) []float64 {
		rate := fill(len(units), func() float64 { return gamma(r, 1.5, 0.5) + 0.05 })
		rate[0] = uniform(r, 2, 4)
		rate[1+2*g%7] += uniform(r, 3, 5)
		rate[1+(2*g+1)%7] += uniform(r, 2, 4)
		return dirichlet(r, rows(len(rate), func(j int) float64 { return 8 * rate[j] }))
	})
	c := resting(even(4), fill(4, func() float64 { return uniform(r, 9, 15) }))
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string { return units[categorical(r, show[states[t]])] })
	})
}

func isochores(r *rand.Rand, n int) law.Data {
	bases := []string{"a", "c", "g", "t"}
	content := []float64{uniform(r, 0.33, 0.38), uniform(r, 0.62, 0.68)}
	c := resting([]float64{0.6, 0.4}, []float64{uniform(r, 20, 30), uniform(r, 16, 24)})
	return hiddenData(r, n, c, func(states []int) []string {
		return rows(len(states), func(t int) string {
			p := content[states[t]]
			return bases[categorical(r, []float64{1 - p, p, p, 1 - p})]
		})
	})
}
