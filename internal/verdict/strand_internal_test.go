package verdict

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// alone is the strand of one place.
func alone(t *testing.T) *strand {
	t.Helper()
	return strandOf(t.Context(), pass.Double(pass.NewLocal(sparse.Rows{Dim: 1, Ptr: []int{0}}, 1)))
}

// The largest spots add up to the same where they are sorted and where they are
// counted in bins; the border in bins is as good as the best one, nearly.
func TestBinsOfSpots(t *testing.T) {
	r := stream.New(5, "spots")
	var list []spot
	for i := range 900 {
		list = append(list, spot{r.NormFloat64() + 4*float64(i%3/2), float64(1 + i%2)})
	}
	a := alone(t)
	for _, n := range []float64{1, 9, 13.5, 400} {
		if exact, binned := (*strand)(nil).most(slices.Clone(list), n), a.most(list, n); numtest.Off(exact, binned, 1e-6) {
			t.Errorf("the largest %v come to %v in bins, %v sorted", n, binned, exact)
		}
	}
	exact, ok := (*strand)(nil).border(slices.Clone(list))
	binned, also := a.border(list)
	if !ok || !also || numtest.Off(exact, binned, .2) {
		t.Errorf("border %v in bins, %v sorted", binned, exact)
	}
	if _, ok := a.border([]spot{{1, 1}, {1, 1}}); ok {
		t.Error("a border between equal spots")
	}
}

// Strands side by side share their rounds, and each gets its own totals.
func TestStrandsShareRounds(t *testing.T) {
	a := alone(t)
	run := &roundsOf{Runner: a.run}
	a.run = run
	got := make([]float64, 3)
	a.each(3, func(i int, own *strand) {
		for range i + 1 { // one, two and three rounds
			got[i] += own.one(float64(i))
		}
		own.each(2, func(int, *strand) {})
	})
	if after := a.one(7); !slices.Equal(got, []float64{0, 2, 6}) || after != 7 {
		t.Errorf("totals %v, then %v", got, after)
	}
	if n := run.rounds.Load(); n != 4 {
		t.Errorf("%d rounds, want three for the strands and one", n)
	}
}

type roundsOf struct {
	pass.Runner
	rounds atomic.Int64
}

func (c *roundsOf) Total(_ context.Context, x []float64) ([]float64, error) {
	c.rounds.Add(1)
	return x, nil
}

// A panic beside other strands is one that whoever asked for the work can catch, and no
// strand waits for the one that is gone.
func TestStrandsBreakOff(t *testing.T) {
	a := alone(t)
	caught := par.Catch(func() {
		a.each(3, func(i int, own *strand) {
			if i == 1 {
				panic("broken")
			}
			own.one(1)
		})
	})
	if caught == nil || a.failed() == nil {
		t.Errorf("caught %v, error %v", caught, a.failed())
	}
}

// Groups whose number of features is given are reached over several places too, though EM
// does not go on from starts there.
func TestReachOfTotals(t *testing.T) {
	r := stream.New(3, "reach")
	list := make([][]uint32, 200)
	for i := range list {
		for h := range uint32(6) {
			if r.Float64() < []float64{.2, .8}[(i+int(h)/3)%2] {
				list[i] = append(list[i], h)
			}
		}
	}
	d, places := coded(list, 6, nil, nil), alone(t)
	p := newPath(d.lay, places.sample(d.rows, d.lay.cols), 2, 1, "test", places)
	if m := p.reach(candidate{2, sameTotal, noRepeats}); m == nil || len(m.totals) != 7 {
		t.Errorf("two groups with their totals: %+v", m)
	}
}
