package verdict

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
)

// Where all groups share a continuum, the log density of a record in group k at node i is
//
//	bias_ki + Σ_j b_kj + t_i·Σ_j a_j    (j over the features that it has)
//
// so that its sums over features are K+dims numbers and not K·q, and its exponentials are
// products of one for the group, one for the node and one for the pair, which all records
// share. What a step of Newton asks of the records is as little: of every feature, the
// shares of the groups and the mean positions of its records.

// factors are what ready makes of the parameters for records that are looked at so.
type factors struct {
	odds []float64 // cols×groups
	lean []float64 // cols×dims: slopes
	line []float64 // dims×q: positions of the nodes
	top  []float64 // the largest bias of every node
	pair []float64 // groups×q: exponentials of biases less those
	back []float64 // q×groups: the same, the other way round
	bias []float64 // of answers: groups×q
}

// factored reports that records may be looked at by factors: in a way that all groups share,
// and no log-odds that is cut off.
func (m *model) factored() bool {
	return m.nodes.dims > 0 && !m.own() && m.forest.children() == 0 && m.reach <= steep && m.components() >= manyPairs
}

// byFactors reports that these records are looked at by factors: presences, or records that
// answer all questions, so that what makes the probabilities of answers sum to one is the
// same for all of them.
func (m *model) byFactors(s *sample) bool {
	return m.factored() && (m.lay.presence || s.each == len(m.lay.items))
}

// manyPairs is the number of pairs of a group and a node from which on factors are quicker.
const manyPairs = 24

// readyFactors makes the factors from biases and parameters.
func (m *model) readyFactors() {
	k, q, d, cols := m.groups, m.nodes.q(), m.nodes.dims, m.lay.cols
	f := &m.factors
	f.odds, f.lean, f.line, f.top = buffer(f.odds, cols*k), buffer(f.lean, cols*d), buffer(f.line, d*q), buffer(f.top, q)
	for t := range d {
		for j, v := range m.slope(t) {
			f.lean[j*d+t] = v
		}
		for i := range q {
			f.line[t*q+i] = m.nodes.at[i*d+t]
		}
	}
	f.pair, f.back = buffer(f.pair, k*q), buffer(f.back, k*q)
	for g := range k {
		for j, v := range m.group(g) {
			f.odds[j*k+g] = v
		}
	}
	bias := m.bias
	if !m.lay.presence { // the first answer of a question has nothing but what makes them sum to one
		f.bias = append(f.bias[:0], bias...)
		bias = f.bias
		for _, it := range m.lay.items {
			for i, v := range m.table[it.first*k*q:][:k*q] {
				bias[i] += v
			}
		}
	}
	fill(f.top, math.Inf(-1))
	for g := range k {
		for i, v := range bias[g*q:][:q] {
			f.top[i] = max(f.top[i], v)
		}
	}
	for g := range k {
		for i, v := range bias[g*q:][:q] {
			f.pair[g*q+i] = v - f.top[i]
		}
	}
	kernel.Exps(f.pair)
	for g := range k {
		for i, v := range f.pair[g*q:][:q] {
			f.back[i*k+g] = v
		}
	}
}

// densityBuffer holds what the densities of some records are made from.
type densityBuffer struct {
	group, node []float64 // records × groups, × nodes: factors
	sides, both []float64 // records × groups, × nodes: what a record adds to its features
	at          []float64 // records × dims: slopes of its features; mean positions
	log, total  []float64
	counts      []float64 // groups×q: over the factor of the pair
	alone       []float64 // groups×q: shares of records that are added up by themselves
	away        int       // how many these were
}

// leastTotal is the sum of a record's products from which on those that vanish add
// nothing: no factor is above one, and the smallest number is far below it.
const leastTotal = 1e-200

// densities sets the log densities of the records lo to hi−1. With weights, buf.sides and
// buf.at become what each adds to its features (shares of the groups, mean positions,
// times the weight), and the shares of pairs of a group and a node are added to
// buf.counts, over the factor of the pair.
func (m *model) densities(s *sample, lo, hi int, log, weights []float64, buf *densityBuffer) {
	k, q, d, n := m.groups, m.nodes.q(), m.nodes.dims, hi-lo
	buf.group, buf.node = buffer(buf.group, n*k), buffer(buf.node, n*q)
	buf.sides, buf.at, buf.log, buf.total = buffer(buf.sides, n*k), buffer(buf.at, n*d), buffer(buf.log, n), buffer(buf.total, n)
	kernel.Gather(buf.group, s.ptr[lo:hi+1], s.index, nil, m.factors.odds, k)
	kernel.Softmax(buf.group, k, nil, log, nil)
	kernel.Gather(buf.at, s.ptr[lo:hi+1], s.index, nil, m.factors.lean, d)
	kernel.DenseMul(buf.node, buf.at, d, m.factors.line, q)
	kernel.Softmax(buf.node, q, m.factors.top, buf.log, nil)
	kernel.DenseMul(buf.sides, buf.node, q, m.factors.back, k)
	var away []int
	for r := range n {
		total, group := 0.0, buf.group[r*k:][:k]
		for g, v := range buf.sides[r*k:][:k] {
			total += group[g] * v
		}
		if buf.total[r] = total; !(total > leastTotal) {
			away, buf.total[r] = append(away, r), 1
			clear(group)
		}
	}
	if weights != nil {
		m.backward(n, weights, buf)
	}
	kernel.Logs(buf.total)
	for r, v := range buf.total {
		log[r] += buf.log[r] + v
	}
	for _, r := range away {
		log[r] = m.densityOf(s, lo+r, r, weights, buf)
	}
	buf.away += len(away)
}

// backward sets what records add to their features, and adds up pairs.
func (m *model) backward(n int, weights []float64, buf *densityBuffer) {
	k, q, d := m.groups, m.nodes.q(), m.nodes.dims
	buf.both = buffer(buf.both, n*q)
	for r, w := range weights {
		over, sides := w/buf.total[r], buf.sides[r*k:][:k]
		for g, v := range buf.group[r*k:][:k] {
			v *= over
			buf.group[r*k+g] = v
			sides[g] *= v
		}
	}
	kernel.DenseTransMul(buf.counts, buf.group, k, buf.node, q)
	kernel.DenseMul(buf.both, buf.group, k, m.factors.pair, q)
	for i, v := range buf.node {
		buf.both[i] *= v
	}
	kernel.DenseMul(buf.at, buf.both, q, m.nodes.at, d)
}

// densityOf is densities for record i, the r-th of some, whose products vanish.
func (m *model) densityOf(s *sample, i, r int, weights []float64, buf *densityBuffer) float64 {
	c, k, q, d := m.components(), m.groups, m.nodes.q(), m.nodes.dims
	share, log := make([]float64, c), []float64{0}
	kernel.Gather(share, s.ptr[i:i+2], s.index, nil, m.table, c)
	kernel.Softmax(share, c, m.bias, log, nil)
	sides := buf.sides[r*k:][:k]
	clear(sides)
	if weights == nil { // as they would be, had nothing vanished
		for at, v := range share {
			sides[at/q] += v
		}
		fill(buf.group[r*k:][:k], 1)
		return log[0]
	}
	mean := buf.at[r*d:][:d]
	clear(mean)
	for at, v := range share {
		v *= weights[r]
		sides[at/q] += v
		for t := range mean {
			mean[t] += v * m.nodes.at[at%q*d+t]
		}
		buf.alone[at] += v
	}
	return log[0]
}

// likelier sets the likeliest group of every record of a look without weights.
func (m *model) likelier(out []int, buf *densityBuffer) {
	k := m.groups
	for r := range out {
		best, group := -1.0, buf.group[r*k:][:k]
		for g, v := range buf.sides[r*k:][:k] {
			if v *= group[g]; v > best {
				best, out[r] = v, g
			}
		}
	}
}

// addFactored is addTo by factors: first the shares of the groups (cols×groups), then the
// positions (cols×dims) of every feature.
func (m *model) addFactored(st *stats, s *sample, from, to int) {
	k, d, buf := m.groups, m.nodes.dims, &st.densities
	st.loglik, buf.away = 0, 0
	st.s, st.log = sized(st.s, s.cols*(k+d)), buffer(st.log, chunk)
	buf.counts, buf.alone = sized(buf.counts, m.components()), sized(buf.alone, m.components())
	for lo := from; lo < to; lo += chunk {
		hi := min(lo+chunk, to)
		m.densities(s, lo, hi, st.log[:hi-lo], s.count[lo:hi], buf)
		for i, v := range s.count[lo:hi] {
			st.loglik += v * st.log[i]
		}
		kernel.Scatter(st.s[:s.cols*k], s.ptr[lo:hi+1], s.index, nil, buf.sides, k)
		kernel.Scatter(st.s[s.cols*k:], s.ptr[lo:hi+1], s.index, nil, buf.at, d)
	}
	st.n = buffer(st.n, m.components())
	for i, v := range m.factors.pair {
		st.n[i] = v*buf.counts[i] + buf.alone[i]
	}
}
