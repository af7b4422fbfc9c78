package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Structured are laws with groups: those of the annex, then our own.
func Structured() []Law {
	var laws []Law
	add := func(name string, k int, hard bool, draw func(*rand.Rand, int) Draw) {
		laws = append(laws, Law{Name: name, Groups: k, Hard: hard, draw: draw})
	}
	for _, k := range []int{2, 3, 5, 8, 16} {
		add(fmt.Sprintf("k%d", k), k, false, mixture(mixed{k: k, sd: 1.5}))
	}
	for _, k := range []int{2, 3, 5, 8} {
		add(fmt.Sprintf("k%d-poor", k), k, true, mixture(mixed{k: k, sd: .7}))
	}
	for _, k := range []int{2, 3, 5, 8} {
		add(fmt.Sprintf("k%d-20:1", k), k, k > 3, mixture(mixed{k: k, sd: 1.5, uneven: true}))
	}
	for _, k := range []int{2, 3, 5} {
		add(fmt.Sprintf("k%d+amount", k), k, false, mixture(mixed{k: k, sd: 1.2, amount: 1}))
	}
	add("k5-20:1+amount", 5, true, mixture(mixed{k: 5, sd: 1.2, amount: 1, uneven: true}))
	for _, k := range []int{2, 3, 5} {
		add(fmt.Sprintf("k%d+pairs", k), k, false, mixture(mixed{k: k, sd: 1.2, pairs: 8}))
	}
	add("hier2x3", 6, false, nested)
	add("codes8", 8, false, codeGroups(8, 120, 6, .6))
	add("survey3", 3, false, survey(3, .7, 12, 4))
	add("survey5", 5, false, survey(5, 1, 12, 4))
	add("survey3+acquiesce", 3, false, surveyStyle)
	add("bimodal-k2", 2, true, bimodal)
	add("own: k3+trend", 3, false, groupsAndTrend)
	add("own: code types without amount", 6, false, codeGroups(6, 100, 10, 0))
	add("own: survey4, a fifth missing", 4, false, func(r *rand.Rand, n int) Draw {
		d := survey(4, .7, 15, 4)(r, n)
		drop(r, d, .2)
		return d
	})
	add("own: k4, wide", 4, false, mixture(mixed{k: 4, sd: 1, d: 120}))
	add("own: k3 of ten features", 3, false, mixture(mixed{k: 3, sd: 2.5, d: 10}))
	add("own: one group has more", 3, false, groupsWithLevels)
	add("own: k4 and noise features", 4, false, withNoise)
	return laws
}

// mixed describes a mixture of presences: logits b_j + δ_kj.
type mixed struct {
	k, d   int
	sd     float64 // of δ
	uneven bool    // weights from 1 to 1/20
	amount float64
	pairs  int
}

func mixture(m mixed) func(*rand.Rand, int) Draw {
	if m.d == 0 {
		m.d = 40
	}
	return func(r *rand.Rand, n int) Draw {
		y, b, delta := labels(r, n, m.k, m.uneven), normal(r, -1, 1, m.d), normal(r, 0, m.sd, m.k*m.d)
		t := places(r, n, gauss)
		out := presences(r, n, m.d+m.pairs, func(i, j int) float64 {
			if j >= m.d {
				return 0
			}
			return logistic(b[j] + delta[y[i]*m.d+j] + m.amount*t[i])
		})
		repeatFeatures(r, out, m.d, m.pairs)
		out.Labels = y
		return out
	}
}

// labels draws groups of equal weights, or of weights from 1 to 1/20.
func labels(r *rand.Rand, n, k int, uneven bool) []int {
	w := make([]float64, k)
	sum := 0.0
	for g := range w {
		w[g] = 1
		if uneven {
			w[g] = math.Pow(20, -float64(g)/float64(k-1))
		}
		sum += w[g]
	}
	for g := range w {
		w[g] /= sum
	}
	y := make([]int, n)
	for i := range y {
		y[i] = pick(r, w)
	}
	return y
}

// nested are two families of three groups.
func nested(r *rand.Rand, n int) Draw {
	const d = 40
	y := labels(r, n, 6, false)
	b, a, c := normal(r, -1, 1, d), normal(r, 0, 1.5, 2*d), normal(r, 0, .9, 6*d)
	out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + a[y[i]/3*d+j] + c[y[i]*d+j]) })
	out.Labels = y
	return out
}

// codeGroups are types of patients, each with some codes of its own that are
// far more frequent.
func codeGroups(k, d, own int, amount float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		y, p, t := labels(r, n, k, false), zipf(d, .8, 4), places(r, n, gauss)
		up := make([]float64, k*d)
		for g := range k {
			for _, j := range r.Perm(d)[:own] {
				up[g*d+j] = 3
			}
		}
		out := presences(r, n, d, func(i, j int) float64 { return logistic(logit(p[j]) + up[y[i]*d+j] + amount*t[i]) })
		out.Labels = y
		return out
	}
}

func survey(k int, a float64, d, answers int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		y := labels(r, n, k, false)
		p := make([][]float64, k*d)
		for i := range p {
			p[i] = dirichlet(r, a, answers)
		}
		out := choices(r, n, answers, d, func(i, j int) []float64 { return p[y[i]*d+j] })
		out.Labels = y
		return out
	}
}

func surveyStyle(r *rand.Rand, n int) Draw {
	y, b, t := labels(r, n, 3, false), normal(r, 0, 1.4, 3*15), places(r, n, gauss)
	out := answers(r, n, 15, func(i, j int) float64 { return b[y[i]*15+j] + t[i] })
	out.Labels = y
	return out
}

func bimodal(r *rand.Rand, n int) Draw {
	y, b, a := labels(r, n, 2, false), normal(r, -1, 1, 30), uniform(r, .2, 2, 30)
	t := normal(r, 0, .5, n)
	out := presences(r, n, 30, func(i, j int) float64 { return logistic(b[j] + a[j]*(t[i]+float64(2*y[i]-1))) })
	out.Labels = y
	return out
}

// groupsAndTrend are three groups along a trend that all share.
func groupsAndTrend(r *rand.Rand, n int) Draw {
	const d = 40
	y, b, delta := labels(r, n, 3, false), normal(r, -1, 1, d), normal(r, 0, 1.4, 3*d)
	a, t := uniform(r, -1.5, 1.5, d), places(r, n, gauss)
	out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + delta[y[i]*d+j] + a[j]*t[i]) })
	out.Labels = y
	return out
}

// groupsWithLevels are three groups of which one has more of everything.
func groupsWithLevels(r *rand.Rand, n int) Draw {
	const d = 40
	y, b, delta := labels(r, n, 3, false), normal(r, -1.5, 1, d), normal(r, 0, 1.2, 3*d)
	t := places(r, n, gauss)
	out := presences(r, n, d, func(i, j int) float64 {
		v := b[j] + delta[y[i]*d+j] + .7*t[i]
		if y[i] == 0 {
			v++
		}
		return logistic(v)
	})
	out.Labels = y
	return out
}

// withNoise are four groups in twenty features among sixty that say nothing.
func withNoise(r *rand.Rand, n int) Draw {
	const d = 80
	y, b, delta := labels(r, n, 4, false), normal(r, -1, 1, d), normal(r, 0, 1.8, 4*d)
	out := presences(r, n, d, func(i, j int) float64 {
		if j >= 20 {
			return logistic(b[j])
		}
		return logistic(b[j] + delta[y[i]*d+j])
	})
	out.Labels = y
	return out
}
