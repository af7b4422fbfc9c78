package exchange

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// TestFixed: numbers come back as they were, but for what is below 2⁻⁶⁴, and
// totals do not depend on the order.
func TestFixed(t *testing.T) {
	for _, v := range []float64{0, 1, -1, .1, -.1, 1e-3, -1e-3, math.Pi, 1e15 + .125, -1e15 - .125, 1e18, -1e18, 0x1p-64, -0x1p-64, 4.6e18} {
		f, err := fix(v)
		if err != nil || f.Float() != v {
			t.Errorf("%v becomes %v (%v)", v, f.Float(), err)
		}
	}
	for _, v := range []float64{1e-30, -1e-30, 1e-17, -1.2345678e-12} {
		if f, err := fix(v); err != nil || numtest.Off(f.Float(), v, 0x1p-64) {
			t.Errorf("%v becomes %v (%v)", v, f.Float(), err)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1 << 62, -1 << 62} {
		if _, err := fix(v); err == nil {
			t.Errorf("%v is taken", v)
		}
	}
	r, x := rand.New(rand.NewPCG(1, 2)), make([]Fixed, 1000)
	for i := range x {
		x[i], _ = fix(r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-8)))
	}
	sum := func() (s Fixed) {
		for _, v := range x {
			s = s.add(v)
		}
		return s
	}
	one := sum()
	r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	if two := sum(); one != two || one.sub(two) != (Fixed{}) {
		t.Errorf("the order of a sum shows: %v and %v", one, two)
	}
	if got := fromBytes(bytesOf(x)); got[17] != x[17] || len(got) != len(x) {
		t.Error("bytes do not come back")
	}
}
