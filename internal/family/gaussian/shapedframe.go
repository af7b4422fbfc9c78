package gaussian

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// clouds are the parameters in the frame t = (T(x) − shift)/s of the features
// that take part, T the logarithm or nothing.
type clouds struct {
	m      *normals.Mixture
	column []int // feature of every coordinate
	log    []bool
	shift  []float64
	scale  []float64
	bias   float64 // −Σ log s
}

// nowhere is the coordinate of a value that has no logarithm: far below all
// that has one.
const nowhere = -8

// clouds returns the parameters in their frame. It depends on p alone, so that
// the E-step and the M-step share it.
func (f Shaped) clouds(p mixture.Params) *clouds {
	c := f.frame(p)
	d, k := len(c.column), p.K()
	mean := make([]float64, k*d)
	for i, h := range c.column {
		for j := range k {
			mean[j*d+i] = c.coordinate(i, p.Centers.At(h, j))
		}
	}
	c.m = normals.New(f.shape, d, p.Weights, mean, f.packed(p.Extra[CovarianceOf], d, k))
	return c
}

// frame returns the frame around the middle of the centers.
func (f Shaped) frame(p mixture.Params) *clouds {
	c := &clouds{}
	logs := make([]bool, p.Dim())
	for _, h := range f.logs {
		logs[h] = true
	}
	for h := range p.Dim() {
		s := p.Extra[ScaleOf].At(h, 0)
		if s == 0 {
			continue
		}
		shift := 0.0
		for _, v := range p.Centers.RawRowView(h) {
			if logs[h] {
				v = math.Log(v)
			}
			shift += v
		}
		c.column, c.log = append(c.column, h), append(c.log, logs[h])
		c.shift, c.scale = append(c.shift, shift/float64(p.K())), append(c.scale, s)
		c.bias -= math.Log(s)
	}
	return c
}

// coordinate returns the place of a value of the feature of coordinate i.
func (c *clouds) coordinate(i int, v float64) float64 {
	if c.log[i] {
		if v <= 0 {
			return nowhere
		}
		v = math.Log(v)
	}
	return (v - c.shift[i]) / c.scale[i]
}

// value is the inverse of coordinate.
func (c *clouds) value(i int, t float64) float64 {
	v := c.shift[i] + t*c.scale[i]
	if c.log[i] {
		return math.Exp(v)
	}
	return v
}

// packed returns covariances as the clouds take them.
func (f Shaped) packed(m *mat.Dense, d, k int) []float64 {
	if d == 0 {
		return nil
	}
	var out []float64
	switch f.shape {
	case normals.Common, normals.Diagonal:
		_, w := m.Dims()
		for j := range w {
			out = append(out, mat.Col(nil, j, m)...)
		}
	case normals.Tied, normals.Own:
		blocks := 1
		if f.shape == normals.Own {
			blocks = k
		}
		for b := range blocks {
			for i := range d {
				for j := range i + 1 {
					out = append(out, m.At(i, b*d+j))
				}
			}
		}
	}
	return out
}

// unpacked is the inverse of packed.
func (f Shaped) unpacked(list []float64, d, k int) *mat.Dense {
	rows, cols := f.size(d, k)
	out := mat.NewDense(max(rows, 1), cols, nil)
	if d == 0 {
		return out
	}
	if !f.square() {
		for i, v := range list {
			out.Set(i%d, i/d, v)
		}
		return out
	}
	at := 0
	for b := range cols / d {
		for i := range d {
			for j := range i + 1 {
				out.Set(i, b*d+j, list[at])
				out.Set(j, b*d+i, list[at])
				at++
			}
		}
	}
	return out
}

// set sets rows in the frame, and what the logarithms add to the log density of each.
func (c *clouds) set(t normals.Table, rows sparse.Rows, jacobian []float64) {
	d := len(c.column)
	for i := range jacobian {
		jacobian[i] = c.bias
	}
	row := make([]float64, rows.Dim)
	for i := range t.N {
		if rows.IsDense() {
			row = rows.Dense[i*rows.Dim:][:rows.Dim]
		} else {
			unpack(row, rows, i)
		}
		x := t.X[i*d:][:d]
		for e, h := range c.column {
			v := row[h]
			switch {
			case v != v: // missing: no part of the density
				jacobian[i] += math.Log(c.scale[e])
			case c.log[e]:
				if v > 0 {
					jacobian[i] -= math.Log(v)
				}
				v = c.coordinate(e, v)
			default:
				v = (v - c.shift[e]) / c.scale[e]
			}
			x[e] = v
		}
	}
}

// mapped shows records with logarithms in the place of values.
func (f Shaped) mapped(run pass.Runner) pass.Runner {
	if len(f.logs) == 0 {
		return run
	}
	return pass.Map(run, func(b pass.Block) pass.Block {
		d := b.Rows.Dim
		out := sparse.Rows{Dim: d, Dense: make([]float64, b.Rows.N()*d)}
		for i := range b.Rows.N() {
			row := out.DenseRow(i)
			unpack(row, b.Rows, i)
			for _, h := range f.logs {
				row[h] = math.Log(math.Max(row[h], math.SmallestNonzeroFloat64))
			}
		}
		b.Rows = out
		return b
	})
}

// walk hands records to do, panel by panel, with the shares of the components and the log
// density of every record, and returns the panel.
func (c *clouds) walk(rows sparse.Rows, step *normals.Step, do func(lo int, p *normals.Panel)) *normals.Panel {
	p, most := step.Panel()
	for lo := 0; lo < rows.N(); lo += most {
		n := min(most, rows.N()-lo)
		p.Take(n)
		c.set(p.Rows, rows.Slice(lo, lo+n), p.Log)
		p.Weigh()
		do(lo, p)
	}
	return p
}

func fits(p mixture.Params, b pass.Block) error {
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("gaussian: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	return numbersOrBlanks(b.Rows, b.First)
}

// Posterior implements family.Family.
func (f Shaped) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	return f.weigh(p, b, func(lo int, w *normals.Panel) { copy(out[lo*p.K():], w.Share) })
}

// LogDensity implements family.Family.
func (f Shaped) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	return f.weigh(p, b, func(lo int, w *normals.Panel) { copy(out[lo:], w.Log) })
}

func (f Shaped) weigh(p mixture.Params, b pass.Block, do func(lo int, w *normals.Panel)) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if err := fits(p, b); err != nil {
		return err
	}
	c := f.clouds(p)
	c.walk(b.Rows, c.m.Step(), do)
	return nil
}

// Sample draws n dense records; the shape of records plays no part.
func (f Shaped) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d, c := p.Dim(), f.clouds(p)
	draw := family.Draw{Rows: sparse.Rows{Dim: d, Dense: make([]float64, n*d)}, Labels: make([]int, n)}
	x, z := make([]float64, len(c.column)), make([]float64, len(c.column))
	for i := range n {
		j := family.Pick(r, p.Weights)
		draw.Labels[i] = j
		row := draw.Rows.DenseRow(i)
		mat.Col(row, j, p.Centers)
		for e := range z {
			z[e] = r.NormFloat64()
		}
		c.m.Coloured(x, z, j)
		for e, h := range c.column {
			row[h] = c.value(e, x[e])
		}
	}
	return draw, nil
}

// weighed makes weights add up to 1 beyond rounding.
func weighed(size []float64, n float64) []float64 {
	w := make([]float64, len(size))
	floats.AddScaled(w, 1/n, size)
	return simplexed(w)
}

// Rescaled implements family.Measured.
func (f Shaped) Rescaled(p mixture.Params) mixture.Params {
	c := f.clouds(p)
	d := len(c.column)
	if d == 0 {
		return p
	}
	within := c.within()
	scale, cov := mat.DenseCopyOf(p.Extra[ScaleOf]), mat.DenseCopyOf(p.Extra[CovarianceOf])
	for i, h := range c.column {
		within[i] = math.Sqrt(math.Max(within[i], leastVariance))
		scale.Set(h, 0, scale.At(h, 0)*within[i])
	}
	cov.Apply(func(i, j int, v float64) float64 {
		if f.square() {
			return v / (within[i] * within[j%d])
		}
		return v / (within[i] * within[i])
	}, cov)
	return p.With(ScaleOf, scale).With(CovarianceOf, cov)
}

// within returns the variances inside components, in the frame.
func (c *clouds) within() []float64 {
	out := make([]float64, len(c.column))
	for j, w := range c.m.Weight {
		for i, v := range c.m.Variances(j) {
			out[i] += w * v
		}
	}
	return out
}

// Spread implements family.Measured. Where logarithms are taken it is that of
// values near the middle of the centers.
func (f Shaped) Spread(p mixture.Params) []float64 {
	c, out := f.clouds(p), make([]float64, p.Dim())
	for i, v := range c.within() {
		out[c.column[i]] = c.scale[i] * math.Sqrt(v)
		if c.log[i] {
			out[c.column[i]] *= math.Exp(c.shift[i])
		}
	}
	return out
}
