package verdict

import "github.com/moiety-go/moiety/internal/kernel"

// curving is what the records of one group say of one question: gradients and curvatures of
// its answers at every node, and their sums over the nodes, plain and times the powers of
// the positions. A table of many answers has far more nodes and answers than records, so
// that these sums, by products of matrices, are most of what its verdict costs.
type curving struct {
	n     []float64 // nodes: records, with those of the prior
	prior []float64 // nodes: records that the prior adds to every group, then half counts
	grad  []float64 // answers×nodes, then answers×powers
	curve []float64 // pairs of answers × nodes, then × powers
	sums  []float64
}

// powersOf is the number of powers: one, the positions, and the products of two of them.
func powersOf(dims int) int { return 1 + dims + dims*(dims+1)/2 }

// sum adds up over the nodes of group k. Answers are those but the first; pairs are (0,0),
// (1,0), (1,1), (2,0) …
func (r *curving) sum(m *model, it item, k int, st *stats, pr prior, z powers) {
	c, q, all := it.answers-1, m.nodes.q(), m.components()
	pairs := c * (c + 1) / 2
	r.n, r.grad, r.curve = buffer(r.n, q), buffer(r.grad, c*q), buffer(r.curve, pairs*q)
	r.prior = buffer(r.prior, 2*q)
	records, halves := r.prior[:q], r.prior[q:]
	for node := range q {
		records[node], halves[node] = m.extra(pr, k, node)
	}
	clear(r.n)
	if st.few {
		copy(r.n, st.n[k*q:][:q])
	}
	for i := range it.answers {
		overall, n, grad := pr.overall[it.first+i], r.n, r.grad[max(i-1, 0)*q:][:q]
		for node := range grad { // that of the first answer gives way to the second
			grad[node] = records[node]*overall + halves[node]
		}
		if !st.few {
			for node, v := range st.s[(it.first+i)*all+k*q:][:q] {
				grad[node] += v
			}
		}
		for node, v := range grad {
			n[node] += v
		}
	}
	at := 0
	for i := range c {
		p, grad := m.p[(it.first+1+i)*all+k*q:][:q], r.grad[i*q:][:q]
		for node, v := range p {
			grad[node] -= r.n[node] * v
		}
		for l := range i + 1 {
			other, curve := m.p[(it.first+1+l)*all+k*q:][:q], r.curve[at:][:q]
			for node, v := range p {
				curve[node] = -r.n[node] * v * other[node]
			}
			if l == i {
				for node, v := range p {
					curve[node] += r.n[node] * v
				}
			}
			at += q
		}
	}
	r.sums = buffer(r.sums, (c+pairs)*z.width)
	kernel.DenseMul(r.sums[:c*z.width], r.grad, q, z.z, z.width)
	kernel.DenseMul(r.sums[c*z.width:], r.curve, q, z.z, z.width)
	if st.few {
		r.factors(m, it, k, st, z.width)
	}
}

// factors adds what the records themselves give to the gradients where they were looked at by
// factors: their shares to the group's own log-odds, and their positions, of all groups
// together, to the slopes.
func (r *curving) factors(m *model, it item, k int, st *stats, width int) {
	d := m.nodes.dims
	for i := range it.answers - 1 {
		j, sum := it.first+1+i, r.sums[i*width:]
		sum[0] += st.s[j*m.groups+k]
		if k > 0 {
			continue
		}
		for t, v := range st.s[m.lay.cols*m.groups+j*d:][:d] {
			sum[1+t] += v
		}
	}
}

// spread brings the sums where a step of Newton wants them: gradients of the group's own
// log-odds and of the slopes, curvature among the first (block), with the second (cross), and
// among these, to which all groups add.
func (r *curving) spread(s *question, k int, block, cross []float64, width int) {
	c, u := s.c, s.u
	dims := u / c
	for i := range c {
		sum := r.sums[i*width:]
		s.own[k*c+i] = sum[0]
		for t := range dims {
			s.grad[t*c+i] += sum[1+t]
		}
	}
	sums := r.sums[c*width:]
	for i := range c {
		for l := range i + 1 {
			sum := sums[:width]
			sums = sums[width:]
			s.pair(i, l, block, cross, sum, dims)
			if l != i {
				s.pair(l, i, block, cross, sum, dims)
			}
		}
	}
}

// pair takes over the curvature of two answers.
func (s *question) pair(i, l int, block, cross, sum []float64, dims int) {
	c, u := s.c, s.u
	block[i*c+l] = sum[0]
	squares := sum[1+dims:]
	for t := range dims {
		cross[i*u+t*c+l] = sum[1+t]
		s.curve[(t*c+i)*u+t*c+l] += squares[0]
		for v := t + 1; v < dims; v++ {
			s.curve[(t*c+i)*u+v*c+l] += squares[v-t]
			s.curve[(v*c+i)*u+t*c+l] += squares[v-t]
		}
		squares = squares[dims-t:]
	}
}
