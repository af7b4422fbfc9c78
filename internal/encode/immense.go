package encode

import (
	"errors"
	"fmt"
	"math"
)

// ErrImmense is what errors about numbers are that are too large to be added up.
var ErrImmense = errors.New("numbers are too large")

// largest is the largest number that may enter a fit: third powers of a thousand
// million of them, as third moments add them up, still are numbers (1e309 is none).
const largest = 1e100

// immense names a feature whose values are beyond that.
func (e *encoder) immense(order []uint32) error {
	for _, t := range order {
		x := e.stats.hi[t]
		if -e.stats.lo[t] > x {
			x = e.stats.lo[t]
		}
		if math.Abs(x) > largest && !math.IsInf(x, 0) {
			name := e.terms.dict.Name(t)
			return fmt.Errorf("encode: %w: column %s holds %.3g, and beyond 1e+100 sums of squares are no numbers; write it in another unit, or leave it out with ‹exclude› %s", ErrImmense, name, x, name)
		}
	}
	return nil
}
