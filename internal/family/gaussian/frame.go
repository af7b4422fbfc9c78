package gaussian

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/sparse"
)

// panelRows is the number of records worked on at once.
const panelRows = 256

// frame is the affine map t_h = (x_h − shift_h)·inv_h in which all sums are
// made: records far from the origin keep their digits. Features with inv_h = 0
// take no part.
type frame struct {
	shift, inv []float64 // d
	active     int       // features with inv_h > 0
	logScale   float64   // Σ log s_h over those
	base       float64   // |t|² of the record x = 0
}

func newFrame(shift, scale []float64) *frame {
	f := &frame{shift: shift, inv: make([]float64, len(shift))}
	for h, s := range scale {
		if s > 0 {
			f.inv[h] = 1 / s
			f.active++
			f.logScale += math.Log(s)
			t := shift[h] / s
			f.base += t * t
		}
	}
	return f
}

// frameOf returns the frame around the middle of the centers of p. It depends on
// p alone, so the E-step and the M-step share it, and not on the weights, so
// that statistics are the same however a record's responsibilities came about.
func frameOf(p mixture.Params) *frame {
	shift, scale := make([]float64, p.Dim()), make([]float64, p.Dim())
	for h := range shift {
		shift[h] = floats.Sum(p.Centers.RawRowView(h)) / float64(p.K())
		scale[h] = p.Extra[ScaleOf].At(h, 0)
	}
	return newFrame(shift, scale)
}

// tilde returns the centers of p in the frame, d×k row by row.
func (f *frame) tilde(p mixture.Params) []float64 {
	k := p.K()
	out := make([]float64, p.Dim()*k)
	for h, s := range f.shift {
		for j, v := range p.Centers.RawRowView(h) {
			out[h*k+j] = (v - s) * f.inv[h]
		}
	}
	return out
}

// panel is a run of rows seen in a frame. Dense rows are shifted copies; sparse
// rows stay as they are and the shift is made good in the products.
type panel struct {
	f       *frame
	rows    sparse.Rows
	shifted bool
}

// panel returns rows in the frame; buf is reused from call to call.
func (f *frame) panel(rows sparse.Rows, buf *[]float64) panel {
	if !rows.IsDense() {
		return panel{f, rows, false}
	}
	d := rows.Dim
	if cap(*buf) < rows.N()*d {
		*buf = make([]float64, rows.N()*d)
	}
	out := (*buf)[:rows.N()*d]
	for i := range rows.N() {
		row := out[i*d:][:d]
		for h, v := range rows.DenseRow(i) {
			row[h] = v - f.shift[h]
		}
	}
	return panel{f, sparse.Rows{Dim: d, Dense: out}, true}
}

// basis is a d×l matrix prepared for products with panels of one frame.
type basis struct {
	l      int
	scaled []float64 // row h times inv_h
	origin []float64 // l: the product with t of the record x = 0, negated
}

func (f *frame) basis(b []float64, l int) *basis {
	out := &basis{l: l, scaled: make([]float64, len(b)), origin: make([]float64, l)}
	for h, g := range f.inv {
		for a := range l {
			v := g * b[h*l+a]
			out.scaled[h*l+a] = v
			out.origin[a] += v * f.shift[h]
		}
	}
	return out
}

// mul sets z (n×l) to the products tᵀB.
func (p panel) mul(z []float64, b *basis) {
	p.rows.MulTo(z, b.scaled, b.l)
	if p.shifted {
		return
	}
	for i := range p.rows.N() {
		floats.Sub(z[i*b.l:][:b.l], b.origin)
	}
}

// squares sets out (n) to |t|².
func (p panel) squares(out []float64) {
	for i := range p.rows.N() {
		sum := 0.0
		if p.shifted {
			for h, v := range p.rows.DenseRow(i) {
				v *= p.f.inv[h]
				sum += v * v
			}
			out[i] = sum
			continue
		}
		index, value := p.rows.Row(i)
		for e, h := range index {
			x := 1.0
			if value != nil {
				x = float64(value[e])
			}
			g := p.f.inv[h]
			sum += g * g * x * (x - 2*p.f.shift[h])
		}
		out[i] = math.Max(p.f.base+sum, 0)
		if math.IsNaN(sum) {
			out[i] = sum
		}
	}
}

// table is a (d+1)×l table of sums Σ (x−shift)⊗z whose last row is Σ z. The
// shift of sparse rows is made good once a block, by close.
type table struct {
	sum   []float64
	l     int
	later []float64 // l: Σ z of the rows not yet shifted
}

func newTable(sum []float64, l int) *table {
	return &table{sum: sum, l: l, later: make([]float64, l)}
}

// add adds a panel with its n×l matrix z.
func (t *table) add(p panel, z []float64) {
	p.rows.AddTransMul(t.sum[:p.rows.Dim*t.l], z, t.l)
	total := t.later
	if p.shifted {
		total = t.sum[p.rows.Dim*t.l:]
	}
	for i := range p.rows.N() {
		floats.Add(total, z[i*t.l:][:t.l])
	}
}

// close shifts what add left unshifted.
func (t *table) close(f *frame) {
	for h, s := range f.shift {
		if s != 0 {
			floats.AddScaled(t.sum[h*t.l:][:t.l], -s, t.later)
		}
	}
	floats.Add(t.sum[len(f.shift)*t.l:], t.later)
	clear(t.later)
}

const wantNumber = "measurements must be finite numbers; fill in or leave out the records or features with missing values"

// legal says what is wrong with a value that should be a measurement.
func legal(_ int, x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return wantNumber
	}
	return ""
}

// numbers reports the first value of the rows that is no number; first is the
// number of the first record.
func numbers(rows sparse.Rows, first int) error {
	return legalRows(rows, first, func(v float64) bool { return v-v == 0 })
}

// numbersOrBlanks is numbers where values may be missing.
func numbersOrBlanks(rows sparse.Rows, first int) error {
	return legalRows(rows, first, func(v float64) bool { return !math.IsInf(v, 0) })
}

func legalRows(rows sparse.Rows, first int, legal func(float64) bool) error {
	if rows.IsDense() && !slices.ContainsFunc(rows.Dense, func(v float64) bool { return v-v != 0 }) {
		return nil
	}
	bad := func(i, h int, x float64) error {
		return fmt.Errorf("gaussian: %w", &moment.ValueError{Record: first + i, Feature: h, Value: x, Want: wantNumber})
	}
	for i := range rows.N() {
		if rows.IsDense() {
			for h, v := range rows.DenseRow(i) {
				if !legal(v) {
					return bad(i, h, v)
				}
			}
			continue
		}
		index, value := rows.Row(i)
		for e, v := range value {
			if !legal(float64(v)) {
				return bad(i, int(index[e]), float64(v))
			}
		}
	}
	return nil
}
