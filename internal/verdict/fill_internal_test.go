package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// A missing value is taken from a record like it, not from just any.
func TestBlanksAreFilledFromTheirLike(t *testing.T) {
	r := stream.New(1, "test/blanks")
	var x, y []float64
	for i := range 200 {
		at := float64(i%2) * 20
		x, y = append(x, at+r.NormFloat64()), append(y, at+r.NormFloat64())
		if i%7 == 0 {
			y[i] = math.NaN()
		}
	}
	complete([][]float64{x, y}, r)
	for i, v := range y {
		if numtest.Off(v, x[i], 10) {
			t.Errorf("record %d lies at %.1f and was given %.1f", i, x[i], v)
		}
	}
}

// Records that share no column with others are filled all the same, and columns
// without any value stay as they are.
func TestBlanksWithoutLike(t *testing.T) {
	nan := math.NaN()
	x := []float64{1, 2, nan, nan}
	y := []float64{nan, nan, 3, 4}
	complete([][]float64{x, y}, stream.New(1, "test/blanks"))
	for i := range x {
		if x[i] != x[i] || y[i] != y[i] {
			t.Errorf("record %d: %g %g", i, x[i], y[i])
		}
	}
	none := []float64{nan, nan}
	complete([][]float64{none}, stream.New(1, "test/blanks"))
	if none[0] == none[0] {
		t.Error("a value out of nothing")
	}
}
