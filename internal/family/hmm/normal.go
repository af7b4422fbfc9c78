package hmm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// frame is the affine map t = (x−shift)·inv in which Gaussian emissions are
// computed: rows far from the origin keep their digits, constant features
// (inv 0) take no part.
type frame struct {
	shift, inv []float64
	active     int
	logScale   float64
}

func frameOf(shift, scale []float64) *frame {
	f := &frame{shift: shift, inv: make([]float64, len(shift))}
	for h, s := range scale {
		if s > 0 {
			f.inv[h] = 1 / s
			f.active++
			f.logScale += math.Log(s)
		}
	}
	return f
}

// newFrame returns the frame around the mean of p, which depends on p alone.
func newFrame(p mixture.Params) *frame {
	shift, scale := make([]float64, p.Dim()), make([]float64, p.Dim())
	for h := range shift {
		shift[h] = floats.Dot(p.Centers.RawRowView(h), p.Weights)
		scale[h] = p.Extra[ScaleOf].At(h, 0)
	}
	return frameOf(shift, scale)
}

// row sets dst (d) to row i in the frame and reports whether it was observed. A
// row that is missing in part, or infinite, is an error.
func (f *frame) row(dst []float64, rows sparse.Rows, i int) (seen bool, err error) {
	d, missing := rows.Dim, 0
	if rows.IsDense() {
		copy(dst, rows.DenseRow(i))
	} else {
		clear(dst)
		index, value := rows.Row(i)
		for e, h := range index {
			dst[h] = 1
			if value != nil {
				dst[h] = float64(value[e])
			}
		}
	}
	bad := -1
	for h, v := range dst {
		if v-v != 0 {
			bad = h
			if math.IsNaN(v) {
				missing++
			}
		}
		dst[h] = (v - f.shift[h]) * f.inv[h]
	}
	switch {
	case d > 0 && missing == d, !rows.IsDense() && rows.Ptr[i] == rows.Ptr[i+1]:
		clear(dst)
		return false, nil
	case bad >= 0:
		return false, fmt.Errorf("has no finite number for feature %d: fill it in, or leave the whole step empty", bad+1)
	}
	return true, nil
}

// normal are spherical Gaussian emissions. Statistics: Σγ (k), Σγ|t|² (k), Σγt
// (d×k) over observed rows.
type normal struct {
	f    *frame
	d, k int
	mu   []float64 // d×k in the frame
	v    []float64
	bias []float64
}

func newNormal(p mixture.Params) *normal {
	n := &normal{f: newFrame(p), d: p.Dim(), k: p.K(), v: p.Extra[VarianceOf].RawRowView(0)}
	n.mu, n.bias = make([]float64, n.d*n.k), make([]float64, n.k)
	for h := range n.d {
		for j, c := range p.Centers.RawRowView(h) {
			n.mu[h*n.k+j] = (c - n.f.shift[h]) * n.f.inv[h]
		}
	}
	for j, v := range n.v {
		n.bias[j] = -n.f.logScale - float64(n.f.active)/2*math.Log(2*math.Pi*v)
	}
	return n
}

func (n *normal) size() int { return (n.d + 2) * n.k }

func (n *normal) scores(b pass.Block, out []float64) error {
	t := make([]float64, n.d)
	for i := range b.Rows.N() {
		row := out[i*n.k:][:n.k]
		clear(row)
		seen, err := n.f.row(t, b.Rows, i)
		if err != nil {
			return stepError(b, i, err)
		}
		if !seen {
			continue
		}
		for h, x := range t {
			for j, m := range n.mu[h*n.k:][:n.k] {
				row[j] += (x - m) * (x - m)
			}
		}
		for j := range row {
			row[j] = n.bias[j] - row[j]/(2*n.v[j])
		}
	}
	return nil
}

func (n *normal) gather(state []float64, rows sparse.Rows, gamma []float64) {
	count, square, sum := state[:n.k], state[n.k:2*n.k], state[2*n.k:]
	t := make([]float64, n.d)
	for i := range rows.N() {
		seen, err := n.f.row(t, rows, i)
		if !seen || err != nil {
			continue
		}
		g, q := gamma[i*n.k:][:n.k], floats.Dot(t, t)
		floats.Add(count, g)
		floats.AddScaled(square, q, g)
		for h, x := range t {
			floats.AddScaled(sum[h*n.k:][:n.k], x, g)
		}
	}
}

// overall returns the number of observed rows, their mean in the frame and the
// variance of the prior: that of all rows, shared among k states that fill the
// space (Fraley and Raftery 2007).
func (n *normal) overall(state []float64) (rows float64, mean []float64, variance float64) {
	rows = floats.Sum(state[:n.k])
	mean = make([]float64, n.d)
	if rows == 0 {
		return rows, mean, 0
	}
	total := floats.Sum(state[n.k:2*n.k]) / rows
	for h := range mean {
		mean[h] = floats.Sum(state[(2+h)*n.k:][:n.k]) / rows
		total -= mean[h] * mean[h]
	}
	da := math.Max(float64(n.f.active), 1)
	return rows, mean, math.Max(total, 0) / da * math.Pow(float64(n.k), -2/da)
}

// Shares of the prior variance and of the mean variance that bound variances
// from below: in EM, and in a start.
const (
	leastVariance = 1e-6
	startFloor    = 0.02
)

// maximise implements emitter: the prior is pseudo rows a state at the mean of
// all rows, with the spread of the prior variance.
func (n *normal) maximise(state []float64, p mixture.Params, pseudo float64) mixture.Params {
	_, mean, spread := n.overall(state)
	centers, v := mat.DenseCopyOf(p.Centers), mat.DenseCopyOf(p.Extra[VarianceOf])
	da := math.Max(float64(n.f.active), 1)
	const tiny = 1e-100 // for rows that are all alike
	for j := range n.k {
		c := state[j]
		if c+pseudo <= 0 {
			continue // an emptied state keeps its emissions
		}
		q := state[n.k+j] + pseudo*da*spread
		for h, m := range mean {
			sum := state[(2+h)*n.k+j]
			mu := (sum + pseudo*m) / (c + pseudo)
			q += mu*(c*mu-2*sum) + pseudo*(m-mu)*(m-mu)
			if n.f.inv[h] > 0 {
				centers.Set(h, j, n.f.shift[h]+mu/n.f.inv[h])
			}
		}
		v.Set(0, j, math.Max(q/(da*(c+pseudo)), math.Max(leastVariance*spread, tiny)))
	}
	p.Centers = centers
	return p.With(VarianceOf, v)
}

func (n *normal) prior(state []float64, p mixture.Params) float64 {
	_, mean, spread := n.overall(state)
	sum, da := 0.0, float64(n.f.active)
	for j, v := range p.Extra[VarianceOf].RawRowView(0) {
		q := da * spread
		for h, m := range mean {
			x := (p.Centers.At(h, j)-n.f.shift[h])*n.f.inv[h] - m
			q += x * x
		}
		sum -= da/2*math.Log(v) + q/(2*v)
	}
	return sum
}

// checkGaussian reports variances and scales outside their range.
func checkGaussian(p mixture.Params) error {
	v, s := p.Extra[VarianceOf], p.Extra[ScaleOf]
	if v == nil || s == nil {
		return fmt.Errorf("hmm: Gaussian emissions without %q or %q", VarianceOf, ScaleOf)
	}
	if r, c := v.Dims(); r != 1 || c != p.K() {
		return fmt.Errorf("hmm: %d×%d variances, want 1×%d", r, c, p.K())
	}
	if r, c := s.Dims(); r != p.Dim() || c != 1 {
		return fmt.Errorf("hmm: %d×%d scales, want %d×1", r, c, p.Dim())
	}
	for j, x := range v.RawRowView(0) {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("hmm: variance of state %d is %v, want a positive number", j+1, x)
		}
	}
	for h := range p.Dim() {
		if x := s.At(h, 0); !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("hmm: scale of feature %d is %v, want a number >= 0", h+1, x)
		}
	}
	return nil
}
