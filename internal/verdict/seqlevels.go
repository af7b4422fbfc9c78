package verdict

import (
	"math"

	"github.com/moiety-go/moiety/family"
)

// levelStates are states of steps that hold sets or counts, in sequences that each have
// a level of their own: in all states a sequence with a high level has more of
// everything. Without the level every state comes twice and more, for those that have
// little and those that have much.
type levelStates struct {
	kind    stepKind
	k, dim  int
	spread  float64
	first   []float64
	move    []float64 // k×k
	centre  []float64 // k×dim: log-odds, or logarithms of means, at the middle level
	logs    []float64 // level×k×dim
	base    []float64 // level×k
	z, prob []float64
}

const levelSteps = 15 // of EM

// learnLevelStates goes on from a fit without levels.
func learnLevelStates(d *lined, h held) *levelStates {
	info := h.fam.Info()
	k := h.p.K()
	m := &levelStates{kind: d.kind, k: k, dim: d.dim, spread: .5, first: make([]float64, k), move: make([]float64, k*k), centre: make([]float64, k*d.dim)}
	m.z, m.prob = levelNodes()
	for j := range k {
		m.first[j] = max(h.p.Extra[info.In(family.Starts)].At(0, j), 1e-6)
		for i := range k {
			m.move[j*k+i] = max(h.p.Extra[info.In(family.Transitions)].At(j, i), 1e-6)
		}
		for f := range d.dim {
			v := h.p.Centers.At(f, j)
			if d.kind == sets {
				v = min(max(v, 1e-6), 1-1e-6)
				v /= 1 - v
			}
			m.centre[j*d.dim+f] = math.Log(max(v, 1e-6))
		}
	}
	m.ready()
	last := math.Inf(-1)
	for range levelSteps {
		now := m.step(d)
		if !d.beat() || now-last < 1e-5*math.Abs(now) {
			break
		}
		last = now
	}
	return m
}

func (m *levelStates) ready() {
	m.logs, m.base = make([]float64, len(m.z)*m.k*m.dim), make([]float64, len(m.z)*m.k)
	for q, z := range m.z {
		for j := range m.k {
			for h := range m.dim {
				v := m.centre[j*m.dim+h] + m.spread*z
				m.logs[(q*m.k+j)*m.dim+h] = v
				if m.kind == sets {
					m.base[q*m.k+j] -= math.Log1p(math.Exp(v))
				} else {
					m.base[q*m.k+j] -= math.Exp(v)
				}
			}
		}
	}
}

// levelSums is what a step of EM gathers.
type levelSums struct {
	first, move []float64
	n           []float64  // level×k: steps
	s           []float64  // k×dim
	levels      [2]float64 // how many, squares
}

// step is a step of EM; it returns the log density before it.
func (m *levelStates) step(d *lined) float64 {
	sums := &levelSums{first: make([]float64, m.k), move: make([]float64, m.k*m.k), n: make([]float64, len(m.z)*m.k), s: make([]float64, m.k*m.dim)}
	total := []float64{0}
	for i := range len(d.steps) - 1 {
		total[0] += m.sequence(d, i, sums)
	}
	d.sites.add(sums.first, sums.move, sums.n, sums.s, sums.levels[:], total)
	m.first = evened(sums.first, 1)
	for j := range m.k {
		copy(m.move[j*m.k:][:m.k], evened(sums.move[j*m.k:][:m.k], 1))
	}
	wider := math.Sqrt(sums.levels[1] / max(sums.levels[0], 1e-300))
	m.spread = min(max(m.spread*wider, .01), 3)
	for j := range m.k {
		for h := range m.dim {
			m.solve(sums, j, h)
		}
	}
	m.ready()
	return total[0]
}

// evened returns shares of counts, with so many more spread evenly.
func evened(n []float64, more float64) []float64 {
	out, all := make([]float64, len(n)), sum(n)+more
	for i, v := range n {
		out[i] = (v + more/float64(len(n))) / all
	}
	return out
}

// solve sets the middle of a feature in a state so that as many are expected as there are.
func (m *levelStates) solve(sums *levelSums, j, h int) {
	have, n, few := sums.s[j*m.dim+h], 0.0, .1
	for q := range m.z {
		n += sums.n[q*m.k+j]
	}
	if n < 1e-6 {
		return
	}
	c := m.centre[j*m.dim+h]
	const again = 8
	for range again {
		mean, slope := 0.0, 1e-9
		for q, z := range m.z {
			v := math.Exp(min(c+m.spread*z, 30))
			s := v
			if m.kind == sets {
				v /= 1 + v
				s = v * (1 - v)
			}
			mean += sums.n[q*m.k+j] * v
			slope += sums.n[q*m.k+j] * s
		}
		c += min(max((have+few*mean/n-mean*(1+few/n))/slope, -1), 1)
	}
	m.centre[j*m.dim+h] = min(max(c, neverLog), -neverLog)
}

// sequence returns the log density of a sequence, and gathers where sums are wanted.
func (m *levelStates) sequence(d *lined, i int, sums *levelSums) float64 {
	lo, hi := d.steps[i], d.steps[i+1]
	steps := hi - lo
	logs := make([]float64, len(m.z))
	density := make([]float64, len(m.z)*steps*m.k) // scaled
	forward := make([]float64, len(m.z)*steps*m.k)
	for q := range m.z {
		at := q * steps * m.k
		for t := range steps {
			e, f := density[at+t*m.k:][:m.k], forward[at+t*m.k:][:m.k]
			top := m.densities(d, lo+t, q, e)
			logs[q] += top
			all := 0.0
			for j := range f {
				if t == 0 {
					f[j] = m.first[j]
				} else {
					f[j] = 0
					for a, v := range forward[at+(t-1)*m.k:][:m.k] {
						f[j] += v * m.move[a*m.k+j]
					}
				}
				f[j] *= e[j]
				all += f[j]
			}
			all = max(all, 1e-300)
			times(f, 1/all)
			times(e, 1/all)
			logs[q] += math.Log(all)
		}
	}
	total := logWeighted(logs, m.prob)
	if sums == nil || steps == 0 {
		return total
	}
	back, next := make([]float64, m.k), make([]float64, m.k)
	for q := range m.z {
		chance := m.prob[q] * math.Exp(logs[q]-total)
		if chance < 1e-6 {
			continue
		}
		sums.levels[0] += chance
		sums.levels[1] += chance * m.z[q] * m.z[q]
		at := q * steps * m.k
		fill(back, 1)
		for t := steps - 1; t >= 0; t-- {
			for j := range m.k {
				g := chance * forward[at+t*m.k+j] * back[j]
				if t == 0 {
					sums.first[j] += g
				}
				if d.seen[lo+t] {
					sums.n[q*m.k+j] += g
					for e := d.first[lo+t]; e < d.first[lo+t+1]; e++ {
						sums.s[j*m.dim+int(d.h[e])] += g * d.x[e]
					}
				}
			}
			if t == 0 {
				break
			}
			for j := range next {
				next[j] = back[j] * density[at+t*m.k+j]
			}
			for a := range m.k {
				back[a] = 0
				for j, v := range next {
					back[a] += m.move[a*m.k+j] * v
					sums.move[a*m.k+j] += chance * forward[at+(t-1)*m.k+a] * m.move[a*m.k+j] * v
				}
			}
		}
	}
	return total
}

// densities sets out to the densities of a step in all states, scaled; it returns the
// logarithm of the scale.
func (m *levelStates) densities(d *lined, t, q int, out []float64) float64 {
	if !d.seen[t] {
		fill(out, 1)
		return 0
	}
	top := math.Inf(-1)
	for j := range out {
		v := m.base[q*m.k+j]
		row := m.logs[(q*m.k+j)*m.dim:][:m.dim]
		for e := d.first[t]; e < d.first[t+1]; e++ {
			v += d.x[e] * row[d.h[e]]
		}
		out[j] = v
		top = max(top, v)
	}
	for j, v := range out {
		out[j] = math.Exp(v - top)
	}
	return top + d.own[t]
}

// scores returns the log density of every sequence.
func (m *levelStates) scores(d *lined) []float64 {
	out := make([]float64, len(d.steps)-1)
	for i := range out {
		out[i] = m.sequence(d, i, nil)
	}
	return out
}
