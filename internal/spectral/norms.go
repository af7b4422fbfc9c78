package spectral

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
)

// LeastNorms returns the rotation O that leaves least of
//
//	Σ_{i≠j} (Σ_r (OᵀA_rO)_ij²)^½,
//
// a sum of norms over the slices, one norm for each entry off the diagonal: the
// objective of SIDIWO as the papers write it ([T] eq. 5.9). Squares, as
// JointDiagonalise has them, give all weight to the worst entries; norms accept a
// few large ones for many that vanish. Jacobi rotations from the given start, each
// the best angle of its pair, never go up. For n = 2 there is one entry, and the
// two objectives agree. It ends as Joint.Diagonalise does.
func LeastNorms(ctx context.Context, slices []*mat.Dense, n int, start Rotation) Rotation {
	s := newNorms(slices, n, start.O)
	rot := Rotation{}
	for rot.Sweeps < mostSweeps && !rot.Converged && ctx.Err() == nil {
		rot.Sweeps++
		rot.Converged = s.sweep(ctx) < normAngle
	}
	rot.O = transposed(s.o, n)
	rot.Off = s.offShare()
	rot.Sweeps += start.Sweeps
	return rot
}

// normAngle ends the search: the objective is flat at its least, so that finer
// angles are rounding.
const normAngle = 1e-7

// norms holds OᵀA_rO while O turns: entry (p,q) of all slices side by side.
type norms struct {
	Joint
	others [][3]float64 // for the pair at hand: ‖a_pm‖², ‖a_qm‖², ⟨a_pm, a_qm⟩
}

func newNorms(slices []*mat.Dense, n int, o *mat.Dense) *norms {
	s := &norms{Joint: *NewJoint(n, len(slices)), others: make([][3]float64, 0, n)}
	var left, turned mat.Dense
	for r, a := range slices {
		left.Reset()
		turned.Reset()
		left.Mul(o.T(), a)
		turned.Mul(&left, o)
		for p := range n {
			for q := p; q < n; q++ {
				s.At(p, q)[r] = turned.At(p, q)
			}
		}
	}
	for p := range n {
		for q := range n {
			s.o[p*n+q] = o.At(q, p)
		}
	}
	s.tiny = rounding * dot(s.a.A, s.a.A)
	return s
}

func (s *norms) sweep(ctx context.Context) float64 {
	n, largest := s.n, 0.0
	for p := 0; p < n && ctx.Err() == nil; p++ {
		for q := p + 1; q < n; q++ {
			theta := s.best(p, q)
			if theta == 0 {
				continue
			}
			largest = math.Max(largest, math.Abs(theta))
			sin, cos := math.Sincos(theta)
			s.a.Rotate(p, q, cos, sin)
			kernel.Rotate(s.o[p*n:][:n], s.o[q*n:][:n], cos, sin)
		}
	}
	return largest
}

// angles is the number of places at which the objective of a pair is looked at
// before the least is closed in on: it has few valleys in a quarter turn.
const angles = 48

// best returns the angle of the pair (p,q) with the least objective, 0 where none
// gains more than rounding.
func (s *norms) best(p, q int) float64 {
	ff, hh, fh := s.a.Sums(p, q) // ‖f‖², ‖h‖², ⟨f,h⟩ with f = a_pp − a_qq, h = 2a_pq
	s.others = s.others[:0]
	for m := range s.n {
		if m != p && m != q {
			x, y := s.At(p, m), s.At(q, m)
			s.others = append(s.others, [3]float64{dot(x, x), dot(y, y), dot(x, y)})
		}
	}
	value := func(theta float64) float64 { return s.value(ff, hh, fh, theta) }
	const step = math.Pi / 2 / angles
	at, least := 0.0, value(0)
	for i := 1 - angles/2; i <= angles/2; i++ {
		if v := value(float64(i) * step); v < least {
			at, least = float64(i)*step, v
		}
	}
	theta := golden(value, at-step, at+step)
	if now := value(0); !(now-value(theta) > normGain*now) || now*now <= s.tiny {
		return 0
	}
	return theta
}

// normGain is the share of the objective below which a gain is rounding.
const normGain = 1e-14

// value is the part of the objective that the pair changes, after a turn by theta:
// a_pq becomes cos 2θ·a_pq − ½ sin 2θ·f, a_pm and a_qm turn by θ.
func (s *norms) value(ff, hh, fh, theta float64) float64 {
	sin, cos := math.Sincos(2 * theta)
	sum := math.Sqrt(math.Max(0, cos*cos*hh/4+sin*sin*ff/4-sin*cos*fh/2))
	sin, cos = math.Sincos(theta)
	for _, x := range s.others {
		cross := 2 * sin * cos * x[2]
		sum += math.Sqrt(math.Max(0, cos*cos*x[0]+sin*sin*x[1]+cross))
		sum += math.Sqrt(math.Max(0, sin*sin*x[0]+cos*cos*x[1]-cross))
	}
	return sum
}

// golden closes in on the least value between lo and hi.
func golden(f func(float64) float64, lo, hi float64) float64 {
	const ratio = 0.6180339887498949
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for hi-lo > SmallestAngle {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		}
	}
	return (lo + hi) / 2
}
