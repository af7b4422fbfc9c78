package verdict

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
)

// prior is what EM knows before the records: each group gets alpha records at
// the overall frequencies, spread over the nodes, and its share of the half
// counts in them, so that one group has exactly the overall frequencies
// whatever alpha is. A prior that smoothed one group less than several would
// make groups of sparse records.
type prior struct {
	alpha   float64
	overall []float64
}

const (
	ridge     = 0.05 // on slopes and on the strength of repeated features
	stiff     = 1e-4 // on every curvature
	farthest  = 1.5  // a Newton step of a log-odds goes
	farSlope  = 1.0  // a slope
	farAmount = 0.5  // the common slope
)

// maximise takes one M-step: exact without a continuum and repeated features,
// one step of Newton for every item otherwise.
func (m *model) maximise(st *stats, pr prior) {
	q := m.nodes.q()
	total := 0.0
	for k := range m.pi {
		m.pi[k] = 1
		for _, v := range st.n[k*q:][:q] {
			m.pi[k] += v
		}
		total += m.pi[k]
	}
	for k := range m.pi {
		m.pi[k] /= total
	}
	switch {
	case m.kind == none && m.forest.children() == 0:
		m.closed(st, pr)
	case m.own():
		m.eachAlone(st, pr)
	case m.lay.presence:
		m.newtonPresences(st, pr)
	default:
		m.newtonAnswers(st, pr)
	}
}

// eachAlone takes the step of groups with lines of their own: each is one population,
// of the records that it has a share in.
func (m *model) eachAlone(st *stats, pr prior) {
	q, c, cols := m.nodes.q(), m.components(), m.lay.cols
	st.team.parts(m.groups, 6*cols*c, func(from, to int) {
		part := stats{n: make([]float64, q), s: make([]float64, cols*q)}
		for k := from; k < to; k++ {
			one := &model{
				lay: m.lay, groups: 1, kind: m.kind, nodes: m.nodes, pi: m.pi[k : k+1], b: m.group(k),
				a: m.a[k*m.nodes.dims*cols:][:m.nodes.dims*cols], p: make([]float64, cols*q),
			}
			copy(part.n, st.n[k*q:])
			for j := range cols {
				copy(part.s[j*q:][:q], st.s[j*c+k*q:])
				copy(one.p[j*q:][:q], m.p[j*c+k*q:])
			}
			if m.lay.presence {
				one.newtonPresences(&part, pr)
			} else {
				one.newtonAnswers(&part, pr)
			}
		}
	})
}

// extra returns what the prior adds to a column of a component: records of the
// overall frequencies, and half counts.
func (m *model) extra(pr prior, k, i int) (records, halves float64) {
	w := m.nodes.weight[i]
	return pr.alpha * w, half * m.pi[k] * w
}

// closed sets the log-odds of every group to those of its records.
func (m *model) closed(st *stats, pr prior) {
	const least = 1e-9
	for k := range m.groups {
		records, halves := m.extra(pr, k, 0)
		b := m.group(k)
		for _, it := range m.lay.items {
			if m.lay.presence {
				j := it.first
				have, all := st.s[j*m.groups+k]+records*pr.overall[j]+halves, st.n[k]+records+2*halves
				b[j] = max(have, least*all) / max(all-have, least*all)
				continue
			}
			first := 0.0
			for c := range it.answers {
				j := it.first + c
				v := math.Log(max(st.s[j*m.groups+k]+records*pr.overall[j]+halves, least))
				if c == 0 {
					first = v
				}
				b[j] = v - first
			}
		}
		if m.lay.presence {
			kernel.Logs(b)
		}
	}
}

// arrow is the curvature of the parameters of one item: log-odds of the groups,
// which do not meet, and a few that meet them all.
type arrow struct {
	k, u  int
	diag  []float64 // k
	cross []float64 // k×u
	dense []float64 // u×u
	work  []float64
}

func newArrow(k, u int) *arrow {
	return &arrow{
		k: k, u: u, diag: make([]float64, k), cross: make([]float64, k*u), dense: make([]float64, u*u),
		work: make([]float64, u*u+u),
	}
}

func (a *arrow) clear() {
	fill(a.diag, stiff)
	clear(a.cross)
	clear(a.dense)
	for i := range a.u {
		a.dense[i*a.u+i] = ridge + stiff
	}
}

// solve divides g (k+u numbers) by the curvature.
func (a *arrow) solve(g []float64) {
	u := a.u
	if u > 0 {
		s, r := a.work[:u*u], a.work[u*u:]
		copy(s, a.dense)
		copy(r, g[a.k:])
		for k, d := range a.diag {
			x := a.cross[k*u:][:u]
			for i, v := range x {
				f := v / d
				r[i] -= f * g[k]
				for j, w := range x {
					s[i*u+j] -= f * w
				}
			}
		}
		solveSmall(s, r, u)
		copy(g[a.k:], r)
	}
	for k, d := range a.diag {
		v := g[k]
		for i, w := range a.cross[k*u:][:u] {
			v -= w * g[a.k+i]
		}
		g[k] = v / d
	}
}

// solveSmall solves the symmetric positive system s·x = r in place, by
// elimination with a floor under the pivots.
func solveSmall(s, r []float64, n int) {
	for i := range n {
		pivot := max(s[i*n+i], 1e-10)
		for j := i + 1; j < n; j++ {
			f := s[j*n+i] / pivot
			if f == 0 {
				continue
			}
			for l := i; l < n; l++ {
				s[j*n+l] -= f * s[i*n+l]
			}
			r[j] -= f * r[i]
		}
		s[i*n+i] = pivot
	}
	for i := n - 1; i >= 0; i-- {
		for l := i + 1; l < n; l++ {
			r[i] -= s[i*n+l] * r[l]
		}
		r[i] /= s[i*n+i]
	}
}

func clip(v, limit float64) float64 { return min(max(v, -limit), limit) }
