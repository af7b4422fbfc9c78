package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// twoNormals draws records of two normal heaps, and on which side of the middle
// each lies.
func twoNormals(seed uint64, n int, apart float64) (at []float64, upper []bool) {
	r := stream.New(seed, "test/valley")
	for range n {
		x := r.NormFloat64() + apart*(float64(r.IntN(2))-.5)
		at, upper = append(at, x), append(upper, x > 0)
	}
	return at, upper
}

func TestValleyBetweenTwoHeaps(t *testing.T) {
	for seed := range uint64(5) {
		if v := across3(twoNormals(seed, 200, 5)); v.Nats < 5 || v.Nats < v.Error || v.depth > .4 {
			t.Errorf("two heaps five deviations apart: %+v", v)
		}
	}
}

func across3(at []float64, upper []bool) valley { return across(at, upper, 1) }

// One heap that is cut anywhere has no valley, whatever its shape.
func TestNoValleyInOneHeap(t *testing.T) {
	r := stream.New(2, "test/valley")
	for name, draw := range map[string]func() float64{
		"normal":      r.NormFloat64,
		"uniform":     r.Float64,
		"exponential": r.ExpFloat64,
		"t3": func() float64 {
			return r.NormFloat64() / math.Sqrt((r.ExpFloat64()*2+math.Pow(r.NormFloat64(), 2))/3)
		},
	} {
		for _, n := range []int{60, 400, 2000} {
			at, upper := make([]float64, n), make([]bool, n)
			for i := range at {
				at[i] = draw()
				upper[i] = at[i] > .5
			}
			if v := across(at, upper, 1); v.Nats >= 3 && v.depth <= .5 {
				t.Errorf("%s, %d records: %+v", name, n, v)
			}
		}
	}
}

// A few records that lie together between two heaps, as people of both descents do, are no
// top of either; and one record anywhere does not outweigh all others.
func TestFewBetweenTwoHeaps(t *testing.T) {
	r := stream.New(3, "test/valley")
	for _, between := range []int{0, 1, 6} {
		var at []float64
		var upper []bool
		for i := range 120 {
			x := -8 + r.NormFloat64()
			if i%2 == 1 {
				x = 8 + r.NormFloat64()
			}
			if i < between {
				x = .1 * r.NormFloat64()
			}
			at, upper = append(at, x), append(upper, x > 0)
		}
		if v := across(at, upper, 1); v.Nats < 15 || v.Nats < 3*v.Error || v.depth > .3 {
			t.Errorf("%d between: %+v", between, v)
		}
	}
}

// A gap inside one side is no evidence for a border elsewhere.
func TestGapInsideASide(t *testing.T) {
	at, _ := twoNormals(1, 400, 8)
	upper := make([]bool, len(at))
	for i, v := range at {
		upper[i] = v > 4
	}
	if v := across(at, upper, 1); v.Nats >= 3 {
		t.Errorf("a cut through one heap: %+v", v)
	}
}

func TestMonotone(t *testing.T) {
	y := []float64{1, 3, 2, 4, 1}
	monotone(y)
	for i, want := range []float64{1, 2.5, 2.5, 2.5, 2.5} {
		if numtest.Off(y[i], want, 1e-12) {
			t.Errorf("place %d is %v, want %v (%v)", i, y[i], want, y)
		}
	}
}

func TestBridged(t *testing.T) {
	f := []float64{1, 4, 2, 3, 1}
	full, a, b := bridged(f, 2, 2, 2)
	if a != 1 || b != 3 || full == nil {
		t.Fatalf("tops %d and %d of %v", a, b, f)
	}
	for i, want := range []float64{1, 4, 2.5, 2.5, 1} {
		if numtest.Off(full[i], want, 1e-12) {
			t.Errorf("the nearest density with one heap is %v", full)
		}
	}
	if full, _, _ := bridged([]float64{1, 2, 3, 2, 1}, 1, 1, 1); full != nil {
		t.Error("a valley on the slope of one heap")
	}
}

// A few records of their own between the sides are the top of neither; what lies beyond the
// stretch between the sides, or behind a deeper gap, is not passed over.
func TestTopsOfTheSides(t *testing.T) {
	f := []float64{1, 9, 3, 4, 2, 8, 1}
	for _, c := range []struct{ first, a int }{{2, 1}, {3, 3}} {
		if _, a, b := bridged(f, c.first, 4, 4); a != c.a || b != 5 {
			t.Errorf("the sides begin at %d: tops %d and %d of %v", c.first, a, b, f)
		}
	}
	if _, a, _ := bridged([]float64{1, 9, 1, 4, 2, 8, 1}, 1, 4, 4); a != 3 {
		t.Errorf("top %d behind a deeper gap", a)
	}
}

// Numbers that lie on few places have gaps between them; a floor under the width
// of heaps knows that chance alone spreads records over several of them.
func TestValleyOfFewPlaces(t *testing.T) {
	r := stream.New(3, "test/valley")
	var at []float64
	var upper []bool
	for range 1000 {
		v := r.IntN(2)
		at, upper = append(at, float64(v)), append(upper, v > 0)
	}
	if v := acrossOver(at, upper, .5, 1); v.Nats >= 3 && v.depth <= .5 {
		t.Errorf("two places, with a floor of half their distance: %+v", v)
	}
	if v := across(at, upper, 1); v.Nats < 3 {
		t.Errorf("two places without a floor: %+v", v)
	}
}
