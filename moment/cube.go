package moment

import (
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/spectral"
)

// Cube is a symmetric n×n×n array, stored whole: entry (a,b,c) stands at
// (a·n+b)·n+c of Data.
type Cube struct {
	N    int
	Data []float64
}

// NewCube returns a cube of zeros.
func NewCube(n int) *Cube { return &Cube{N: n, Data: make([]float64, n*n*n)} }

// PackedLen returns the number of different entries of a symmetric cube.
func PackedLen(n int) int { return n * (n + 1) * (n + 2) / 6 }

// Unpack returns the cube whose entries a ≤ b ≤ c stand in packed in
// lexicographic order.
func Unpack(packed []float64, n int) *Cube {
	t := NewCube(n)
	at := 0
	for a := range n {
		for b := a; b < n; b++ {
			for c := b; c < n; c++ {
				t.setSym(a, b, c, packed[at])
				at++
			}
		}
	}
	return t
}

func (t *Cube) setSym(a, b, c int, v float64) {
	n := t.N
	t.Data[(a*n+b)*n+c] = v
	t.Data[(a*n+c)*n+b] = v
	t.Data[(b*n+a)*n+c] = v
	t.Data[(b*n+c)*n+a] = v
	t.Data[(c*n+a)*n+b] = v
	t.Data[(c*n+b)*n+a] = v
}

// At returns entry (a,b,c).
func (t *Cube) At(a, b, c int) float64 { return t.Data[(a*t.N+b)*t.N+c] }

// Clone returns a copy.
func (t *Cube) Clone() *Cube {
	return &Cube{N: t.N, Data: append([]float64(nil), t.Data...)}
}

// Slice returns slice a, the symmetric n×n matrix of entries (a,·,·), sharing
// the cube's memory.
func (t *Cube) Slice(a int) *mat.Dense {
	n := t.N
	return mat.NewDense(n, n, t.Data[a*n*n:(a+1)*n*n])
}

// AddScaled adds f times u.
func (t *Cube) AddScaled(f float64, u *Cube) {
	for i, v := range u.Data {
		t.Data[i] += f * v
	}
}

// Scale multiplies all entries by f.
func (t *Cube) Scale(f float64) {
	for i := range t.Data {
		t.Data[i] *= f
	}
}

// AddSym3 adds f·v⊗v⊗v.
func (t *Cube) AddSym3(f float64, v []float64) {
	n := t.N
	for a := range n {
		fa := f * v[a]
		for b := range n {
			fab := fa * v[b]
			row := t.Data[(a*n+b)*n:][:n]
			for c, x := range v {
				row[c] += fab * x
			}
		}
	}
}

// AddPlaced adds f times the sum of s⊗v over the three places of v, for a
// symmetric n×n matrix s: entry (a,b,c) gains f(s_ab v_c + s_ac v_b + s_bc v_a).
func (t *Cube) AddPlaced(f float64, s *mat.Dense, v []float64) {
	n := t.N
	raw := s.RawMatrix()
	for a := range n {
		sa := raw.Data[a*raw.Stride:][:n]
		for b := range n {
			sb := raw.Data[b*raw.Stride:][:n]
			row := t.Data[(a*n+b)*n:][:n]
			sab, va, vb := f*sa[b], f*v[a], f*v[b]
			for c := range row {
				row[c] += sab*v[c] + vb*sa[c] + va*sb[c]
			}
		}
	}
}

// Combine sets t to f0·u + f1·(the sum of s⊗v over the three places of v) +
// f2·v⊗v⊗v, in one go: see AddPlaced and AddSym3.
func (t *Cube) Combine(f0 float64, u *Cube, f1 float64, s *mat.Dense, f2 float64, v []float64) {
	n := t.N
	raw := s.RawMatrix()
	for a := range n {
		sa := raw.Data[a*raw.Stride:][:n]
		for b := range n {
			sb := raw.Data[b*raw.Stride:][:n]
			row, from := t.Data[(a*n+b)*n:][:n], u.Data[(a*n+b)*n:][:n]
			x, y, z := f1*sa[b]+f2*v[a]*v[b], f1*v[b], f1*v[a]
			for c, w := range from {
				row[c] = f0*w + x*v[c] + y*sa[c] + z*sb[c]
			}
		}
	}
}

// Columns returns the n×m matrix whose column j is T(·,v_j,v_j) for the columns
// of v (n×m).
func (t *Cube) Columns(v *mat.Dense) *mat.Dense {
	n := t.N
	_, m := v.Dims()
	x := mat.NewDense(n*n, m, nil) // ((a,b),j): T(a,b,v_j)
	spectral.Mul(x, mat.NewDense(n*n, n, t.Data), v)
	out := mat.NewDense(n, m, nil)
	for a := range n {
		row := out.RawRowView(a)
		for b := range n {
			vb := v.RawRowView(b)
			for j, w := range x.RawRowView(a*n + b) {
				row[j] += w * vb[j]
			}
		}
	}
	return out
}

// AddPlacedPairs adds f times the sum of x over its three places, for x with
// entry ((a,b),c) in row (a,b) of the pairs a ≤ b in lexicographic order, and
// column c: entry (a,b,c) gains f(x_ab,c + x_ac,b + x_bc,a).
func (t *Cube) AddPlacedPairs(f float64, x *mat.Dense) {
	n := t.N
	at := func(a, b, c int) float64 {
		if a > b {
			a, b = b, a
		}
		return x.At(a*n-a*(a+1)/2+b, c)
	}
	for a := range n {
		for b := a; b < n; b++ {
			for c := b; c < n; c++ {
				t.setSym(a, b, c, t.At(a, b, c)+f*(at(a, b, c)+at(a, c, b)+at(b, c, a)))
			}
		}
	}
}

// Congruence returns T(A,A,A), the m×m×m cube with entries
// Σ A_ap A_bq A_cr T_abc, for an n×m matrix A.
func (t *Cube) Congruence(a *mat.Dense) *Cube {
	_, m := a.Dims()
	out := NewCube(m)
	t.Modes(out.Data, a, a, a, new(CubeBuffer))
	return out
}

// CubeBuffer is memory that one call of Modes leaves to the next.
type CubeBuffer struct{ x, y []float64 }

// Modes sets dst to T(A,B,C), entry (p,q,r) = Σ A_ap B_bq C_cr T_abc, for
// matrices of n rows; a nil C is the identity. It does not need the cube to be
// symmetric.
func (t *Cube) Modes(dst []float64, a, b, c *mat.Dense, buffer *CubeBuffer) {
	n := t.N
	_, ma := a.Dims()
	_, mb := b.Dims()
	// One mode at a time: (n²×n)·(n×mc), then the middle, then the first.
	x, mc := t.Data, n // (a,b | r)
	if c != nil {
		_, mc = c.Dims()
		buffer.x = zeros(buffer.x, n*n*mc)
		x = buffer.x
		kernel.Gemm(matrix(x, n*n, mc), matrix(t.Data, n*n, n), numbers(c))
	}
	buffer.y = zeros(buffer.y, n*mb*mc) // (a | q,r)
	for i := range n {
		kernel.GemmTrans(matrix(buffer.y[i*mb*mc:], mb, mc), numbers(b), matrix(x[i*n*mc:], n, mc))
	}
	dst = dst[:ma*mb*mc]
	clear(dst)
	kernel.GemmTrans(matrix(dst, ma, mb*mc), numbers(a), matrix(buffer.y, n, mb*mc))
}

// Turned returns T(A,B,C), as Modes does, for n×n matrices, in the memory of
// buffer (n³ numbers). The cube is lost.
func (t *Cube) Turned(a, b, c *mat.Dense, buffer []float64) []float64 {
	n := t.N
	x, y := buffer[:n*n*n], t.Data
	clear(x)
	kernel.Gemm(matrix(x, n*n, n), matrix(y, n*n, n), numbers(c))
	clear(y)
	for i := range n {
		kernel.GemmTrans(matrix(y[i*n*n:], n, n), numbers(b), matrix(x[i*n*n:], n, n))
	}
	clear(x)
	kernel.GemmTrans(matrix(x, n, n*n), numbers(a), matrix(y, n, n*n))
	return x
}

// numbers are those of a matrix as the kernels take them.
func numbers(m *mat.Dense) kernel.Matrix {
	r := m.RawMatrix()
	return kernel.Matrix{Data: r.Data, Rows: r.Rows, Cols: r.Cols, Stride: r.Stride}
}

// matrix is the rows×cols matrix at the head of x.
func matrix(x []float64, rows, cols int) kernel.Matrix {
	return kernel.Matrix{Data: x[:rows*cols], Rows: rows, Cols: cols, Stride: cols}
}

// zeros returns n zeros, in x where that has room.
func zeros(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	x = x[:n]
	clear(x)
	return x
}

// Contract returns the n×n matrix Σ_c v_c T_{··c}.
func (t *Cube) Contract(v []float64) *mat.Dense {
	n := t.N
	out := mat.NewDense(n, n, nil)
	mat.NewVecDense(n*n, out.RawMatrix().Data).MulVec(mat.NewDense(n*n, n, t.Data), mat.NewVecDense(n, v))
	return out
}
