package verdict

import "github.com/moiety-go/moiety/internal/kernel"

// newtonPresences takes one step of Newton for the parameters of every feature.
func (m *model) newtonPresences(st *stats, pr prior) {
	n := newNewton(m, st, pr)
	if m.kind == amount {
		n.common()
		return
	}
	st.team.parts(m.lay.cols, 3*len(m.p), n.each)
}

// each takes the step of the features from to to−1, each for itself.
func (n *newton) each(from, to int) {
	m, dims := n.m, n.m.nodes.dims
	plain, child := newArrow(m.groups, dims), newArrow(m.groups, dims+1)
	g := make([]float64, m.groups+dims+1)
	for j := from; j < to; j++ {
		a, e := plain, m.forest.of(j)
		if e >= 0 {
			a = child
		}
		step := g[:m.groups+a.u]
		n.feature(j, e, a, step, dims)
		a.solve(step)
		for k := range m.groups {
			m.b[k*m.lay.cols+j] += clip(step[k], farthest)
		}
		for t := range dims {
			m.a[t*m.lay.cols+j] += clip(step[m.groups+t], farSlope)
		}
		if e >= 0 {
			m.g[e] += clip(step[m.groups+dims], farSlope)
		}
	}
}

// newton is what one step shares.
type newton struct {
	m     *model
	st    *stats
	pr    prior
	total []float64 // records of every component, with those of the prior

	records, halves []float64 // what the prior adds to every component

	// grad and curve are gradient and curvature of the log-odds of every feature in every
	// group, added up over the nodes: as they are, times each position, and times
	// each product of two positions (width numbers a group; gradients end after the positions).
	// They are those of features that repeat no other.
	grad, curve []float64
	slopes      int
	width       int
}

func newNewton(m *model, st *stats, pr prior) *newton {
	c, q, d := m.components(), m.nodes.q(), m.nodes.dims
	buf := make([]float64, 3*c)
	n := &newton{m: m, st: st, pr: pr, total: buf[:c], records: buf[c : 2*c], halves: buf[2*c:], slopes: 1 + d, width: powersOf(d)}
	for i := range n.total {
		n.records[i], n.halves[i] = m.extra(pr, i/q, i%q)
		n.total[i] = st.n[i] + n.records[i] + 2*n.halves[i]
	}
	size, sums := m.lay.cols*c, m.lay.cols*m.groups
	st.newton = buffer(st.newton, 2*size+sums*(n.slopes+n.width))
	grad, curve, rest := st.newton[:size], st.newton[size:2*size], st.newton[2*size:]
	n.grad, n.curve = rest[:sums*n.slopes], rest[sums*n.slopes:]
	z := m.nodes.powers(n.width)
	first := z.first(n.slopes)
	var zeros []float64
	if st.few {
		zeros = make([]float64, together*c)
	}
	st.team.parts((m.lay.cols+together-1)/together, 3*size, func(from, to int) {
		for i := from; i < to; i++ {
			lo, hi := i*together, min((i+1)*together, m.lay.cols)
			g, h, k, sum := grad[lo*c:hi*c], curve[lo*c:hi*c], m.groups, zeros
			if !st.few {
				sum = st.s[lo*c : hi*c]
			}
			kernel.Curves(g, h, sum, m.p[lo*c:hi*c], pr.overall[lo:hi], buf)
			kernel.DenseMul(n.grad[lo*k*n.slopes:hi*k*n.slopes], g, q, first, n.slopes)
			kernel.DenseMul(n.curve[lo*k*n.width:hi*k*n.width], h, q, z.z, n.width)
			if st.few {
				n.withSums(lo, hi)
			}
		}
	})
	return n
}

// withSums adds the sums of factors to the gradients of the features from to to−1. Of
// slopes, which all groups share, the first group has those of all.
func (n *newton) withSums(from, to int) {
	k, d := n.m.groups, n.slopes-1
	at := n.st.s[n.m.lay.cols*k:]
	for j := from; j < to; j++ {
		grad := n.grad[j*k*n.slopes:][:k*n.slopes]
		for g, v := range n.st.s[j*k:][:k] {
			grad[g*n.slopes] += v
		}
		for t, v := range at[j*d:][:d] {
			grad[1+t] += v
		}
	}
}

// powers are ones, the positions, and the products of two of them, a row a node.
type powers struct {
	width int
	z     []float64
}

func (n *nodes) powers(width int) powers {
	z := make([]float64, 0, n.q()*width)
	for i := range n.q() {
		at := n.at[i*n.dims:][:n.dims]
		z = append(append(z, 1), at...)
		for t, v := range at {
			for _, w := range at[t:] {
				z = append(z, v*w)
			}
		}
	}
	return powers{width, z}
}

// first returns the first columns.
func (p powers) first(n int) []float64 {
	if n == p.width {
		return p.z
	}
	out := make([]float64, 0, len(p.z)/p.width*n)
	for z := p.z; len(z) > 0; z = z[p.width:] {
		out = append(out, z[:n]...)
	}
	return out
}

// feature sets the gradient and the curvature of feature j: of the log-odds of
// the groups, of its first dims slopes, and, behind them, of the strength with
// which it repeats its parent (edge e, or −1).
func (n *newton) feature(j, e int, a *arrow, g []float64, dims int) {
	m := n.m
	a.clear()
	clear(g)
	for t := range dims {
		g[m.groups+t] = -ridge * m.a[t*m.lay.cols+j]
	}
	if e >= 0 {
		g[m.groups+dims] = -ridge * m.g[e]
		n.repeated(j, e, a, g, dims)
		return
	}
	for k := range m.groups {
		grad, curve := n.grad[(j*m.groups+k)*n.slopes:][:n.slopes], n.curve[(j*m.groups+k)*n.width:][:n.width]
		g[k] = grad[0]
		a.diag[k] += curve[0]
		squares := curve[n.slopes:]
		for t := range dims {
			g[m.groups+t] += grad[1+t]
			a.cross[k*a.u+t] = curve[1+t]
			for v := t; v < dims; v++ {
				a.dense[t*a.u+v] += squares[v-t]
			}
			squares = squares[dims-t:]
		}
	}
	for t := range dims {
		for v := range t {
			a.dense[t*a.u+v] = a.dense[v*a.u+t]
		}
	}
}

// repeated is feature for one that repeats its parent.
func (n *newton) repeated(j, e int, a *arrow, g []float64, dims int) {
	m, q := n.m, n.m.nodes.q()
	c := m.components()
	sum, p := n.st.s[j*c:][:c], m.p[j*c:][:c]
	overall := n.pr.overall[j]
	for i, k, node := 0, 0, 0; i < c; i++ {
		s := sum[i] + n.records[i]*overall + n.halves[i]
		grad, curve, own, ownGrad := n.at(i, e, s, p[i])
		g[k] += grad
		a.diag[k] += curve
		g[m.groups+dims] += ownGrad
		a.cross[k*a.u+dims] += own
		a.dense[dims*a.u+dims] += own
		if dims > 0 {
			n.along(k, node, dims, grad, curve, own, a, g)
		}
		if node++; node == q {
			k, node = k+1, 0
		}
	}
}

// at returns gradient and curvature of the log-odds of component i, and those
// of the part that has the parent.
func (n *newton) at(i, e int, s, p float64) (grad, curve, own, ownGrad float64) {
	c := n.m.components()
	parent := n.st.s[(n.m.lay.cols+e)*c+i]
	both := n.st.s[(n.m.lay.cols+n.m.forest.children()+e)*c+i]
	p1 := n.m.p1[e*c+i]
	without := n.total[i] - parent
	own = parent * p1 * (1 - p1)
	return s - without*p - parent*p1, without*p*(1-p) + own, own, both - parent*p1
}

// along adds the part of the free slopes.
func (n *newton) along(k, node, dims int, grad, curve, own float64, a *arrow, g []float64) {
	z := n.m.nodes.at[node*n.m.nodes.dims:]
	for t := range dims {
		g[a.k+t] += grad * z[t]
		a.cross[k*a.u+t] += curve * z[t]
		dense, along := a.dense[t*a.u:][:dims], curve*z[t]
		for v, w := range z[:dims] {
			dense[v] += along * w
		}
		a.dense[t*a.u+dims] += own * z[t]
		a.dense[dims*a.u+t] += own * z[t]
	}
}

// common takes the step where one slope serves all features: each feature's own
// parameters are eliminated, the slope is solved for, and put back.
func (n *newton) common() {
	m := n.m
	width := m.groups + 1
	own, along := make([]float64, m.lay.cols*width), make([]float64, m.lay.cols*width)
	slope := make([][2]float64, m.lay.cols) // gradient and curvature of the common slope
	n.st.team.parts(m.lay.cols, 3*len(m.p), func(from, to int) {
		plain, child := newArrow(m.groups, 0), newArrow(m.groups, 1)
		before := make([]float64, width)
		for j := from; j < to; j++ {
			a, e := plain, m.forest.of(j)
			if e >= 0 {
				a = child
			}
			g, h := own[j*width:][:m.groups+a.u], along[j*width:][:m.groups+a.u]
			n.feature(j, e, a, g, 0)
			sg, sh := n.withSlope(j, e, h)
			copy(before, h)
			a.solve(g)
			a.solve(h)
			for i, v := range before[:len(h)] {
				sg -= v * g[i]
				sh -= v * h[i]
			}
			slope[j] = [2]float64{sg, sh}
		}
	})
	grad, curve := 0.0, 0.0
	for _, s := range slope {
		grad += s[0]
		curve += s[1]
	}
	step := clip(grad/max(curve, 1e-6), farAmount)
	for j := range m.lay.cols {
		m.a[j] += step
		for k := range m.groups {
			m.b[k*m.lay.cols+j] += clip(own[j*width+k]-along[j*width+k]*step, farthest)
		}
		if e := m.forest.of(j); e >= 0 {
			m.g[e] += clip(own[j*width+m.groups]-along[j*width+m.groups]*step, farSlope)
		}
	}
}

// withSlope returns gradient and curvature of the common slope at feature j, and
// sets h to its curvature with the feature's own parameters.
func (n *newton) withSlope(j, e int, h []float64) (grad, curve float64) {
	m, q := n.m, n.m.nodes.q()
	if e < 0 {
		for k := range m.groups {
			grad += n.grad[(j*m.groups+k)*n.slopes+1]
			w := n.curve[(j*m.groups+k)*n.width:]
			h[k], curve = w[1], curve+w[2]
		}
		return grad, curve
	}
	c := m.components()
	sum, p, overall := n.st.s[j*c:][:c], m.p[j*c:][:c], n.pr.overall[j]
	for i, k, node := 0, 0, 0; i < c; i++ {
		s := sum[i] + n.records[i]*overall + n.halves[i]
		g, w, own, _ := n.at(i, e, s, p[i])
		z := m.nodes.at[node]
		grad += g * z
		curve += w * z * z
		h[k] += w * z
		h[m.groups] += own * z
		if node++; node == q {
			k, node = k+1, 0
		}
	}
	return grad, curve
}
