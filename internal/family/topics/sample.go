package topics

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/sparse"
)

// Length is the number of words of a sampled document where nobody says it.
const Length = 100

// Sample draws n documents, each of so many words, of the topics in the columns of centers.
// For every document begin is asked once; what it returns says of which topic each word is.
func Sample(centers *mat.Dense, r *rand.Rand, n int, length func(i int) int, begin func(i int) func() int) (sparse.Rows, error) {
	d, k := centers.Dims()
	words, col := make([]Wheel, k), make([]float64, d)
	for j := range words {
		words[j] = NewWheel(mat.Col(col, j, centers))
	}
	rows := sparse.NewBuilder(d, false)
	var document []uint32
	for i := range n {
		long := length(i)
		if long < 0 {
			return sparse.Rows{}, fmt.Errorf("document %d of %d words: want a length >= 0", i+1, long)
		}
		topic := begin(i)
		document = document[:0]
		for range long {
			document = append(document, uint32(words[topic()].Draw(r)))
		}
		if err := rows.Add(document, nil); err != nil {
			return sparse.Rows{}, err
		}
	}
	return rows.Rows(), nil
}

// A Wheel draws numbers with given chances: it holds their running sums.
type Wheel []float64

// NewWheel returns the wheel of some chances, whatever they add up to.
func NewWheel(chances []float64) Wheel {
	w, sum := make(Wheel, len(chances)), 0.0
	for i, c := range chances {
		sum += c
		w[i] = sum
	}
	return w
}

// Draw returns i with chance i; entries of chance zero never come.
func (w Wheel) Draw(r *rand.Rand) int {
	x := r.Float64() * w[len(w)-1]
	return min(sort.Search(len(w), func(i int) bool { return w[i] > x }), len(w)-1)
}
