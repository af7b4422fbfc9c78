package mixture

import (
	"fmt"
	"math"
)

// simplexTol is the rounding of a sum of a hundred thousand probabilities.
const simplexTol = 1e-6

// CheckDistributions reports the first topic, a column of Centers, that is not a
// distribution over words.
func (p Params) CheckDistributions() error {
	d, k := p.Centers.Dims()
	sums, below := make([]float64, k), make([]int, k) // below is the first word that is, from 1
	for h := range d {
		for j, v := range p.Centers.RawRowView(h) {
			if v < 0 && below[j] == 0 {
				below[j] = h + 1
			}
			sums[j] += v
		}
	}
	for j, sum := range sums {
		if h := below[j]; h > 0 {
			return fmt.Errorf("probability of word %d in topic %d is %v, want a number >= 0", h, j+1, p.Centers.At(h-1, j))
		}
		if math.Abs(sum-1) > simplexTol {
			return fmt.Errorf("word probabilities of topic %d add up to %v, want 1", j+1, sum)
		}
	}
	return nil
}
