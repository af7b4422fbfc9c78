package normals

import (
	"math"
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
)

// A step of EM by products of matrices. With P the inverse covariance of a cloud and m its
// mean, the squared distance of a row is linear in the row and the products of its values,
//
//	q = Σ_ij P_ij·x_i·x_j − 2·(Pm)·x + mᵀPm
//
// so that the distances of rows from all clouds are the matrix of these times one of
// coefficients, and sums over rows the same matrix, transposed, times the shares. Where all
// clouds have one spread, what is quadratic is the same for all of them; with normal tails
// shares do not depend on it, and sums of products do not change from step to step.

// forms are the rows of a table as a step of EM takes them.
type forms struct {
	t               Table
	linear          []float64 // n×(D+1): a row and 1
	length          []float64 // n: squares of the lengths of rows
	square          products  // squares of values
	crossed         products  // of every two, packed by rows of the lower triangle
	squares, matrix products  // the same, summed over all rows
}

// products of the values of rows, made when they are first asked for.
type products struct {
	once sync.Once
	all  []float64
}

// Kept returns the table with what EM makes of its rows kept from fit to fit.
func (t Table) Kept() Table {
	t.kept = newForms(t)
	return t
}

func (t Table) forms() *forms {
	if t.kept != nil {
		return t.kept
	}
	return newForms(t)
}

func newForms(t Table) *forms {
	f := &forms{length: make([]float64, t.N)}
	f.set(t)
	for i, v := range t.X {
		f.length[i/t.D] += v * v
	}
	return f
}

// set makes the forms those of other rows, but for lengths and sums over all rows, in the
// same memory.
func (f *forms) set(t Table) {
	d := t.D + 1
	f.t, f.linear = t, sized(f.linear, t.N*d)
	for i, x := 0, t.X; i < len(f.linear); i += d {
		row := f.linear[i:][:d]
		copy(row, x[:t.D])
		row[t.D], x = 1, x[t.D:]
	}
	f.square.once, f.crossed.once = sync.Once{}, sync.Once{}
}

// sized returns a list of n numbers, in the memory of another where that is enough.
func sized(list []float64, n int) []float64 {
	if cap(list) < n {
		return make([]float64, n)
	}
	return list[:n]
}

// around shows the squared distances of rows from centers, some rows at a time (n×centers).
func (f *forms) around(centers []float64, show func(from int, dist kernel.Matrix)) {
	d := f.t.D
	k := len(centers) / d
	by, room := matrix(d+1, k), make([]float64, panelRows*k)
	for i, v := range centers {
		by.Data[i%d*k+i/d] = -2 * v
		by.Data[d*k+i/d] += v * v
	}
	for from := 0; from < f.t.N; from += panelRows {
		dist := panel(room, 0, min(panelRows, f.t.N-from), k)
		for i, v := range f.length[from:][:dist.Rows] {
			for c := range k {
				dist.Data[i*k+c] = v
			}
		}
		kernel.Gemm(dist, panel(f.linear, from, dist.Rows, d+1), by)
		for i, v := range dist.Data {
			dist.Data[i] = max(v, 0)
		}
		show(from, dist)
	}
}

// nearest sets the nearest center of every row, and returns the squares of the distances.
func (f *forms) nearest(label []int, centers []float64) (sum float64) {
	f.around(centers, func(from int, dist kernel.Matrix) {
		for i := range dist.Rows {
			row, at := dist.Data[i*dist.Cols:][:dist.Cols], 0
			best := row[0]
			for c, q := range row {
				if q < best {
					best, at = q, c
				}
			}
			label[from+i] = at
			sum += best
		}
	})
	return sum
}

// full reports that a shape has covariances.
func (s Shape) full() bool { return s == Tied || s == Own }

// each is the number of products of a row that a shape asks for.
func (s Shape) each(d int) int {
	if s.full() {
		return d * (d + 1) / 2
	}
	return d
}

// mostKept bounds the products that are kept: 32 MB. Those of more are made as they are
// needed, which takes about a tenth longer.
const mostKept = 1 << 22

// shown shows the products of n rows that a shape asks for, some rows at a time; room is for
// those that are not kept.
func (f *forms) shown(s Shape, from, n int, room *[]float64, show func(from int, list kernel.Matrix)) {
	d := f.t.D
	each := s.each(d)
	if f.t.N*each <= mostKept {
		kept := &f.square
		if s.full() {
			kept = &f.crossed
		}
		kept.once.Do(func() {
			kept.all = sized(kept.all, f.t.N*each)
			s.multiply(kept.all, f.t.X, d)
		})
		show(from, panel(kept.all, from, n, each))
		return
	}
	rows := max(panelNumbers/each, 1)
	*room = sized(*room, rows*each)
	for end := from + n; from < end; from += rows {
		list := panel(*room, 0, min(rows, end-from), each)
		s.multiply(list.Data, f.t.X[from*d:][:list.Rows*d], d)
		show(from, list)
	}
}

// multiply sets out to the products of the values of rows.
func (s Shape) multiply(out, x []float64, d int) {
	if !s.full() {
		for i, v := range x {
			out[i] = v * v
		}
		return
	}
	for ; len(x) > 0; x = x[d:] {
		for h, v := range x[:d] {
			for e, w := range x[:h+1] {
				out[e] = v * w
			}
			out = out[h+1:]
		}
	}
}

// panel is the matrix of some rows of a list with so many numbers a row.
func panel(list []float64, from, n, each int) kernel.Matrix {
	return kernel.Matrix{Data: list[from*each:][:n*each], Rows: n, Cols: each, Stride: each}
}

func matrix(rows, cols int) kernel.Matrix {
	return kernel.Matrix{Data: make([]float64, rows*cols), Rows: rows, Cols: cols, Stride: cols}
}

// pooled reports that all clouds have one spread.
func (s Shape) pooled() bool { return s == Common || s == Tied }

// take adds all rows by their memberships.
func (f *forms) take(s *sums, member []float64) {
	c := f.collect(s)
	for from := 0; from < f.t.N; from += panelRows {
		c.add(from, panel(member, from, min(panelRows, f.t.N-from), s.K))
	}
	c.settle(false)
	copy(s.Size, s.mass)
}

// gather adds all rows by their memberships under m, and returns the log-likelihood.
func (f *forms) gather(s *sums, m *Mixture) float64 {
	c, by := f.collect(s), m.coefficients()
	total, d := 0.0, float64(m.D)
	power := (m.Nu + d) / 2
	bias := m.biases()
	score, dist := matrix(panelRows, m.K), make([]float64, panelRows*m.K)
	log := make([]float64, panelRows)
	for from := 0; from < f.t.N; from += panelRows {
		n := min(panelRows, f.t.N-from)
		z := panel(score.Data, 0, n, m.K)
		by.set(z, f, from)
		dist := dist[:len(z.Data)]
		if m.Nu > 0 {
			for i, q := range z.Data {
				q = max(q, 0)
				dist[i], z.Data[i] = q, min(1+q/m.Nu, math.MaxFloat64)
			}
			kernel.Logs(z.Data)
			for i, v := range z.Data {
				z.Data[i] = -power * v
			}
		}
		kernel.Softmax(z.Data, m.K, bias, log[:n], s.Size)
		for _, v := range log[:n] {
			total += v
		}
		if m.Nu > 0 {
			for i, q := range dist {
				z.Data[i] *= (m.Nu + d) / (m.Nu + q)
			}
		}
		c.add(from, z)
	}
	c.settle(m.Nu == 0)
	if m.Shape.pooled() && m.Nu == 0 {
		for i, p := range m.quadratics(0) {
			total -= p * s.Second[i] / 2
		}
	}
	return total
}

// coefficients of rows and of their products in the squared distances from all clouds where
// tails are heavy; else in log densities, but for the biases and for what is quadratic and the
// same for all clouds.
type coefficients struct {
	m      *Mixture
	linear kernel.Matrix // (D+1)×K
	second kernel.Matrix // products of a row × K, where clouds have spreads of their own
	turn   kernel.Matrix // D×D, where they have one: the coordinates in which it is round

	turned, length []float64 // of the last rows
	room           []float64
}

func (m *Mixture) coefficients() *coefficients {
	d, scale := m.D, 1.0
	if m.Nu == 0 {
		scale = -.5
	}
	p, pm := m.quadratics(0), make([]float64, d)
	c := &coefficients{m: m, linear: matrix(d+1, m.K)}
	if m.Shape.pooled() {
		c.turn = m.round()
	} else {
		c.second = matrix(len(p), m.K)
	}
	for k := range m.K {
		if !m.Shape.pooled() {
			p = m.quadratics(k)
			for i, v := range p {
				c.second.Data[i*m.K+k] = scale * v
			}
		}
		mean, square := m.Mean[k*d:][:d], 0.0
		m.Shape.times(pm, p, mean)
		for h, v := range pm {
			c.linear.Data[h*m.K+k] = -2 * scale * v
			square += v * mean[h]
		}
		c.linear.Data[d*m.K+k] = scale * square
	}
	return c
}

// set sets z to the distances or densities of some rows.
func (c *coefficients) set(z kernel.Matrix, f *forms, from int) {
	clear(z.Data)
	if c.m.Shape.pooled() && c.m.Nu > 0 {
		for i, v := range c.lengths(f, from, z.Rows) {
			for k := range z.Cols {
				z.Data[i*z.Cols+k] = v
			}
		}
	}
	kernel.Gemm(z, panel(f.linear, from, z.Rows, c.m.D+1), c.linear)
	if !c.m.Shape.pooled() {
		f.shown(c.m.Shape, from, z.Rows, &c.room, func(at int, list kernel.Matrix) {
			kernel.Gemm(panel(z.Data, at-from, list.Rows, z.Cols), list, c.second)
		})
	}
}

// round are the coordinates in which the common spread is round, by columns.
func (m *Mixture) round() kernel.Matrix {
	d := m.D
	turn := matrix(d, d)
	for i := range d {
		if m.Shape != Tied {
			turn.Data[i*d+i] = m.factor[i]
			continue
		}
		for j := range i + 1 {
			turn.Data[j*d+i] = m.factor[i*(i+1)/2+j]
		}
	}
	return turn
}

// lengths are the squared lengths of n rows in those coordinates.
func (c *coefficients) lengths(f *forms, from, n int) []float64 {
	d := c.m.D
	c.turned, c.length = sized(c.turned, n*d), sized(c.length, n)
	clear(c.turned)
	kernel.Gemm(panel(c.turned, 0, n, d), panel(f.t.X, from, n, d), c.turn)
	for i := range c.length {
		sum := 0.0
		for _, v := range c.turned[i*d:][:d] {
			sum += v * v
		}
		c.length[i] = sum
	}
	return c.length
}

// quadratics are the coefficients of the products of values in the squared distance from
// cloud k.
func (m *Mixture) quadratics(k int) []float64 {
	d := m.D
	if !m.Shape.full() {
		inverse := m.factor[:d]
		if m.Shape == Diagonal {
			inverse = m.factor[k*d:][:d]
		}
		out := make([]float64, d)
		for h, v := range inverse {
			out[h] = v * v
		}
		return out
	}
	size := d * (d + 1) / 2
	factor := m.factor[:size]
	if m.Shape == Own {
		factor = m.factor[k*size:][:size]
	}
	out := make([]float64, size)
	for i := range d {
		outer(out, factor[i*(i+1)/2:][:i+1], 1)
	}
	for i := range d {
		for j := range i {
			out[i*(i+1)/2+j] *= 2 // which stands for both
		}
	}
	return out
}

// times sets y to the product of the inverse covariance, by its quadratics, and x.
func (s Shape) times(y, p, x []float64) {
	if !s.full() {
		for h, v := range p {
			y[h] = v * x[h]
		}
		return
	}
	clear(y)
	at := 0
	for i, v := range x {
		sum := p[at+i] * v
		for j, w := range p[at : at+i] { // twice what stands in the matrix
			sum += w / 2 * x[j]
			y[j] += w / 2 * v
		}
		y[i] += sum
		at += i + 1
	}
}

// collector adds up rows times their weights in every cloud.
type collector struct {
	f      *forms
	s      *sums
	linear kernel.Matrix // (D+1)×K
	second kernel.Matrix // products of a row × K, where clouds have spreads of their own
	weight []float64     // where they have one: of every row in all clouds together
	room   []float64
}

func (f *forms) collect(s *sums) *collector {
	c := &collector{f: f, s: s, linear: matrix(s.D+1, s.K)}
	if !s.Shape.pooled() {
		c.second = matrix(s.Shape.each(s.D), s.K)
	}
	return c
}

// add adds some rows by their weights (n×K).
func (c *collector) add(from int, weight kernel.Matrix) {
	kernel.GemmTrans(c.linear, panel(c.f.linear, from, weight.Rows, c.s.D+1), weight)
	if !c.s.Shape.pooled() {
		c.f.shown(c.s.Shape, from, weight.Rows, &c.room, func(at int, list kernel.Matrix) {
			kernel.GemmTrans(c.second, list, panel(weight.Data, at-from, list.Rows, weight.Cols))
		})
		return
	}
	for i := range weight.Rows {
		all := 0.0
		for _, w := range weight.Data[i*c.s.K:][:c.s.K] {
			all += w
		}
		c.weight = append(c.weight, all)
	}
}

// settle puts what was added up where the M-step looks for it. Where weights are shares,
// those of a row add up to one.
func (c *collector) settle(shares bool) {
	s := c.s
	for k := range s.K {
		for h := range s.D {
			s.First[k*s.D+h] = c.linear.Data[h*s.K+k]
		}
		s.mass[k] = c.linear.Data[s.D*s.K+k]
	}
	switch {
	case s.Shape.pooled() && shares:
		copy(s.Second, c.f.whole(s.Shape, nil))
	case s.Shape.pooled():
		copy(s.Second, c.f.whole(s.Shape, c.weight))
	default:
		for i, v := range c.second.Data {
			s.Second[i%s.K*c.second.Rows+i/s.K] = v
		}
	}
}

// whole adds up the products of all rows by their weights; nil means one.
func (f *forms) whole(s Shape, weight []float64) []float64 {
	weighed := func() []float64 {
		sum := make([]float64, Spreads(1, f.t.D, s))
		f.weigh(sum, s, weight)
		return s.byRows(sum, f.t.D)
	}
	if weight != nil {
		return weighed()
	}
	kept := &f.squares
	if s.full() {
		kept = &f.matrix
	}
	kept.once.Do(func() { kept.all = weighed() })
	return kept.all
}

// weigh adds the products of all rows by their weights, those of every two values packed by
// columns of the lower triangle; nil means one.
func (f *forms) weigh(sum []float64, s Shape, weight []float64) {
	if s.full() {
		kernel.Outer(sum, f.t.X, weight, f.t.D)
		return
	}
	for i := range f.t.N {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		squares(sum, f.t.Row(i), w)
	}
}

// byRows packs such sums by rows.
func (s Shape) byRows(sum []float64, d int) []float64 {
	if !s.full() {
		return sum
	}
	out, at := make([]float64, len(sum)), 0
	for j := range d {
		for i := j; i < d; i++ {
			out[i*(i+1)/2+j] = sum[at]
			at++
		}
	}
	return out
}
