package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
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
	// rounding is the share of all squared entries below which a rotation
	// moves nothing but rounding errors.
	rounding = 1e-29
)

// JointDiagonalise returns the rotation O that makes all OᵀA_rO of the given
// symmetric n×n matrices as diagonal as possible together: the least sum of
// squared off-diagonal entries, by Jacobi rotations. The slices are not
// changed; only their upper triangles are read.
func JointDiagonalise(slices []*mat.Dense, n int) Rotation {
	j := newJoint(slices, n)
	o := identity(n)
	rot := Rotation{}
	for rot.Sweeps < mostSweeps && !rot.Converged {
		rot.Sweeps++
		largest := 0.0
		for p := range n {
			for q := p + 1; q < n; q++ {
				theta := j.angle(p, q)
				largest = math.Max(largest, math.Abs(theta))
				if theta != 0 {
					j.rotate(p, q, theta)
					rotateRows(o, n, p, q, theta)
				}
			}
		}
		rot.Converged = largest < smallestAngle
	}
	rot.O = transposed(o, n)
	rot.Off = j.offShare()
	return rot
}

// joint holds the slices of a joint diagonalisation, entry (p,q) of all slices
// side by side, so that a rotation works on contiguous rows. Symmetric entries
// stand once.
type joint struct {
	n, m int
	a    []float64 // m numbers per pair p ≤ q, pairs in lexicographic order
	tiny float64   // a rotation that gains less moves only rounding errors
}

func newJoint(slices []*mat.Dense, n int) *joint {
	j := &joint{n: n, m: len(slices)}
	j.a = make([]float64, n*(n+1)/2*j.m)
	all := 0.0
	for p := range n {
		for q := p; q < n; q++ {
			x := j.at(p, q)
			for r, s := range slices {
				x[r] = s.At(p, q)
				all += x[r] * x[r]
			}
		}
	}
	j.tiny = rounding * all
	return j
}

// at returns entry (p,q) of all slices.
func (j *joint) at(p, q int) []float64 {
	if p > q {
		p, q = q, p
	}
	return j.a[(p*j.n-p*(p+1)/2+q)*j.m:][:j.m]
}

// angle is the best angle for the pair (p,q): the inner form of Cardoso and
// Souloumiac, real symmetric case. It is 0 where nothing can be gained, and
// π/4 where equal diagonal entries stand beside a non-zero entry off the
// diagonal.
func (j *joint) angle(p, q int) float64 {
	pp, qq, pq := j.at(p, p), j.at(q, q), j.at(p, q)
	ff, hh, fh := 0.0, 0.0, 0.0
	for r := range pp {
		f, h := pp[r]-qq[r], 2*pq[r]
		ff += f * f
		hh += h * h
		fh += f * h
	}
	ton, toff := ff-hh, 2*fh
	if !(hh > j.tiny) { // also where hh is NaN
		return 0
	}
	return 0.25 * math.Atan2(toff, ton)
}

// rotate applies A ← GᵀAG with G = [[c,-s],[s,c]] on (p,q).
func (j *joint) rotate(p, q int, theta float64) {
	s, c := math.Sincos(theta)
	for i := range j.n {
		if i != p && i != q {
			kernel.Rotate(j.at(i, p), j.at(i, q), c, s)
		}
	}
	pp, qq, pq := j.at(p, p), j.at(q, q), j.at(p, q)
	cc, ss, cs := c*c, s*s, c*s
	for r, x := range pp {
		y, z := qq[r], pq[r]
		pp[r] = cc*x + ss*y + 2*cs*z
		qq[r] = ss*x + cc*y - 2*cs*z
		pq[r] = cs*(y-x) + (cc-ss)*z
	}
}

func (j *joint) offShare() float64 {
	off, all := 0.0, 0.0
	for p := range j.n {
		for _, v := range j.at(p, p) {
			all += v * v
		}
		for q := p + 1; q < j.n; q++ {
			for _, v := range j.at(p, q) {
				off += 2 * v * v
			}
		}
	}
	if off+all == 0 {
		return 0
	}
	return off / (off + all)
}

// The diagonal of a noisy cube has many nearly equal maxima, between which late
// sweeps wander; thirty, or rotations below a millionth, are enough.
const (
	cubeSweeps   = 30
	cubeAngleEnd = 1e-6
)

// DiagonaliseCube returns the rotation that maximises Σ_i T(o_i,o_i,o_i)², by
// Jacobi rotations with a closed form for each pair, starting from start (nil
// is the identity). The cube is not changed.
func DiagonaliseCube(t *Cube, start *mat.Dense) Rotation {
	n := t.N
	o := identity(n) // rows are the columns of O
	w := t.Clone()
	if start != nil {
		copy(o, mat.DenseCopyOf(start.T()).RawMatrix().Data)
		w = t.Congruence(start)
	}
	tiny := rounding * dot(w.Data, w.Data)
	rot := Rotation{}
	for rot.Sweeps < cubeSweeps && !rot.Converged {
		rot.Sweeps++
		largest := 0.0
		for p := range n {
			for q := p + 1; q < n; q++ {
				theta := cubeAngle(w, p, q, tiny)
				largest = math.Max(largest, math.Abs(theta))
				if theta != 0 {
					rotateCube(w, p, q, theta)
					rotateRows(o, n, p, q, theta)
				}
			}
		}
		rot.Converged = largest < cubeAngleEnd
	}
	rot.O = transposed(o, n)
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

// cubeAngle maximises φ(θ) = T_ppp² + T_qqq² after the rotation. The terms in
// 2θ and 6θ cancel between the two entries, so φ = a + b cos 4θ + c sin 4θ with
// b = (φ(0) − φ(π/4))/2 and c = φ'(0)/4.
func cubeAngle(t *Cube, p, q int, tiny float64) float64 {
	ppp, ppq, pqq, qqq := t.At(p, p, p), t.At(p, p, q), t.At(p, q, q), t.At(q, q, q)
	x, y := ppp+3*ppq+3*pqq+qqq, qqq-3*pqq+3*ppq-ppp // 2√2 times the entries at π/4
	b := (ppp*ppp + qqq*qqq - (x*x+y*y)/8) / 2
	c := 1.5 * (ppp*ppq - qqq*pqq)
	if !(math.Hypot(b, c) > tiny) { // flat, or NaN
		return 0
	}
	return 0.25 * math.Atan2(c, b)
}

// rotateCube applies the rotation of (p,q) to the three modes of t.
func rotateCube(t *Cube, p, q int, theta float64) {
	n := t.N
	s, c := math.Sincos(theta)
	kernel.Rotate(t.Data[p*n*n:][:n*n], t.Data[q*n*n:][:n*n], c, s)
	for a := range n {
		plane := t.Data[a*n*n:][:n*n]
		kernel.Rotate(plane[p*n:][:n], plane[q*n:][:n], c, s)
		for b := 0; b < n*n; b += n {
			row := plane[b:][:n]
			x, y := row[p], row[q]
			row[p], row[q] = c*x+s*y, c*y-s*x
		}
	}
}

// rotateRows applies the rotation of (p,q) to the rows of the n×n matrix o.
func rotateRows(o []float64, n, p, q int, theta float64) {
	s, c := math.Sincos(theta)
	kernel.Rotate(o[p*n:][:n], o[q*n:][:n], c, s)
}

// transposed returns the transpose of the n×n matrix o.
func transposed(o []float64, n int) *mat.Dense {
	return mat.DenseCopyOf(mat.NewDense(n, n, o).T())
}

func identity(n int) []float64 {
	o := make([]float64, n*n)
	for i := range n {
		o[i*n+i] = 1
	}
	return o
}
