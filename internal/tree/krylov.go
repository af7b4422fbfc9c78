package tree

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/spectral"
)

// krylov is a growing orthonormal basis Q with A·Q for a symmetric A that can
// only be applied. It keeps QᵀAQ in full, so that any direction may be added,
// not only the next power.
type krylov struct {
	apply  func(y, x [][]float64) error // the products of several vectors
	q, aq  vectors
	small  [][]float64 // QᵀAQ, lower triangle
	scaled []float64   // buffer for a vector
	found  []float64   // buffer for what pairs finds
}

// vectors are a list of vectors in one piece of memory, which is used again.
type vectors struct {
	list          [][]float64
	buffer, spare []float64
	from          *pool[float64]
}

// add lengthens the list by a vector with anything in it.
func (v *vectors) add(d int) []float64 {
	n := len(v.list)
	if len(v.buffer) < (n+1)*d {
		buffer := v.from.take(max(2*n, basisAtFirst) * d)
		copy(buffer, v.buffer)
		v.from.give(v.buffer)
		v.buffer = buffer
		for i := range v.list {
			v.list[i] = buffer[i*d : (i+1)*d]
		}
	}
	v.list = append(v.list, v.buffer[n*d:(n+1)*d])
	return v.list[n]
}

// basisAtFirst is the number of vectors that a basis has room for at first.
const basisAtFirst = 16

// turn replaces the vectors by their combinations, the leading n columns of y.
func (v *vectors) turn(y *mat.Dense, n int) {
	j, d := len(v.list), len(v.list[0])
	if len(v.spare) < len(v.buffer) {
		v.from.give(v.spare)
		v.spare = v.from.take(len(v.buffer))
	}
	clear(v.spare[:n*d])
	raw := y.RawMatrix()
	kernel.GemmTrans(kernel.Matrix{Rows: n, Cols: d, Stride: d, Data: v.spare[:n*d]},
		kernel.Matrix{Rows: j, Cols: n, Stride: raw.Stride, Data: raw.Data},
		kernel.Matrix{Rows: j, Cols: d, Stride: d, Data: v.buffer[:j*d]})
	v.buffer, v.spare = v.spare, v.buffer
	v.list = v.list[:n]
	for i := range v.list {
		v.list[i] = v.buffer[i*d : (i+1)*d]
	}
}

// release gives the memory back.
func (v *vectors) release() {
	v.from.give(v.buffer)
	v.from.give(v.spare)
	*v = vectors{from: v.from}
}

// combine sets dst to Σ_j y_j·v_j for a column of y.
func (v *vectors) combine(dst []float64, y *mat.Dense, column int) []float64 {
	clear(dst)
	for j, b := range v.list {
		kernel.Axpy(dst, y.At(j, column), b)
	}
	return dst
}

// newKrylov returns an empty basis that takes its memory from the pool.
func newKrylov(from *pool[float64], apply func(y, x [][]float64) error) *krylov {
	return &krylov{apply: apply, q: vectors{from: from}, aq: vectors{from: from}}
}

// release gives the memory of the basis back.
func (k *krylov) release() {
	k.q.release()
	k.aq.release()
}

// extend adds directions and their products. It returns how many of them are new
// to the basis.
func (k *krylov) extend(directions ...[]float64) (added int, err error) {
	first := len(k.q.list)
	for _, v := range directions {
		q := k.q.add(len(v))
		copy(q, v)
		if !k.orthogonal(q) {
			k.q.list = k.q.list[:len(k.q.list)-1]
		}
	}
	for _, q := range k.q.list[first:] {
		k.aq.add(len(q))
	}
	if err := k.apply(k.aq.list[first:], k.q.list[first:]); err != nil {
		return 0, err
	}
	for a, av := range k.aq.list[first:] {
		row := make([]float64, first+a+1)
		for b, q := range k.q.list[:len(row)] {
			row[b] = floats.Dot(q, av)
		}
		k.small = append(k.small, row)
	}
	return len(k.q.list) - first, nil
}

// orthogonal makes the last vector of the basis orthogonal to the others, of
// length 1; ok is false where they already hold it.
func (k *krylov) orthogonal(v []float64) (ok bool) {
	const (
		lost = 1e-10 // of a vector: what is left of it is rounding
		much = 0.7   // of it: what is left is exact enough to go without another turn; less, and errors double from step to step (Kahan, Daniel et al. 1976)
	)
	before := length(v)
	norm := before
	for range 2 { // twice is enough
		was := norm
		for _, q := range k.q.list[:len(k.q.list)-1] {
			kernel.Axpy(v, -floats.Dot(q, v), q)
		}
		if norm = length(v); norm > much*was {
			break
		}
	}
	if !(norm > lost*before) {
		return false
	}
	floats.Scale(1/norm, v)
	return true
}

func length(v []float64) float64 { return math.Sqrt(floats.Dot(v, v)) }

// ritz returns the eigenpairs of QᵀAQ plus, where diag is not nil, Qᵀ·diag·Q;
// values fall.
func (k *krylov) ritz(diag []float64) ([]float64, *mat.Dense) {
	j := len(k.q.list)
	m := mat.NewDense(j, j, nil)
	if len(k.scaled) < len(diag) {
		k.scaled = make([]float64, len(diag))
	}
	for a, row := range k.small {
		if diag != nil {
			floats.MulTo(k.scaled, diag, k.q.list[a])
		}
		for b, v := range row {
			if diag != nil {
				v += floats.Dot(k.scaled, k.q.list[b])
			}
			m.Set(a, b, v)
			m.Set(b, a, v)
		}
	}
	return spectral.SymEig(m)
}

// shrink keeps n directions of the basis, the leading columns of y.
func (k *krylov) shrink(y *mat.Dense, n int) {
	if len(k.q.list) <= n {
		return
	}
	k.q.turn(y, n)
	k.aq.turn(y, n)
	k.small = k.small[:n]
	for a := range k.small {
		for b := range k.small[a] {
			k.small[a][b] = floats.Dot(k.q.list[b], k.aq.list[a])
		}
	}
}

// leadingPairs returns the leading eigenpairs, one for each of the n directions to start
// from, as far as there are so many, the values that follow, and how far the pairs are from
// settled: the largest ‖Av − λv‖/λ_n. It stops once that is below tol or after most
// products. Powers of n directions are followed together, since equal eigenvalues hide one
// of their directions from powers of a single one.
func (k *krylov) leadingPairs(next [][]float64, most int, tol float64) (values []float64, pairs [][]float64, residual float64, err error) {
	n := len(next)
	for len(next) > 0 && len(k.q.list) < most {
		for i := 0; i < productsAtOnce && len(next) > 0 && len(k.q.list) < most; i += n {
			added, err := k.extend(next[:min(len(next), most-len(k.q.list))]...)
			if err != nil {
				return nil, nil, 0, err
			}
			next = append(next[:0], k.aq.list[len(k.aq.list)-added:]...) // one that leads nowhere new ends there
		}
		if len(k.q.list) < n {
			continue
		}
		if values, pairs, residual = k.pairs(n); residual <= tol {
			break
		}
	}
	return values, pairs, residual, nil
}

// pairs returns all eigenvalues in the basis, the first n vectors, and how far
// these are from settled. The vectors stand until it is called again.
func (k *krylov) pairs(n int) (values []float64, vectors [][]float64, residual float64) {
	values, y := k.ritz(nil)
	scale := math.Max(math.Abs(values[n-1]), math.SmallestNonzeroFloat64)
	d := len(k.q.list[0])
	if k.found == nil {
		k.found = make([]float64, (n+1)*d)
	}
	au := k.found[n*d:]
	for a := range n {
		u := k.q.combine(k.found[a*d:][:d], y, a)
		k.aq.combine(au, y, a)
		floats.AddScaled(au, -values[a], u)
		residual = math.Max(residual, length(au)/scale)
		vectors = append(vectors, u)
	}
	return values, vectors, residual
}

// productsAtOnce is the number of products between two looks at the basis: a
// look costs about as much as one.
const productsAtOnce = 4
