package verdict

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
)

// model is one candidate: K groups over a continuum, with repeated features or
// not.
//
//	log P(x_j = c | group k, position t) ∝ b_kjc + a_jc·t (+ g_j where the parent of j is there)
//
// Where groups have lines of their own, the slopes are a_kjc.
// Components are pairs of a group and a node, group by group.
type model struct {
	lay    *layout
	groups int
	kind   continuum
	nodes  *nodes
	forest *forest  // repeated features, or nil
	sets   *bundles // features that come in sets, or nil: nothing else speaks then

	pi []float64 // weights of the groups
	b  []float64 // groups×cols
	a  []float64 // dims×cols; groups×dims×cols where groups have lines of their own
	g  []float64 // one a child

	loglik float64
	left   float64 // nats that EM might have gained yet, where it was given up

	// totals is what the number of features of a record adds to its log density;
	// nil where that number follows from the features.
	totals []float64

	// What ready makes of the parameters.
	table []float64 // columns (those of the forest behind) × components
	bias  []float64 // components
	p     []float64 // cols×components: probabilities
	p1    []float64 // children×components: where the parent is there

	lean     *residuals // directions that were found while it was fitted, over several places
	expected []float64  // room of residuals
	shift    []float64  // room of logits

	reach   float64 // no log-odds is larger; +Inf where that was not looked at
	factors factors
}

func newModel(lay *layout, groups int, kind continuum, n *nodes, f *forest) *model {
	m := &model{
		lay: lay, groups: groups, kind: kind, nodes: n, forest: f,
		pi: make([]float64, groups), b: make([]float64, groups*lay.cols),
		g: make([]float64, f.children()),
	}
	for k := range m.pi {
		m.pi[k] = 1 / float64(groups)
	}
	lines := n.dims
	if m.own() {
		lines *= groups
	}
	m.a = make([]float64, lines*lay.cols)
	return m
}

// copied returns a model with parameters of its own.
func (m *model) copied() *model {
	c := newModel(m.lay, m.groups, m.kind, m.nodes, m.forest)
	copy(c.pi, m.pi)
	copy(c.b, m.b)
	copy(c.a, m.a)
	copy(c.g, m.g)
	return c
}

// over returns the model with the same groups over another continuum.
func (m *model) over(kind continuum, n *nodes, slopes []float64, factor float64) *model {
	c := newModel(m.lay, m.groups, kind, n, m.forest)
	copy(c.pi, m.pi)
	copy(c.b, m.b)
	copy(c.g, m.g)
	for i := range c.a {
		c.a[i] = factor * slopes[i]
	}
	return c
}

// repeated returns the model with repeated features.
func (m *model) repeated(f *forest) *model {
	c := newModel(m.lay, m.groups, m.kind, m.nodes, f)
	copy(c.pi, m.pi)
	copy(c.b, m.b)
	copy(c.a, m.a)
	return c
}

// own reports that every group has lines of its own.
func (m *model) own() bool { return m.kind.own() }

func (c continuum) own() bool { return c == ownLine || c == ownLines }

// climbs reports continua of which EM goes on from starts; others are made each in a way of
// its own.
func (c continuum) climbs() bool {
	return !c.own() && c != twoHeaps && c != inSets && c != sameTotal
}

func (m *model) components() int { return m.groups * m.nodes.q() }

func (m *model) slope(t int) []float64 { return m.a[t*m.lay.cols:][:m.lay.cols] }

func (m *model) group(k int) []float64 { return m.b[k*m.lay.cols:][:m.lay.cols] }

// steep is the largest modulus of a log-odds: beyond it exponentials say no more.
const steep = 30

// ready makes the table of the E-step from the parameters.
func (m *model) ready() { m.readyOn(1) }

// readyOn is ready on several cores: every feature is for itself.
func (m *model) readyOn(w team) {
	c, q := m.components(), m.nodes.q()
	m.table = buffer(m.table, (m.lay.cols+2*m.forest.children())*c)
	m.p = buffer(m.p, m.lay.cols*c)
	m.p1 = buffer(m.p1, m.forest.children()*c)
	m.bias = buffer(m.bias, c)
	for k, w := range m.pi {
		for i, v := range m.nodes.weight {
			m.bias[k*q+i] = math.Log(w*v + 1e-300)
		}
	}
	m.logits()
	if m.lay.presence {
		m.readyPresences(w)
	} else {
		w.parts(len(m.lay.items), 4*len(m.p), m.readyAnswers)
	}
	if m.factored() {
		m.readyFactors()
	}
}

// logits fills the table with the linear part.
func (m *model) logits() {
	c, q, d := m.components(), m.nodes.q(), m.nodes.dims
	m.reach = math.Inf(1)
	if d == 0 && q == 1 {
		m.flatLogits()
		return
	}
	cols := m.lay.cols
	m.shift = buffer(m.shift, 2*cols*q)
	shift, own := m.shift[:cols*q], m.shift[cols*q:]
	if !m.own() {
		m.shifts(0, d, shift)
		kernel.Shifts(m.table[:cols*c], m.b, shift, cols, steep)
		m.reach = largest(m.b) + largest(shift)
		return
	}
	for k := range m.groups {
		m.shifts(k, d, shift)
		kernel.Shifts(own, m.group(k), shift, cols, steep)
		for j := range cols {
			copy(m.table[j*c+k*q:][:q], own[j*q:])
		}
	}
}

// largest returns the largest modulus.
func largest(list []float64) float64 {
	lo, hi := 0.0, 0.0
	for _, v := range list {
		if v > hi {
			hi = v
		} else if v < lo {
			lo = v
		}
	}
	return max(hi, -lo)
}

// flatLogits is logits where groups have no place along a line: their log-odds, a column
// for each.
func (m *model) flatLogits() {
	for k := range m.groups {
		at := k
		for _, v := range m.group(k) {
			if v > steep {
				v = steep
			} else if v < -steep {
				v = -steep
			}
			m.table[at] = v
			at += m.groups
		}
	}
}

// shifts sets what every feature of group k has more at every node than in the middle
// (features×nodes).
func (m *model) shifts(k, d int, shift []float64) {
	first, q := 0, m.nodes.q()
	if m.own() {
		first = k * d
	}
	clear(shift)
	for t := range d {
		for j, a := range m.a[(first+t)*m.lay.cols:][:m.lay.cols] {
			row := shift[j*q:][:q]
			for i := range row {
				row[i] += a * m.nodes.at[i*d+t]
			}
		}
	}
}

// together are the features that one core takes at a time, and whose odds are multiplied
// before a logarithm is taken: e^(16·30) is a number.
const together = 16

// readyPresences turns logits into probabilities, and takes the absent features
// of a record into the bias.
func (m *model) readyPresences(w team) {
	c := m.components()
	absent := make([]float64, (m.lay.cols+together-1)/together*c)
	w.parts(len(absent)/max(c, 1), 2*len(m.p), func(from, to int) {
		for i := from; i < to; i++ {
			lo, hi := i*together, min((i+1)*together, m.lay.cols)
			odds, product := m.p[lo*c:hi*c], absent[i*c:][:c]
			copy(odds, m.table[lo*c:])
			kernel.Exps(odds)
			fill(product, 1)
			kernel.Rates(odds, product)
			kernel.Logs(product)
		}
	})
	for ; len(absent) > 0; absent = absent[c:] {
		for i, v := range absent[:c] {
			m.bias[i] -= v
		}
	}
	m.readyForest()
}

// readyForest fills the columns of repeated features: what a parent that is
// there takes from the absence of its child, and gives to its presence.
func (m *model) readyForest() {
	c, e := m.components(), m.forest.children()
	for i := range e {
		j := m.forest.child[i]
		parent := m.table[(m.lay.cols+i)*c:][:c]
		both := m.table[(m.lay.cols+e+i)*c:][:c]
		p1 := m.p1[i*c:][:c]
		for n, v := range m.table[j*c:][:c] {
			with := min(v+m.g[i], steep) // or both would add more than the odds that they stand for
			odds := math.Exp(with)
			p1[n] = odds / (1 + odds)
			parent[n] = math.Log((1 + math.Exp(v)) / (1 + odds))
			both[n] = with - v
		}
	}
}

// readyAnswers turns logits into probabilities of the answers, and the table
// into their logarithms.
func (m *model) readyAnswers(from, to int) {
	c := m.components()
	sum, log := make([]float64, c), make([]float64, c)
	for _, it := range m.lay.items[from:to] {
		p, table := m.p[it.first*c:][:it.answers*c], m.table[it.first*c:][:it.answers*c]
		copy(p, table)
		kernel.Exps(p)
		clear(sum)
		for row := p; len(row) > 0; row = row[c:] {
			for i, v := range row[:c] {
				sum[i] += v
			}
		}
		copy(log, sum)
		kernel.Logs(log)
		for i, v := range sum {
			sum[i] = 1 / v
		}
		for ; len(p) > 0; p, table = p[c:], table[c:] {
			for i, v := range sum {
				p[i] *= v
				table[i] -= log[i]
			}
		}
	}
}

// chunk is the number of records that are worked on together.
const chunk = 256

// stats are the sums of an E-step.
type stats struct {
	loglik    float64
	n         []float64 // components
	s         []float64 // columns×components
	scratch   []float64
	log       []float64
	newton    []float64 // memory of a step of Newton
	densities densityBuffer
	few       bool // s has the sums of factors (addFactored)
	alone     bool // all records are here: nothing is added to the sums
	single    single
	team      team
	lanes     []*stats
}

// shares returns the probability of every component for the records lo to
// hi−1, sets the log density of each, and adds the probabilities to total.
func (m *model) shares(s *sample, lo, hi int, st *stats, total []float64) []float64 {
	c := m.components()
	if cap(st.scratch) < chunk*c {
		st.scratch = make([]float64, chunk*c)
	}
	r := st.scratch[:(hi-lo)*c]
	kernel.Gather(r, s.ptr[lo:hi+1], s.index, nil, m.table, c)
	kernel.Softmax(r, c, m.bias, st.log[:hi-lo], total)
	return r
}

// score returns the log density of every record.
func (m *model) score(s *sample, st *stats) []float64 {
	if m.sets != nil {
		return m.sets.score(s)
	}
	m.ready()
	st.log = buffer(st.log, chunk)
	out := make([]float64, s.rows())
	for lo := 0; lo < s.rows(); lo += chunk {
		hi := min(lo+chunk, s.rows())
		if m.byFactors(s) {
			m.densities(s, lo, hi, out[lo:hi], nil, &st.densities)
			continue
		}
		m.shares(s, lo, hi, st, nil)
		copy(out[lo:], st.log[:hi-lo])
	}
	if m.totals != nil {
		for i := range out {
			out[i] += m.totals[len(s.row(i))]
		}
	}
	return out
}

// posterior returns the probability of every component for all records.
func (m *model) posterior(s *sample, st *stats) []float64 {
	c := m.components()
	m.ready()
	st.log = buffer(st.log, chunk)
	out := make([]float64, s.rows()*c)
	for lo := 0; lo < s.rows(); lo += chunk {
		hi := min(lo+chunk, s.rows())
		copy(out[lo*c:], m.shares(s, lo, hi, st, nil))
	}
	return out
}

// labels returns the likeliest group of every record; of one line with two heaps,
// the side of the border.
func (m *model) labels(s *sample, st *stats) []int {
	m.ready()
	return m.placed(s, st)
}

// placed is labels of a model that is ready.
func (m *model) placed(s *sample, st *stats) []int {
	c := m.components()
	st.log = buffer(st.log, chunk)
	out := make([]int, s.rows())
	for lo := 0; lo < s.rows(); lo += chunk {
		hi := min(lo+chunk, s.rows())
		if m.byFactors(s) && m.kind != twoHeaps {
			m.densities(s, lo, hi, st.log[:hi-lo], nil, &st.densities)
			m.likelier(out[lo:hi], &st.densities)
			continue
		}
		if m.nodes.q() == 1 {
			m.nearest(s, lo, hi, st, out[lo:hi])
			continue
		}
		r := m.shares(s, lo, hi, st, nil)
		for i := range hi - lo {
			out[lo+i] = m.likeliest(r[i*c:][:c])
		}
	}
	return out
}

// nearest sets the likeliest group of the records lo to hi−1 where there is no continuum: the
// logarithms of the shares will do.
func (m *model) nearest(s *sample, lo, hi int, st *stats, out []int) {
	k := m.groups
	st.scratch = buffer(st.scratch, chunk*k)
	r := st.scratch[:(hi-lo)*k]
	kernel.Gather(r, s.ptr[lo:hi+1], s.index, nil, m.table, k)
	for i := range out {
		best := math.Inf(-1)
		for g, v := range r[i*k:][:k] {
			if v += m.bias[g]; v > best {
				best, out[i] = v, g
			}
		}
	}
}

// likeliest returns the group of a record by the shares of its components.
func (m *model) likeliest(row []float64) (group int) {
	if m.kind == twoHeaps {
		at := 0.0
		for n, v := range row {
			at += v * m.nodes.at[n]
		}
		return boolInt(at > m.nodes.border)
	}
	q, best := m.nodes.q(), -1.0
	for k := range m.groups {
		sum := 0.0
		for _, v := range row[k*q:][:q] {
			sum += v
		}
		if sum > best {
			best, group = sum, k
		}
	}
	return group
}

// sized returns n zeros, in the memory of v where it is large enough.
func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return pages.Sums[float64](n)
	}
	v = v[:n]
	clear(v)
	return v
}

func fill(v []float64, x float64) {
	for i := range v {
		v[i] = x
	}
}
