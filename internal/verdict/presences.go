package verdict

// newtonPresences takes one step of Newton for the parameters of every feature.
func (m *model) newtonPresences(st *stats, pr prior) {
	c, q := m.components(), m.nodes.q()
	room := make([]float64, 3*c)
	n := &newton{m: m, st: st, pr: pr, total: room[:c], records: room[c : 2*c], halves: room[2*c:]}
	for i := range n.total {
		n.records[i], n.halves[i] = m.extra(pr, i/q, i%q)
		n.total[i] = st.n[i] + n.records[i] + 2*n.halves[i]
	}
	if m.kind == amount {
		n.common()
		return
	}
	dims := m.nodes.dims
	plain, child := newArrow(m.groups, dims), newArrow(m.groups, dims+1)
	g := make([]float64, m.groups+dims+1)
	for j := range m.lay.cols {
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
}

// feature sets the gradient and the curvature of feature j: of the log-odds of
// the groups, of its first dims slopes, and, behind them, of the strength with
// which it repeats its parent (edge e, or −1).
func (n *newton) feature(j, e int, a *arrow, g []float64, dims int) {
	m, q := n.m, n.m.nodes.q()
	c := m.components()
	a.clear()
	clear(g)
	for t := range dims {
		g[m.groups+t] = -ridge * m.a[t*m.lay.cols+j]
	}
	if e >= 0 {
		g[m.groups+dims] = -ridge * m.g[e]
	}
	if e < 0 && dims == 0 {
		n.groups(j, a, g)
		return
	}
	sum, p := n.st.s[j*c:][:c], m.p[j*c:][:c]
	overall := n.pr.overall[j]
	for i, k, node := 0, 0, 0; i < c; i++ {
		s := sum[i] + n.records[i]*overall + n.halves[i]
		grad, curve, own, ownGrad := n.at(i, j, e, s, p[i])
		g[k] += grad
		a.diag[k] += curve
		if e >= 0 {
			g[m.groups+dims] += ownGrad
			a.cross[k*a.u+dims] += own
			a.dense[dims*a.u+dims] += own
		}
		if dims > 0 {
			n.slopes(k, node, dims, grad, curve, own, a, g)
		}
		if node++; node == q {
			k, node = k+1, 0
		}
	}
}

// groups is feature where nothing but the log-odds of the groups is free.
func (n *newton) groups(j int, a *arrow, g []float64) {
	q := n.m.nodes.q()
	c := n.m.components()
	overall := n.pr.overall[j]
	sum, p := n.st.s[j*c:][:c], n.m.p[j*c:][:c]
	total, records, halves := n.total[:c], n.records[:c], n.halves[:c]
	for k := range a.diag {
		grad, curve := 0.0, a.diag[k]
		for i := k * q; i < (k+1)*q; i++ {
			there := total[i] * p[i]
			grad += sum[i] + records[i]*overall + halves[i] - there
			curve += there * (1 - p[i])
		}
		g[k], a.diag[k] = grad, curve
	}
}

// at returns gradient and curvature of the log-odds of component i, and those
// of the part that has the parent.
func (n *newton) at(i, j, e int, s, p float64) (grad, curve, own, ownGrad float64) {
	if e < 0 {
		return s - n.total[i]*p, n.total[i] * p * (1 - p), 0, 0
	}
	c := n.m.components()
	parent := n.st.s[(n.m.lay.cols+e)*c+i]
	both := n.st.s[(n.m.lay.cols+n.m.forest.children()+e)*c+i]
	p1 := n.m.p1[e*c+i]
	without := n.total[i] - parent
	own = parent * p1 * (1 - p1)
	return s - without*p - parent*p1, without*p*(1-p) + own, own, both - parent*p1
}

// slopes adds the part of the free slopes.
func (n *newton) slopes(k, node, dims int, grad, curve, own float64, a *arrow, g []float64) {
	z := n.m.nodes.at[node*n.m.nodes.dims:]
	for t := range dims {
		g[a.k+t] += grad * z[t]
		a.cross[k*a.u+t] += curve * z[t]
		dense, along := a.dense[t*a.u:][:dims], curve*z[t]
		for v, w := range z[:dims] {
			dense[v] += along * w
		}
		if a.u > dims {
			a.dense[t*a.u+dims] += own * z[t]
			a.dense[dims*a.u+t] += own * z[t]
		}
	}
}

// common takes the step where one slope serves all features: each feature's own
// parameters are eliminated, the slope is solved for, and put back.
func (n *newton) common() {
	m := n.m
	plain, child := newArrow(m.groups, 0), newArrow(m.groups, 1)
	width := m.groups + 1
	own, along := make([]float64, m.lay.cols*width), make([]float64, m.lay.cols*width)
	grad, curve := 0.0, 0.0
	for j := range m.lay.cols {
		a, e := plain, m.forest.of(j)
		if e >= 0 {
			a = child
		}
		g, h := own[j*width:][:m.groups+a.u], along[j*width:][:m.groups+a.u]
		n.feature(j, e, a, g, 0)
		sg, sh := n.withSlope(j, e, h)
		before := append([]float64(nil), h...)
		a.solve(g)
		a.solve(h)
		for i, v := range before {
			sg -= v * g[i]
			sh -= v * h[i]
		}
		grad += sg
		curve += sh
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
	c := m.components()
	sum, p, overall := n.st.s[j*c:][:c], m.p[j*c:][:c], n.pr.overall[j]
	if e < 0 {
		total, records, halves := n.total[:c], n.records[:c], n.halves[:c]
		for k := range m.groups {
			along := 0.0
			for node, z := range m.nodes.at[:q] {
				i := k*q + node
				there := total[i] * p[i]
				w := there * (1 - p[i])
				grad += (sum[i] + records[i]*overall + halves[i] - there) * z
				curve += w * z * z
				along += w * z
			}
			h[k] = along
		}
		return grad, curve
	}
	for i, k, node := 0, 0, 0; i < c; i++ {
		s := sum[i] + n.records[i]*overall + n.halves[i]
		g, w, own, _ := n.at(i, j, e, s, p[i])
		z := m.nodes.at[node]
		grad += g * z
		curve += w * z * z
		h[k] += w * z
		if e >= 0 {
			h[m.groups] += own * z
		}
		if node++; node == q {
			k, node = k+1, 0
		}
	}
	return grad, curve
}
