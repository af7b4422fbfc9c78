package verdict

// newtonAnswers takes one step of Newton for the parameters of every question.
// Where one slope an answer serves all questions (amount), those with the same
// number of answers share it.
func (m *model) newtonAnswers(st *stats, pr prior) {
	tied := map[int]*shared{}
	for _, it := range m.lay.items {
		if tied[it.answers] == nil {
			u := m.nodes.dims * (it.answers - 1)
			tied[it.answers] = &shared{curve: make([]float64, u*u), grad: make([]float64, u)}
		}
	}
	steps, z := make([]*question, len(m.lay.items)), m.nodes.powers(powersOf(m.nodes.dims))
	st.team.parts(len(steps), 6*m.lay.cols*m.components(), func(from, to int) {
		room := &curving{}
		for i := from; i < to; i++ {
			s := m.question(m.lay.items[i], st, pr, z, room)
			steps[i] = s
			if m.kind == amount {
				continue
			}
			for n := range s.u {
				s.curve[n*s.u+n] += ridge + stiff
			}
			solveSmall(s.curve, s.grad, s.u)
			m.move(s, s.grad, farSlope)
		}
	})
	if m.kind != amount {
		return
	}
	for _, s := range steps {
		tied[s.it.answers].add(s)
	}
	for _, t := range tied {
		u := len(t.grad)
		for n := range u {
			t.curve[n*u+n] += stiff
		}
		solveSmall(t.curve, t.grad, u)
	}
	for _, s := range steps {
		m.move(s, tied[s.it.answers].grad, farAmount)
	}
}

// shared is the step of slopes that several questions share.
type shared struct {
	curve, grad []float64
}

func (t *shared) add(s *question) {
	for i, v := range s.curve {
		t.curve[i] += v
	}
	for i, v := range s.grad {
		t.grad[i] += v
	}
}

// question is the step of one question, with the log-odds of the groups
// eliminated: what is left is curvature and gradient of its slopes.
type question struct {
	it    item
	c, u  int       // free answers; slopes: dims×c
	own   []float64 // groups×c: step of the log-odds for slopes that stay
	along []float64 // groups×c×u: how they follow the slopes
	curve []float64 // u×u
	grad  []float64 // u
}

// question returns the step of one question; z are the powers of the positions.
func (m *model) question(it item, st *stats, pr prior, z powers, room *curving) *question {
	c := it.answers - 1
	u := m.nodes.dims * c
	s := &question{
		it: it, c: c, u: u, own: make([]float64, m.groups*c), along: make([]float64, m.groups*c*u),
		curve: make([]float64, u*u), grad: make([]float64, u),
	}
	block, before := make([]float64, c*c), make([]float64, c*u)
	for k := range m.groups {
		cross := s.along[k*c*u:][:c*u]
		room.sum(m, it, k, st, pr, z)
		room.spread(s, k, block, cross, z.width)
		copy(before, cross)
		for i := range c {
			block[i*c+i] += stiff
		}
		solveMany(block, s.own[k*c:][:c], cross, c, u)
		for i := range c { // Schur complement
			for a := range u {
				f := before[i*u+a]
				s.grad[a] -= f * s.own[k*c+i]
				for b := range u {
					s.curve[a*u+b] -= f * cross[i*u+b]
				}
			}
		}
	}
	if m.kind != amount {
		for t := range m.nodes.dims {
			for i := range c {
				s.grad[t*c+i] -= ridge * m.a[t*m.lay.cols+it.first+1+i]
			}
		}
	}
	return s
}

// move takes the step of a question for a step of its slopes.
func (m *model) move(s *question, slopes []float64, far float64) {
	step := make([]float64, s.u)
	for i, v := range slopes {
		step[i] = clip(v, far)
	}
	for k := range m.groups {
		for i := range s.c {
			v := s.own[k*s.c+i]
			for a, f := range s.along[(k*s.c+i)*s.u:][:s.u] {
				v -= f * step[a]
			}
			m.b[k*m.lay.cols+s.it.first+1+i] += clip(v, farthest)
		}
	}
	for t := range m.nodes.dims {
		for i := range s.c {
			m.a[t*m.lay.cols+s.it.first+1+i] += step[t*s.c+i]
		}
	}
}

// solveMany solves a·x = r and a·Y = z (n×u) in place.
func solveMany(a, r, z []float64, n, u int) {
	for i := range n {
		pivot := max(a[i*n+i], 1e-10)
		a[i*n+i] = pivot
		for j := i + 1; j < n; j++ {
			f := a[j*n+i] / pivot
			if f == 0 {
				continue
			}
			for l := i; l < n; l++ {
				a[j*n+l] -= f * a[i*n+l]
			}
			r[j] -= f * r[i]
			for l := range u {
				z[j*u+l] -= f * z[i*u+l]
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for l := i + 1; l < n; l++ {
			f := a[i*n+l]
			r[i] -= f * r[l]
			for v := range u {
				z[i*u+v] -= f * z[l*u+v]
			}
		}
		r[i] /= a[i*n+i]
		for v := range u {
			z[i*u+v] /= a[i*n+i]
		}
	}
}
