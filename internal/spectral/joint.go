package spectral

import (
	"context"
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

// SmallestAngle is that of a rotation as exact as it can be: a sweep whose
// angles are all smaller is the last.
const SmallestAngle = 1e-9

const (
	mostSweeps = 100
	// rounding is the share of all squared entries below which a rotation
	// moves nothing but rounding errors.
	rounding = 1e-29
)

// JointDiagonalise returns the rotation O that makes all OᵀA_rO of the given
// symmetric n×n matrices as diagonal as possible together: the least sum of
// squared off-diagonal entries, by Jacobi rotations. The slices are not
// changed; only their upper triangles are read.
func JointDiagonalise(ctx context.Context, slices []*mat.Dense, n int) Rotation {
	j := NewJoint(n, len(slices))
	for p := range n {
		for q := p; q < n; q++ {
			x := j.At(p, q)
			for r, s := range slices {
				x[r] = s.At(p, q)
			}
		}
	}
	return j.Diagonalise(ctx, SmallestAngle)
}

// Joint holds m symmetric n×n matrices that are to be diagonalised together:
// entry (p,q) of all of them side by side, so that a rotation works on
// contiguous rows. Symmetric entries stand once.
type Joint struct {
	n, m int
	a    *kernel.Planes
	o    []float64 // n×n: rows are the columns of O
	tiny float64   // a rotation that gains less moves only rounding errors
}

// NewJoint returns room for m matrices, all zeros.
func NewJoint(n, m int) *Joint {
	return &Joint{n: n, m: m, a: kernel.NewPlanes(n, m), o: make([]float64, n*n)}
}

// At returns entry (p,q), which is entry (q,p), of all matrices, to be set or
// read.
func (j *Joint) At(p, q int) []float64 { return j.a.At(p, q) }

// Diagonalise turns the matrices A_r into OᵀA_rO, as diagonal as possible
// together. It ends with a sweep whose angles are all below smallest, or when the context is
// done: who has given one that can be asks it before the rotation is used.
func (j *Joint) Diagonalise(ctx context.Context, smallest float64) Rotation {
	n := j.n
	clear(j.o)
	for i := range n {
		j.o[i*n+i] = 1
	}
	j.tiny = rounding * dot(j.a.A, j.a.A)
	least := 0.0
	if smallest > SmallestAngle {
		least = smallest / negligible
	}
	rot := Rotation{}
	for rot.Sweeps < mostSweeps && !rot.Converged && ctx.Err() == nil {
		rot.Sweeps++
		rot.Converged = j.sweep(ctx, least) < smallest
	}
	rot.O = transposed(j.o, n)
	rot.Off = j.offShare()
	return rot
}

// negligible is how much smaller than the smallest angle that matters one is
// that is not worth a rotation, where rotations are rough.
const negligible = 100

// sweep turns all pairs whose angle is at least least and returns the largest
// angle.
func (j *Joint) sweep(ctx context.Context, least float64) float64 {
	n, largest := j.n, 0.0
	for p := 0; p < n && ctx.Err() == nil; p++ {
		for q := p + 1; q < n; q++ {
			theta := j.angle(p, q)
			if math.Abs(theta) < least || theta == 0 {
				continue
			}
			largest = math.Max(largest, math.Abs(theta))
			s, c := math.Sincos(theta)
			j.a.Rotate(p, q, c, s)
			kernel.Rotate(j.o[p*n:][:n], j.o[q*n:][:n], c, s)
		}
	}
	return largest
}

// angle is the best angle for the pair (p,q): the inner form of Cardoso and
// Souloumiac, real symmetric case. It is 0 where nothing can be gained, and
// π/4 where equal diagonal entries stand beside a non-zero entry off the
// diagonal.
func (j *Joint) angle(p, q int) float64 {
	ff, hh, fh := j.a.Sums(p, q)
	if !(hh > j.tiny) { // also where hh is NaN
		return 0
	}
	return 0.25 * math.Atan2(2*fh, ff-hh)
}

func (j *Joint) offShare() float64 {
	off, all := 0.0, 0.0
	for p := range j.n {
		for _, v := range j.At(p, p) {
			all += v * v
		}
		for q := p + 1; q < j.n; q++ {
			x := j.At(p, q)
			off += 2 * dot(x, x)
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
// Jacobi rotations with a closed form for each pair. w is the symmetric n×n×n
// array T(S,S,S), entry (a,b,c) at (a·n+b)·n+c, for the rotation start = S (nil is
// the identity); it is turned where it stands. It ends as Joint.Diagonalise does.
func DiagonaliseCube(ctx context.Context, w []float64, n int, start *mat.Dense) Rotation {
	o := identity(n) // rows are the columns of O
	if start != nil {
		copy(o, mat.DenseCopyOf(start.T()).RawMatrix().Data)
	}
	tiny := rounding * dot(w, w)
	rot := Rotation{}
	for rot.Sweeps < cubeSweeps && !rot.Converged && ctx.Err() == nil {
		rot.Sweeps++
		largest := 0.0
		for p := 0; p < n && ctx.Err() == nil; p++ {
			for q := p + 1; q < n; q++ {
				theta := cubeAngle(w, n, p, q, tiny)
				largest = math.Max(largest, math.Abs(theta))
				if theta != 0 {
					rotateCube(w, n, p, q, theta)
					rotateRows(o, n, p, q, theta)
				}
			}
		}
		rot.Converged = largest < cubeAngleEnd
	}
	rot.O = transposed(o, n)
	rot.Off = offDiagonal(w, n)
	return rot
}

// offDiagonal returns the share of the squared entries off the diagonal.
func offDiagonal(t []float64, n int) float64 {
	on, all := 0.0, dot(t, t)
	for i := range n {
		v := t[(i*n+i)*n+i]
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
func cubeAngle(t []float64, n, p, q int, tiny float64) float64 {
	ppp, ppq, pqq, qqq := t[(p*n+p)*n+p], t[(p*n+p)*n+q], t[(p*n+q)*n+q], t[(q*n+q)*n+q]
	x, y := ppp+3*ppq+3*pqq+qqq, qqq-3*pqq+3*ppq-ppp // 2√2 times the entries at π/4
	b := (ppp*ppp + qqq*qqq - (x*x+y*y)/8) / 2
	c := 1.5 * (ppp*ppq - qqq*pqq)
	if !(math.Hypot(b, c) > tiny) { // flat, or NaN
		return 0
	}
	return 0.25 * math.Atan2(c, b)
}

// rotateCube applies the rotation of (p,q) to the three modes of t.
func rotateCube(t []float64, n, p, q int, theta float64) {
	s, c := math.Sincos(theta)
	kernel.Rotate(t[p*n*n:][:n*n], t[q*n*n:][:n*n], c, s)
	for a := range n {
		plane := t[a*n*n:][:n*n]
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
