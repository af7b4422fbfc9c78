package normals

import (
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
)

// Step is a step of EM over rows that come some at a time, by the products of matrices of
// forms. It is for normal tails, and for any number of goroutines.
type Step struct {
	m    *Mixture
	by   coefficients // of log densities, biases included
	near bool         // products keep their digits
	free sync.Pool    // of *Panel: memory only, never content
}

// far is the squared distance of a cloud from the middle, in its own spread, from which on
// densities are not found by products: 1e-16 of it are lost.
const far = 1e8

// Step prepares the clouds for a pass over rows.
func (m *Mixture) Step() *Step {
	s := &Step{m: m, by: *m.coefficients(), near: true}
	for k, b := range m.biases() {
		v := &s.by.linear.Data[m.D*m.K+k]
		s.near = s.near && -2**v <= far
		*v += b
	}
	return s
}

// Panel holds some rows, what the clouds say of them, and the sums over all rows so far.
type Panel struct {
	Rows  Table
	Share []float64 // n×K: shares of the clouds in every row
	Log   []float64 // n: log densities are added to these

	step   *Step
	by     coefficients
	f      forms
	x      []float64 // rows, zeros where something is missing
	log    []float64
	blank  []int // rows of which something is missing
	size   []float64
	linear kernel.Matrix
	second kernel.Matrix
	pooled []float64
}

// panelNumbers bounds the products of a panel: they are read twice, and should still be in a cache.
const panelNumbers = 1 << 15

// Panel returns a panel without rows, and how many rows it takes at a time.
func (s *Step) Panel() (p *Panel, rows int) {
	m := s.m
	each := 1
	if !m.Shape.pooled() {
		each = Spreads(1, m.D, m.Shape)
	}
	rows = min(max(panelNumbers/max(each, m.D, m.K), 8), 2*panelRows)
	p, _ = s.free.Get().(*Panel)
	if p == nil {
		p = &Panel{step: s, by: s.by, linear: matrix(m.D+1, m.K), size: make([]float64, m.K)}
		if m.Shape.pooled() {
			p.pooled = make([]float64, Spreads(1, m.D, m.Shape))
		} else {
			p.second = matrix(each, m.K)
		}
	}
	for _, sum := range [][]float64{p.linear.Data, p.second.Data, p.size, p.pooled} {
		clear(sum)
	}
	return p, rows
}

// Free takes a panel that nobody needs any more.
func (s *Step) Free(p *Panel) { s.free.Put(p) }

// Take makes room for n rows, which the caller sets, with what is added to their log densities.
func (p *Panel) Take(n int) {
	d, k := p.step.m.D, p.step.m.K
	p.Rows = Table{N: n, D: d, X: sized(p.Rows.X, n*d)}
	p.Share, p.Log, p.log = sized(p.Share, n*k), sized(p.Log, n), sized(p.log, n)
}

// Weigh sets the shares of the rows taken, by what is there of them.
func (p *Panel) Weigh() {
	m, t := p.step.m, p.Rows
	p.blank = p.blank[:0]
	if Blank(t.X) {
		p.x = append(p.x[:0], t.X...)
		t.X = p.x
		for i := range t.N {
			if x := t.Row(i); Blank(x) {
				p.blank = append(p.blank, i)
				clear(x)
			}
		}
	}
	p.f.set(t)
	if p.step.near {
		p.by.set(panel(p.Share, 0, t.N, m.K), &p.f, 0)
		if m.Shape.pooled() {
			for i, v := range p.by.lengths(&p.f, 0, t.N) {
				p.Log[i] -= v / 2
			}
		}
	} else {
		m.Scores(t, p.Share)
	}
	for _, i := range p.blank {
		m.marginal(p.Share[i*m.K:][:m.K], p.Rows.Row(i))
	}
	kernel.Softmax(p.Share, m.K, nil, p.log, p.size)
	for i, v := range p.log {
		p.Log[i] += v
	}
}

// Add adds the rows weighed to the sums, with what is missing as the clouds expect it: the
// E-step of Ghahramani and Jordan 1994.
func (p *Panel) Add(s Stats) {
	share := panel(p.Share, 0, p.Rows.N, s.K)
	kernel.GemmTrans(p.linear, panel(p.f.linear, 0, share.Rows, s.D+1), share)
	if s.Shape.pooled() {
		p.f.weigh(p.pooled, s.Shape, nil)
	} else {
		p.f.shown(s.Shape, 0, share.Rows, &p.by.room, func(from int, list kernel.Matrix) {
			kernel.GemmTrans(p.second, list, panel(p.Share, from, list.Rows, s.K))
		})
	}
	for _, i := range p.blank {
		s.expect(p.step.m, p.Rows.Row(i), p.Share[i*s.K:][:s.K])
	}
}

// Settle adds the sums to statistics.
func (p *Panel) Settle(s Stats) {
	for k, n := range p.size {
		s.Size[k] += n
		for h := range s.D {
			s.First[k*s.D+h] += p.linear.Data[h*s.K+k]
		}
	}
	if s.Shape.pooled() {
		for i, v := range s.Shape.byRows(p.pooled, s.D) {
			s.Second[i] += v
		}
		return
	}
	for i, v := range p.second.Data {
		s.Second[i%s.K*p.second.Rows+i/s.K] += v
	}
}
