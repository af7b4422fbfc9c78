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
	for j := range k {
		sum := 0.0
		for h := range d {
			v := p.Centers.At(h, j)
			if v < 0 {
				return fmt.Errorf("probability of word %d in topic %d is %v, want a number >= 0", h+1, j+1, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > simplexTol {
			return fmt.Errorf("word probabilities of topic %d add up to %v, want 1", j+1, sum)
		}
	}
	return nil
}
