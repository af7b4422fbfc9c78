package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// twoKinds draws sequences that stay where they are or go round, half of each.
func twoKinds(n int) *walks {
	const d, steps = 3, 15
	r := stream.New(1, "test")
	b := sparse.NewBuilder(d, true)
	w := &walks{steps: []int{0}}
	for i := range n {
		now := r.IntN(d)
		for range steps {
			_ = b.Add([]uint32{uint32(now)}, nil)
			if goes := r.Float64() < .85; goes == (i%2 == 1) {
				now = (now + 1) % d
			}
		}
		w.steps = append(w.steps, w.steps[i]+steps)
	}
	w.rows = b.Rows()
	return w
}

// Two kinds of courses are found, each sequence in its own, and predict sequences
// better than one way for all and than a way of each.
func TestKindsOfCourses(t *testing.T) {
	train, test := twoKinds(60), twoKinds(40)
	got := symbolRivals(train, test)
	if k, one := sum(got[kindred]), max(sum(got[visible]), sum(got[habits])); k < one+20 {
		t.Errorf("two kinds score %.1f, one way %.1f", k, one)
	}
	step := learnSymbols(train, []level{{of: func(past) int64 { return 0 }}, {of: func(p past) int64 { return int64(p.last[0]) }}})
	c := learnChains(train, step)
	if len(c.weight) != 2 {
		t.Fatalf("%d kinds, want 2", len(c.weight))
	}
	first, share := make([]float64, 2), make([]float64, 2)
	for i, list := range step.moves(train) {
		if c.shares(list, share); i == 0 {
			copy(first, share)
		}
		if same := (share[0] > .5) == (first[0] > .5); same != (i%2 == 0) {
			t.Errorf("sequence %d is in the other kind: %v", i, share)
		}
	}
}

// A density: the chances of all sequences of a length sum to one.
func TestKindsAreADensity(t *testing.T) {
	train := twoKinds(40)
	step := learnSymbols(train, []level{{of: func(past) int64 { return 0 }}, {of: func(p past) int64 { return int64(p.last[0]) }}})
	c := learnChains(train, step)
	total := 0.0
	for code := range 27 {
		b := sparse.NewBuilder(3, true)
		for t := 1; t <= 9; t *= 3 {
			_ = b.Add([]uint32{uint32(code / t % 3)}, nil)
		}
		total += math.Exp(c.scores(&walks{rows: b.Rows(), steps: []int{0, 3}})[0])
	}
	near(t, "sum over all sequences of three steps", total, 1, 1e-9)
}
