package lda

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
)

// slicePower is the power of the eigenvalues that weigh the slices
// (algorithms: decomposition).
const slicePower = 0.75

// seekAngle ends the sweeps of a candidate: the criterion, which is least at the
// best rotation, errs by the square of the angles that are left.
const seekAngle = 1e-3

// someAngle is that of a few contractions, whose own errors are larger.
const someAngle = .01

// desk is the memory for one candidate at a time.
type desk struct {
	core   *moment.Cube
	buffer []float64 // k×k×k
	joint  *spectral.Joint
}

// candidate is one of the parameters tried, and what it showed.
type candidate struct {
	x, off float64
	start  *mat.Dense // k×k: components to start from, or nil
	shown  *mat.Dense // k×k, or nil
}

// off finds the share of the whitened third moment that a rotation leaves
// off its diagonal, zero at the true α0 = exp(x) in exact moments, and the
// components.
func (d *desk) off(ctx context.Context, v *view, l *candidate) {
	alpha0 := math.Exp(l.x)
	white := v.newWhite(alpha0)
	values, a := white.values, white.a
	if a == nil {
		l.off = math.Inf(1)
		return
	}
	start := startFrom(l.start, values, a)
	if v.core == nil {
		l.offSome(ctx, v, alpha0, white, start)
		return
	}
	weights := make([]float64, len(values))
	for r, v := range values {
		weights[r] = math.Pow(v/values[0], slicePower)
	}
	all := d.load(v, alpha0, a, start, weights)
	rot := d.joint.Diagonalise(ctx, seekAngle)
	var o mat.Dense // k×k: the rotation in whitened coordinates
	spectral.Mul(&o, start, rot.O)
	l.shown = new(mat.Dense)
	spectral.Mul(l.shown, a, &o)
	on := 0.0
	for i := range values {
		t := 0.0 // T(o_i,o_i,o_i), from slice r in the direction r
		for r, v := range d.joint.At(i, i) {
			t += o.At(r, i) * v / weights[r]
		}
		on += t * t
	}
	if all != 0 {
		l.off = 1 - on/all
	}
}

// offSome is off by a few contractions M3(·,·,v): components o_i with the third moments t_i
// show t_i·(o_i·v)·o_i⊗o_i, and a diagonal that is not so is off it, too.
func (l *candidate) offSome(ctx context.Context, v *view, alpha0 float64, white *white, start *mat.Dense) {
	joint, k := loadSome(v, alpha0, white.a, start), len(white.values)
	rot := joint.Diagonalise(ctx, someAngle)
	var o, x mat.Dense // k×k: the rotation in whitened coordinates; k×m: o_i·v
	spectral.Mul(&o, start, rot.O)
	l.shown = new(mat.Dense)
	spectral.Mul(l.shown, white.a, &o)
	spectral.MulTrans(&x, white.a, v.along)
	for r, s := range white.values { // a^-1 = diag(values)·aᵀ
		floats.Scale(s, x.RawRowView(r))
	}
	var at mat.Dense
	spectral.MulTrans(&at, &o, &x)
	on, all := 0.0, 0.0
	for i := range k {
		seen, way := joint.At(i, i), at.RawRowView(i)
		all += floats.Dot(seen, seen)
		if along := floats.Dot(seen, way); along != 0 {
			on += along * along / floats.Dot(way, way)
		}
		for j := i + 1; j < k; j++ {
			all += 2 * floats.Dot(joint.At(i, j), joint.At(i, j))
		}
	}
	if all != 0 {
		l.off = 1 - on/all
	}
}

// loadSome returns the matrices to be diagonalised where there are a few contractions of the
// third moment instead of all its slices.
func loadSome(v *view, alpha0 float64, a, start *mat.Dense) *spectral.Joint {
	k, _ := start.Dims()
	out := spectral.NewJoint(k, len(v.some))
	var b mat.Dense
	spectral.Mul(&b, a, start)
	for r := range v.some {
		var right, turned mat.Dense
		spectral.Mul(&right, v.correctedSome(r, alpha0), &b)
		spectral.MulTrans(&turned, &b, &right)
		for p := range k {
			for q := p; q < k; q++ {
				out.At(p, q)[r] = turned.At(p, q)
			}
		}
	}
	return out
}

// load sets the matrices to be diagonalised, slice r of the whitened third
// moment times weight r, turned by start, and returns the sum of squares of the
// third moment.
func (d *desk) load(v *view, alpha0 float64, a, start *mat.Dense, weights []float64) float64 {
	k := len(weights)
	if d.joint == nil {
		d.core, d.buffer, d.joint = moment.NewCube(k), make([]float64, k*k*k), spectral.NewJoint(k, k)
	}
	v.correctedIn(d.core, alpha0)
	var b mat.Dense
	spectral.Mul(&b, a, start)
	turned := d.core.Turned(&b, &b, a, d.buffer)
	all := 0.0
	for p := range k {
		for q := range k {
			from := turned[(p*k+q)*k:][:k]
			for _, v := range from {
				all += v * v
			}
			if q < p {
				continue
			}
			to := d.joint.At(p, q)
			for r, v := range from {
				to[r] = weights[r] * v
			}
		}
	}
	return all
}

// startFrom returns the rotation that comes nearest to components, or the
// identity where there is none.
func startFrom(shown *mat.Dense, values []float64, a *mat.Dense) *mat.Dense {
	if o := nearest(shown, values, a); o != nil {
		return o
	}
	k := len(values)
	o := mat.NewDense(k, k, nil)
	for j := range k {
		o.Set(j, j, 1)
	}
	return o
}

// nearest returns the rotation that comes nearest to components, the columns of
// last, in the coordinates of the whitening a: a^-1 = diag(values)·aᵀ. It
// returns nil where there is none.
func nearest(last *mat.Dense, values []float64, a *mat.Dense) *mat.Dense {
	if last == nil {
		return nil
	}
	o := new(mat.Dense)
	spectral.MulTrans(o, a, last)
	for r, v := range values {
		for j := range values {
			o.Set(r, j, v*o.At(r, j))
		}
	}
	o = spectral.Orth(o)
	if _, rank := o.Dims(); rank < len(values) {
		return nil
	}
	return o
}
