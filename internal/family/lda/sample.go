package lda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// defaultLength is the number of words of a sampled document when the shape
// does not say.
const defaultLength = 100

// Sample draws documents: a mixture each, then a topic for every word.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	alpha, err := alphaOf(p)
	if err != nil {
		return family.Draw{}, err
	}
	d, k := p.Centers.Dims()
	words, col := make([]wheel, k), make([]float64, d)
	for j := range words {
		for h := range col {
			col[h] = p.Centers.At(h, j)
		}
		words[j] = newWheel(col)
	}
	rows, theta := sparse.NewBuilder(d, false), make([]float64, k)
	var document []uint32
	for i := range n {
		length := shape.Length(i, defaultLength)
		if length < 0 {
			return family.Draw{}, fmt.Errorf("lda: document %d of %d words: want a length >= 0", i+1, length)
		}
		dirichlet(r, theta, alpha)
		document = document[:0]
		for range length {
			document = append(document, uint32(words[family.Pick(r, theta)].draw(r)))
		}
		if err := rows.Add(document, nil); err != nil {
			return family.Draw{}, err
		}
	}
	return family.Draw{Rows: rows.Rows()}, nil
}

// dirichlet draws from the Dirichlet law with parameters alpha. Small
// parameters underflow as gammas, so it works with their logarithms.
func dirichlet(r *rand.Rand, dst, alpha []float64) {
	top := math.Inf(-1)
	for j, a := range alpha {
		dst[j] = logGammaDraw(r, a)
		top = math.Max(top, dst[j])
	}
	sum := 0.0
	for j, v := range dst {
		dst[j] = math.Exp(v - top)
		sum += dst[j]
	}
	for j := range dst {
		dst[j] /= sum
	}
}

// logGammaDraw returns the logarithm of a draw from the gamma law of shape a
// (Marsaglia and Tsang 2000; below 1 by their power of a uniform number).
func logGammaDraw(r *rand.Rand, a float64) float64 {
	boost := 0.0
	if a < 1 {
		boost = math.Log(1-r.Float64()) / a
		a++
	}
	d := a - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return math.Log(d*v) + boost
		}
	}
}

// A wheel draws numbers with given chances: it holds their running sums.
type wheel []float64

func newWheel(chances []float64) wheel {
	w, sum := make(wheel, len(chances)), 0.0
	for i, c := range chances {
		sum += c
		w[i] = sum
	}
	return w
}

// draw returns i with chance i; entries of chance zero never come.
func (w wheel) draw(r *rand.Rand) int {
	x := r.Float64() * w[len(w)-1]
	return min(sort.Search(len(w), func(i int) bool { return w[i] > x }), len(w)-1)
}
