package verdict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/kernel"

	"gonum.org/v1/gonum/mat"
)

// starts of EM on counts: records in the leading directions in which they
// differ, cut by k-means.

// scaling says how records are scaled before directions are sought.
type scaling int

const (
	byRoots  scaling = iota // square roots of shares: many words a record
	byShares                // shares over the root of the overall ones, pairs of different words only: few
)

// embedded returns the places of the records (n×l) in the l leading directions.
func (b *bag) embedded(l int, how scaling, base []float64, r *rand.Rand) []float64 {
	const passes, more = 4, 6
	l = min(l, b.cols)
	wide := min(l+more, b.cols)
	y := b.scaled(how, base)
	q := make([]float64, b.cols*wide)
	for i := range q {
		q[i] = r.NormFloat64()
	}
	p := make([]float64, b.n()*wide)
	mean := y.mean(b.n(), b.places)
	for range passes {
		orthonormal(q, b.cols, wide)
		y.project(p, q, mean, wide)
		next := make([]float64, b.cols*wide)
		kernel.Scatter(next, y.ptr, y.index, y.value, p, wide)
		sums := make([]float64, wide)
		for i := range p {
			sums[i%wide] += p[i]
		}
		b.places.add(next, sums)
		for j := range b.cols {
			for c := range wide {
				next[j*wide+c] -= mean[j]*sums[c] + y.self[j]*q[j*wide+c]
			}
		}
		q = next
	}
	orthonormal(q, b.cols, wide)
	y.project(p, q, mean, wide)
	if b.trials > 0 {
		p = b.places.turned(p, wide)
	}
	out := make([]float64, b.n()*l)
	for i := range b.n() {
		copy(out[i*l:][:l], p[i*wide:][:l])
	}
	return out
}

// turned turns places (rows of width l) so that their first number differs most, and so on:
// few records of many features have many directions that differ nearly as much, of which a
// few passes find the span and not the order.
func (a *strand) turned(p []float64, l int) []float64 {
	squares := make([]float64, l*l)
	for i := 0; i < len(p); i += l {
		for c, v := range p[i:][:l] {
			for d, w := range p[i:][:l] {
				squares[c*l+d] += v * w
			}
		}
	}
	a.add(squares)
	var eigen mat.EigenSym
	if len(p) == 0 || !eigen.Factorize(mat.NewSymDense(l, squares), true) {
		return p
	}
	var v, out mat.Dense
	eigen.VectorsTo(&v) // the least first
	out.Mul(mat.NewDense(len(p)/l, l, p), &v)
	turned := out.RawMatrix().Data
	for i := 0; i < len(turned); i += l {
		slices.Reverse(turned[i:][:l])
	}
	return turned
}

// scaledRows are records as numbers, and what a feature's pairs with itself add
// to its square.
type scaledRows struct {
	ptr   []int
	index []uint32
	value []float32
	self  []float64
}

// scaled makes the numbers whose directions are sought.
func (b *bag) scaled(how scaling, base []float64) *scaledRows {
	y := &scaledRows{ptr: b.ptr, index: slices.Clone(b.index), value: make([]float32, len(b.value)), self: make([]float64, b.cols)}
	for i := range b.n() {
		for e := b.ptr[i]; e < b.ptr[i+1]; e++ {
			j, v := int(b.index[e]), float64(b.value[e])
			switch {
			case b.trials > 0:
				if j >= b.cols {
					j -= b.cols
					v = float64(b.trials) * base[j]
					y.index[e] = uint32(j)
				}
				v /= math.Sqrt(base[j] * (1 - base[j]))
			case how == byRoots:
				v = math.Sqrt(v / b.size[i])
			default:
				w := v / b.size[i] / math.Sqrt(base[j])
				y.self[j] += w * w / v
				v = w
			}
			y.value[e] = float32(v)
		}
	}
	return y
}

// mean is that of all places, of which so many records are here; what a feature adds to
// its square is added up beside.
func (y *scaledRows) mean(n int, places *strand) []float64 {
	out := make([]float64, len(y.self))
	if places == nil {
		for e, j := range y.index {
			out[j] += float64(y.value[e]) / float64(n)
		}
		return out
	}
	for e, j := range y.index {
		out[j] += float64(y.value[e])
	}
	all := []float64{float64(n)}
	places.add(out, y.self, all)
	for j := range out {
		out[j] /= max(all[0], 1)
	}
	return out
}

// project sets p (n×l) to the centred records times q.
func (y *scaledRows) project(p, q, mean []float64, l int) {
	kernel.Gather(p, y.ptr, y.index, y.value, q, l)
	at := make([]float64, l)
	for j, m := range mean {
		for c := range at {
			at[c] += m * q[j*l+c]
		}
	}
	for i := range p {
		p[i] -= at[i%l]
	}
}
