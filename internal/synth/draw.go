// Package synth makes records: the generators of the papers' experiments and
// of the product's own evidence, from a seed through named streams. Every
// generator returns the truth along with the records.
package synth

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/sparse"
)

// Gamma draws from the gamma distribution of the given shape and scale 1
// (Marsaglia and Tsang 2000; for shapes below 1 by their boost).
func Gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		u := 1 - r.Float64() // never zero
		return Gamma(r, shape+1) * math.Pow(u, 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - r.Float64()
		if math.Log(u) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// Dirichlet fills dst with a draw from the Dirichlet distribution of alpha. A
// draw whose numbers all vanish, as tiny alphas can give, becomes one sure
// place.
func Dirichlet(r *rand.Rand, alpha, dst []float64) {
	sum := 0.0
	for j, a := range alpha {
		dst[j] = Gamma(r, a)
		sum += dst[j]
	}
	if !(sum > 0) {
		clear(dst)
		dst[r.IntN(len(dst))] = 1
		return
	}
	for j := range dst {
		dst[j] /= sum
	}
}

// Poisson draws from the Poisson distribution: by products of uniforms for
// small means, by halving (a gamma waiting time) for large ones.
func Poisson(r *rand.Rand, mean float64) int {
	n := 0
	for mean > 30 {
		// The m-th arrival of a unit Poisson process is Gamma(m).
		m := int(mean * 7 / 8)
		x := Gamma(r, float64(m))
		if x > mean {
			return n + Binomial(r, m-1, mean/x)
		}
		n += m
		mean -= x
	}
	limit, p := math.Exp(-mean), 1.0
	for {
		p *= 1 - r.Float64()
		if p <= limit {
			return n
		}
		n++
	}
}

// Binomial draws the number of successes in n trials of probability p.
func Binomial(r *rand.Rand, n int, p float64) int {
	k := 0
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return k
}

// Simplex returns k uniform numbers divided by their sum.
func Simplex(r *rand.Rand, k int) []float64 {
	w := make([]float64, k)
	for j := range w {
		w[j] = r.Float64()
	}
	return normalise(w)
}

func normalise(w []float64) []float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	for j := range w {
		w[j] /= sum
	}
	return w
}

// normaliseColumns divides every column by its sum, times total.
func normaliseColumns(m *mat.Dense, total float64) {
	d, k := m.Dims()
	for j := range k {
		sum := 0.0
		for h := range d {
			sum += m.At(h, j)
		}
		for h := range d {
			m.Set(h, j, m.At(h, j)/sum*total)
		}
	}
}

// A sampler draws places by their weights in constant time (Vose's alias
// method).
type sampler struct {
	p     []float64
	alias []int
}

func newSampler(weights []float64) *sampler {
	n := len(weights)
	s := &sampler{make([]float64, n), make([]int, n)}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	var small, large []int
	for i, w := range weights {
		s.p[i] = w / sum * float64(n)
		s.alias[i] = i
		if s.p[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		a, b := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		s.alias[a] = b
		s.p[b] -= 1 - s.p[a]
		if s.p[b] < 1 {
			large = large[:len(large)-1]
			small = append(small, b)
		}
	}
	for _, i := range append(small, large...) {
		s.p[i] = 1
	}
	return s
}

func (s *sampler) draw(r *rand.Rand) int {
	i := r.IntN(len(s.p))
	if r.Float64() < s.p[i] {
		return i
	}
	return s.alias[i]
}

// bag collects words into rows of counts.
type bag struct {
	rows  sparse.Rows
	count []float32
	seen  []uint32
}

func newBag(d int) *bag {
	return &bag{rows: sparse.Rows{Dim: d, Ptr: []int{0}, Value: []float32{}}, count: make([]float32, d)}
}

func (b *bag) word(h int) {
	if b.count[h] == 0 {
		b.seen = append(b.seen, uint32(h))
	}
	b.count[h]++
}

// close ends a row.
func (b *bag) close() {
	sortWords(b.seen)
	for _, h := range b.seen {
		b.rows.Index = append(b.rows.Index, h)
		b.rows.Value = append(b.rows.Value, b.count[h])
		b.count[h] = 0
	}
	b.seen = b.seen[:0]
	b.rows.Ptr = append(b.rows.Ptr, len(b.rows.Index))
}
