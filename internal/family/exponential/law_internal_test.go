package exponential

import (
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/moment"
)

// TestLaw: e2 and c are those of x²/2 and x³/6.
func TestLaw(t *testing.T) {
	x := []float64{0, .5, 1, 3, 20}
	want := moment.LawOf(func(x float64) float64 { return x * x / 2 }, func(x float64) float64 { return x * x * x / 6 })
	n := len(x)
	a, b, c, d := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	law().Correct(a, b, x)
	want.Correct(c, d, x)
	for i := range x {
		if numtest.Off(a[i], c[i], 1e-12*c[i]) || numtest.Off(b[i], d[i], 1e-12*d[i]) {
			t.Errorf("x = %v: e2 %v and c %v, want %v and %v", x[i], a[i], b[i], c[i], d[i])
		}
	}
}
