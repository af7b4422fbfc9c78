package tree

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
)

// Which two groups lose least is asked after every joining; each pair is looked at once.
func TestJoinLooksAtPairsOnce(t *testing.T) {
	const k, d = 8, 5
	centers, weights := mat.NewDense(d, k, nil), make([]float64, k)
	for g := range k {
		weights[g] = 1. / k
		for h := range d {
			centers.Set(h, g, .1+.8*float64((g*g+3*h)%7)/7)
		}
	}
	own, asked := copies(1), 0
	entropy := own.entropy
	own.entropy = func(center []float64) float64 {
		asked++
		return entropy(center)
	}
	join(mixture.New(centers, weights), nil, own, 1)
	// Groups, their pairs, what is joined, and its pairs with those that are left.
	if most := k + k*(k-1)/2 + (k - 1) + (k-1)*(k-2)/2; asked > most {
		t.Errorf("%d groups took %d looks at a center, want at most %d", k, asked, most)
	}
}
