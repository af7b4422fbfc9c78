package multiview

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// part is one of the three groups of features that the moments multiply: a
// view, or half of one. Its coordinates are y = [t, c], t_h = (x_h−shift_h)·inv_h
// standardised, c constant (algorithms §6, lift), so that k centers need only be
// affinely independent.
type part struct {
	view       int
	features   []int // of all features, rising
	shift, inv []float64
	c          float64
}

// parts cuts the views into three parts: a part a view, or, of two views, every
// second feature of the larger.
func (f *Family) parts() []*part {
	var out []*part
	larger := -1
	if len(f.views) == 2 {
		larger = 0
		if f.views[1].To-f.views[1].From > f.views[0].To-f.views[0].From {
			larger = 1
		}
	}
	for i, v := range f.views {
		if i != larger {
			out = append(out, newPart(i, v.From, v.To, 1))
			continue
		}
		out = append(out, newPart(i, v.From, v.To, 2), newPart(i, v.From+1, v.To, 2))
	}
	return out
}

func newPart(view, from, to, step int) *part {
	p := &part{view: view}
	for h := from; h < to; h += step {
		p.features = append(p.features, h)
	}
	return p
}

// n returns the number of coordinates.
func (p *part) n() int { return len(p.features) + 1 }

// seen is a block of records in one part; rows lacking the view are empty.
// Dense rows are shifted; sparse rows are not, which products make good.
type seen struct {
	p       *part
	rows    sparse.Rows
	present []bool
}

// see returns the part of a side of a block of n records; from is the view's
// first feature.
func (p *part) see(s side, from, n int) seen {
	out := seen{p: p, rows: sparse.Rows{Dim: len(p.features)}, present: make([]bool, n)}
	for r := range s.rows.N() {
		out.present[s.place(r)] = true
	}
	if s.rows.IsDense() {
		out.rows.Dense = make([]float64, n*len(p.features))
		for r := range s.rows.N() {
			x, to := s.rows.DenseRow(r), out.rows.DenseRow(s.place(r))
			for e, h := range p.features {
				if v := x[h-from]; !math.IsNaN(v) { // a single missing value counts as the mean
					to[e] = v - p.shift[e]
				}
			}
		}
		return out
	}
	local := make([]int32, s.rows.Dim) // 1 + place among the part's features
	for e, h := range p.features {
		local[h-from] = int32(e + 1)
	}
	out.rows.Ptr = make([]int, 1, n+1)
	out.rows.Value = []float32{}
	at := 0
	for i := range n {
		if out.present[i] {
			index, value := s.rows.Row(at)
			at++
			for e, h := range index {
				x := float32(1)
				if value != nil {
					x = value[e]
				}
				if q := local[h]; q > 0 {
					if x != x { // a single missing value counts as the mean
						x = float32(p.shift[q-1])
					}
					out.rows.Index = append(out.rows.Index, uint32(q-1))
					out.rows.Value = append(out.rows.Value, x)
				}
			}
		}
		out.rows.Ptr = append(out.rows.Ptr, len(out.rows.Index))
	}
	return out
}

// mul returns the products yᵀB (n×l) for a basis B (n()×l), zeros for records
// that lack the view.
func (s seen) mul(b *mat.Dense) []float64 {
	_, l := b.Dims()
	d, n := len(s.p.features), len(s.present)
	scaled, add := make([]float64, d*l), append([]float64(nil), b.RawRowView(d)...)
	floats.Scale(s.p.c, add)
	for e, g := range s.p.inv {
		row := scaled[e*l:][:l]
		floats.AddScaled(row, g, b.RawRowView(e))
		if !s.rows.IsDense() {
			floats.AddScaled(add, -s.p.shift[e], row)
		}
	}
	z := make([]float64, n*l)
	s.rows.MulTo(z, scaled, l)
	for i, here := range s.present {
		if here {
			floats.Add(z[i*l:][:l], add)
		} else {
			clear(z[i*l:][:l])
		}
	}
	return z
}

// addCross adds Σ y⊗z to dst (n()×l) over the records that have the view; z is
// n×l with zeros for records that lack the other.
func (s seen) addCross(dst, z []float64, l int) {
	d := len(s.p.features)
	sum := make([]float64, d*l)
	s.rows.AddTransMul(sum, z, l)
	total := make([]float64, l)
	for i, here := range s.present {
		if here {
			floats.Add(total, z[i*l:][:l])
		}
	}
	for e, g := range s.p.inv {
		row := dst[e*l:][:l]
		floats.AddScaled(row, g, sum[e*l:][:l])
		if !s.rows.IsDense() {
			floats.AddScaled(row, -g*s.p.shift[e], total)
		}
	}
	floats.AddScaled(dst[d*l:][:l], s.p.c, total)
}

// spreadSum adds up, for every part, the number of records that have its view,
// then Σ(x−shift) and Σ(x−shift)² of its features.
type spreadSum struct {
	f     *Family
	parts []*part
}

func (s spreadSum) Len() int {
	n := 0
	for _, p := range s.parts {
		n += 1 + 2*len(p.features)
	}
	return n
}

// cut returns the state of each part.
func (s spreadSum) cut(state []float64) [][]float64 {
	out := make([][]float64, len(s.parts))
	for i, p := range s.parts {
		n := 1 + 2*len(p.features)
		out[i], state = state[:n:n], state[n:]
	}
	return out
}

func (s spreadSum) Add(state []float64, b pass.Block) error {
	if err := s.f.fits(b); err != nil {
		return err
	}
	states := s.cut(state)
	for i, p := range s.parts {
		v := p.see(s.f.side(b, p.view), s.f.views[p.view].From, b.Rows.N())
		d := len(p.features)
		sums, squares := states[i][1:1+d], states[i][1+d:]
		n := 0.0
		for _, here := range v.present {
			if here {
				n++
			}
		}
		states[i][0] += n
		if v.rows.IsDense() {
			for j, x := range v.rows.Dense {
				sums[j%d] += x
				squares[j%d] += x * x
			}
			continue
		}
		for e, m := range p.shift {
			sums[e] -= n * m
			squares[e] += n * m * m
		}
		for j, e := range v.rows.Index {
			x := float64(v.rows.Value[j])
			sums[e] += x
			squares[e] += x * (x - 2*p.shift[e])
		}
	}
	return nil
}
