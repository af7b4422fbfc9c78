package verdict

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// Records outside a part stay in their order, each with its side.
func TestRanksWithout(t *testing.T) {
	at, upper := []float64{3, 1, 2, 0}, []bool{true, false, true, false}
	r := inOrder(at, upper).without([]int{2})
	if !slices.Equal(r.at, []float64{0, 1, 3}) || !slices.Equal(r.row, []int{3, 1, 0}) || !slices.Equal(r.upper, []bool{false, false, true}) {
		t.Errorf("at %v, rows %v, upper %v", r.at, r.row, r.upper)
	}
	if lower, higher := r.sides(); !slices.Equal(lower, []float64{0, 1}) || !slices.Equal(higher, []float64{3}) {
		t.Errorf("sides %v and %v", lower, higher)
	}
}

// Heaps that have settled are left as they are: more steps from there move them by no more
// than that, and two heaps far apart are found.
func TestLineSettles(t *testing.T) {
	rnd := stream.New(1, "test/line")
	var at []float64
	for i := range 1000 {
		at = append(at, rnd.NormFloat64()+12*float64(i%2))
	}
	slices.Sort(at)
	p := pointsOf(at)
	l, fit := lineEM(p, startQuantiles(at, 2), 0)
	next, more := lineEM(p, l, 0)
	if moved := next.moved(l); moved >= valleySettled*p.sd || numtest.Off(more, fit, .01) {
		t.Errorf("a second fit moves heaps by %v and the log-likelihood by %v", moved, more-fit)
	}
	if numtest.Off(l.mean[0], 0, .2) || numtest.Off(l.mean[1], 12, .2) {
		t.Errorf("heaps at %v", l.mean)
	}
}
