package verdict

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"testing"

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
		if exact, binned := (*strand)(nil).most(slices.Clone(list), n), a.most(list, n); math.Abs(exact-binned) > 1e-6 {
			t.Errorf("the largest %v come to %v in bins, %v sorted", n, binned, exact)
		}
	}
	exact, ok := (*strand)(nil).border(slices.Clone(list))
	binned, also := a.border(list)
	if !ok || !also || math.Abs(exact-binned) > .2 {
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
