package singletopic

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// defaultLength is the number of words of a sampled document when the shape
// does not say.
const defaultLength = 100

// Sample draws documents: a topic each, then its words.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d, k := p.Centers.Dims()
	topic := newWheel(p.Weights)
	words := make([]wheel, k)
	for j := range words {
		col := make([]float64, d)
		for h := range col {
			col[h] = p.Centers.At(h, j)
		}
		words[j] = newWheel(col)
	}
	rows, labels := sparse.NewBuilder(d, false), make([]int, n)
	var document []uint32
	for i := range n {
		length := shape.Length(i, defaultLength)
		if length < 0 {
			return family.Draw{}, fmt.Errorf("single-topic: document %d of %d words: want a length >= 0", i+1, length)
		}
		labels[i] = topic.draw(r)
		document = document[:0]
		for range length {
			document = append(document, uint32(words[labels[i]].draw(r)))
		}
		if err := rows.Add(document, nil); err != nil {
			return family.Draw{}, err
		}
	}
	return family.Draw{Rows: rows.Rows(), Labels: labels}, nil
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
