package normals

import "math"

// Options of EM.
type Options struct {
	Shape Shape
	Nu    float64 // degrees of freedom of the tails; 0 means normal
	Steps int     // at most
}

// convergedTol is the gain of the log-likelihood a row below which EM ends.
const convergedTol = 3e-5

// EM fits k clouds from the memberships given (n×k); they are not changed.
func EM(t Table, member []float64, k int, o Options) *Mixture {
	f := t.forms()
	s := newSums(t, k, o)
	f.take(s, member)
	s.everywhere(t)
	m := s.mixture()
	return m.more(t, f, o.Steps)
}

// More goes on with EM for at most so many steps.
func (m *Mixture) More(t Table, steps int) *Mixture { return m.more(t, t.forms(), steps) }

func (m *Mixture) more(t Table, f *forms, steps int) *Mixture {
	o := Options{m.Shape, m.Nu, steps}
	last := math.Inf(-1)
	for step := 0; ; step++ {
		s := newSums(t, m.K, o)
		loglik := []float64{f.gather(s, m)}
		s.everywhere(t, loglik)
		m.LogLik = loglik[0]
		if step >= steps || step > 1 && m.LogLik-last < convergedTol*s.n {
			return m
		}
		last = m.LogLik
		m = s.mixture()
	}
}

// sums are the statistics of the M-step: rows weigh less in a cloud the farther
// out they lie, where tails are heavy.
type sums struct {
	Stats
	list []float64 // of the statistics
	nu   float64
	n    float64
	mass []float64 // K: shares times weights of the tails
}

func newSums(t Table, k int, o Options) *sums {
	list := make([]float64, StatsLen(k, t.D, o.Shape))
	return &sums{NewStats(list, k, t.D, o.Shape), list, o.Nu, float64(t.N), make([]float64, k)}
}

// everywhere makes the sums those of all places, and others with them.
func (s *sums) everywhere(t Table, others ...[]float64) {
	if t.Total == nil {
		return
	}
	n := []float64{s.n}
	t.Total(append(others, s.list, s.mass, n)...)
	s.n = n[0]
}

// The prior: a cloud's own full covariance has d+2 pseudo-rows of what all
// clouds have in common, a diagonal one 2. A ridge keeps flat tables upright: the
// same for every cloud of every shape, since along a direction without spread (a
// column that is the sum of others) it alone makes the density, and a shape with
// less of it would win by that.
const (
	diagonalRows = 2
	ridge        = 1e-4
	leastShare   = 1e-9
)

// mixture is the M-step.
func (s *sums) mixture() *Mixture {
	d, n := s.D, s.n
	m := &Mixture{K: s.K, D: d, Shape: s.Shape, Nu: s.nu, Weight: make([]float64, s.K), Mean: make([]float64, s.K*d)}
	for k := range s.K {
		m.Weight[k] = (s.Size[k] + leastShare) / (n + float64(s.K)*leastShare)
		for h := range d {
			m.Mean[k*d+h] = s.First[k*d+h] / (s.mass[k] + leastShare)
		}
	}
	if s.Shape == Tied || s.Shape == Own {
		s.full(m, n)
	} else {
		s.diagonal(m, n)
	}
	return m
}

func (s *sums) full(m *Mixture, n float64) {
	d, size := s.D, s.D*(s.D+1)/2
	s.centre(m.Mean, s.mass)
	pooled := s.pooled()
	for i := range pooled {
		pooled[i] /= n
	}
	if s.Shape == Tied {
		upright(pooled, d)
		m.factored(pooled, 1)
		return
	}
	rows := float64(d + 2)
	for k := range s.K {
		own := s.Second[k*size:][:size]
		for i := range own {
			own[i] = (own[i] + rows*pooled[i]) / (s.Size[k] + rows)
		}
		upright(own, d)
	}
	m.factored(s.Second, s.K)
}

// upright adds the ridge to a covariance packed by rows of the lower triangle.
func upright(packed []float64, d int) {
	for i := range d {
		packed[i*(i+3)/2] += ridge
	}
}

func (s *sums) diagonal(m *Mixture, n float64) {
	d := s.D
	s.centre(m.Mean, s.mass)
	pooled := s.pooled()
	for h := range pooled {
		pooled[h] = max(pooled[h], 0) / n
	}
	spread := pooled
	if s.Shape == Diagonal {
		spread = make([]float64, s.K*d)
		for i := range spread {
			spread[i] = (max(s.Second[i], 0) + diagonalRows*pooled[i%d]) / (s.Size[i/d] + diagonalRows)
		}
	}
	for i := range spread {
		spread[i] += ridge
	}
	m.deviated(spread)
}
