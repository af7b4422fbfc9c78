package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Rotation is the outcome of a joint diagonalisation.
type Rotation struct {
	O      *mat.Dense // n×n orthogonal
	Sweeps int        // sweeps over all pairs
	// Off is the share of the squared entries that stays off the diagonal (of
	// the slices, or of the cube), from 0 to 1.
	Off       float64
	Converged bool
}

const (
	smallestAngle = 1e-9 // a sweep whose rotations are all smaller is the last
	mostSweeps    = 100
)

// JointDiagonalise returns the rotation O that makes all OᵀA_rO of the given
// symmetric n×n matrices as diagonal as possible together: the least sum of
// squared off-diagonal entries, by Jacobi rotations. The slices are not
// changed.
func JointDiagonalise(slices []*mat.Dense, n int) Rotation {
	m := len(slices)
	// a[(p*n+q)*m+r] = A_r[p,q]: the innermost index runs over the slices, so
	// that a rotation works on contiguous rows.
	a := make([]float64, n*n*m)
	for r, s := range slices {
		for p := range n {
			for q := range n {
				a[(p*n+q)*m+r] = s.At(p, q)
			}
		}
	}
	o := identity(n)
	rot := Rotation{}
	for rot.Sweeps < mostSweeps && !rot.Converged {
		rot.Sweeps++
		largest := 0.0
		for p := range n {
			for q := p + 1; q < n; q++ {
				theta := jointAngle(a, n, m, p, q)
				largest = math.Max(largest, math.Abs(theta))
				if theta != 0 {
					rotateSlices(a, o, n, m, p, q, theta)
				}
			}
		}
		rot.Converged = largest < smallestAngle
	}
	rot.O = mat.NewDense(n, n, o)
	rot.Off = offShare(a, n, m)
	return rot
}

// jointAngle is the best angle for the pair (p,q) (algorithms: inner form of
// Cardoso and Souloumiac, real symmetric case).
func jointAngle(a []float64, n, m, p, q int) float64 {
	pp, qq, pq := a[(p*n+p)*m:][:m], a[(q*n+q)*m:][:m], a[(p*n+q)*m:][:m]
	ff, hh, fh := 0.0, 0.0, 0.0
	for r := range pp {
		f, h := pp[r]-qq[r], 2*pq[r]
		ff += f * f
		hh += h * h
		fh += f * h
	}
	ton, toff := ff-hh, 2*fh
	return 0.5 * math.Atan2(toff, ton+math.Hypot(ton, toff))
}

// rotateSlices applies A ← GᵀAG, O ← OG with G = [[c,-s],[s,c]] on (p,q).
func rotateSlices(a, o []float64, n, m, p, q int, theta float64) {
	s, c := math.Sincos(theta)
	for i := range n { // columns p and q of every row
		x, y := a[(i*n+p)*m:][:m], a[(i*n+q)*m:][:m]
		turn(x, y, c, s)
	}
	for i := range n { // rows p and q
		x, y := a[(p*n+i)*m:][:m], a[(q*n+i)*m:][:m]
		turn(x, y, c, s)
	}
	for i := range n {
		x, y := o[i*n+p], o[i*n+q]
		o[i*n+p], o[i*n+q] = c*x+s*y, c*y-s*x
	}
}

func turn(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for r, xr := range x {
		yr := y[r]
		x[r], y[r] = c*xr+s*yr, c*yr-s*xr
	}
}

func offShare(a []float64, n, m int) float64 {
	off, all := 0.0, 0.0
	for p := range n {
		for q := range n {
			for _, v := range a[(p*n+q)*m:][:m] {
				all += v * v
				if p != q {
					off += v * v
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return off / all
}

// DiagonaliseCube returns the rotation that maximises Σ_i T(o_i,o_i,o_i)², by
// Jacobi rotations with a closed form for each pair, starting from start (nil
// is the identity).
func DiagonaliseCube(t *Cube, start *mat.Dense) Rotation {
	n := t.N
	o := identity(n)
	w := t.Clone()
	if start != nil {
		copy(o, mat.DenseCopyOf(start).RawMatrix().Data)
		w = t.Congruence(start)
	}
	rot := Rotation{}
	for rot.Sweeps < mostSweeps && !rot.Converged {
		rot.Sweeps++
		largest := 0.0
		for p := range n {
			for q := p + 1; q < n; q++ {
				theta := cubeAngle(w, p, q)
				largest = math.Max(largest, math.Abs(theta))
				if theta != 0 {
					rotateCube(w, o, p, q, theta)
				}
			}
		}
		rot.Converged = largest < smallestAngle
	}
	rot.O = mat.NewDense(n, n, o)
	rot.Off = w.OffDiagonal()
	return rot
}

// OffDiagonal returns the share of the cube's squared entries off its
// diagonal.
func (t *Cube) OffDiagonal() float64 {
	on, all := 0.0, 0.0
	for _, v := range t.Data {
		all += v * v
	}
	for i := range t.N {
		v := t.At(i, i, i)
		on += v * v
	}
	if all == 0 {
		return 0
	}
	return 1 - on/all
}

// cubeAngle maximises φ(θ) = T_ppp² + T_qqq² after the rotation. φ is
// a + b cos4θ + c sin4θ plus terms that cancel between the two entries, so
// three values of φ determine it.
func cubeAngle(t *Cube, p, q int) float64 {
	ppp, ppq, pqq, qqq := t.At(p, p, p), t.At(p, p, q), t.At(p, q, q), t.At(q, q, q)
	phi := func(theta float64) float64 {
		s, c := math.Sincos(theta)
		x := c*c*c*ppp + 3*c*c*s*ppq + 3*c*s*s*pqq + s*s*s*qqq
		y := c*c*c*qqq - 3*c*c*s*pqq + 3*c*s*s*ppq - s*s*s*ppp
		return x*x + y*y
	}
	f0, f4, f8 := phi(0), phi(math.Pi/4), phi(math.Pi/8)
	a, b := (f0+f4)/2, (f0-f4)/2
	return 0.25 * math.Atan2(f8-a, b)
}

// rotateCube applies the rotation of (p,q) to the three modes of t and to the
// columns of o.
func rotateCube(t *Cube, o []float64, p, q int, theta float64) {
	n := t.N
	s, c := math.Sincos(theta)
	turn(t.Data[p*n*n:][:n*n], t.Data[q*n*n:][:n*n], c, s)
	for a := range n {
		turn(t.Data[(a*n+p)*n:][:n], t.Data[(a*n+q)*n:][:n], c, s)
	}
	for ab := range n * n {
		x, y := t.Data[ab*n+p], t.Data[ab*n+q]
		t.Data[ab*n+p], t.Data[ab*n+q] = c*x+s*y, c*y-s*x
	}
	for i := range n {
		x, y := o[i*n+p], o[i*n+q]
		o[i*n+p], o[i*n+q] = c*x+s*y, c*y-s*x
	}
}

func identity(n int) []float64 {
	o := make([]float64, n*n)
	for i := range n {
		o[i*n+i] = 1
	}
	return o
}
