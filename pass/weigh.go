package pass

import (
	"context"
	"math"
	"sort"
	"sync"
)

// Weigh returns a runner over the same records in which some count less: record i of
// the own has the weight of the first of ends that is beyond it. Sums are those of
// records so often; Own shows them as they are, those of one weight at a time, as sums
// see them. Len is the weight of all records.
func Weigh(r Runner, ends []int, weights []float64) Runner {
	w := &weighed{Runner: r, ends: ends, weights: weights}
	total, from := 0.0, 0
	for i, end := range ends {
		total += weights[i] * float64(end-from)
		from = end
	}
	w.n = int(math.Round(total))
	return w
}

type weighed struct {
	Runner
	ends    []int
	weights []float64
	n       int
	free    sync.Pool // of *[]float64
}

// Len implements Runner.
func (w *weighed) Len() int { return w.n }

// Can implements Runner.
func (w *weighed) Can() Ability {
	can := w.Runner.Can()
	can.Exact, can.Double, can.Rows, can.Release = false, true, nil, nil // a weight is no part of what noise covers
	return can
}

// Run implements Runner.
func (w *weighed) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	if len(sums) == 0 {
		return nil, ctx.Err()
	}
	states, err := w.Runner.Run(ctx, weighedSum{together(sums), w})
	if err != nil {
		return nil, err
	}
	return together(sums).split(states[0]), nil
}

// Own implements Runner.
func (w *weighed) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	if len(sums) == 0 {
		return w.Runner.Own(ctx, visit)
	}
	states, err := w.Runner.Own(ctx, func(b Block) error {
		return w.parts(b, func(part Block, _ float64) error { return visit(part) })
	}, weighedSum{together(sums), w})
	if err != nil {
		return nil, err
	}
	return together(sums).split(states[0]), nil
}

// weighedSum adds up parts of blocks by their weights.
type weighedSum struct {
	together
	w *weighed
}

// Add implements Sum.
func (s weighedSum) Add(state []float64, b Block) error {
	buffer, _ := s.w.free.Get().(*[]float64)
	if buffer == nil || len(*buffer) < len(state) {
		buffer = new([]float64)
		*buffer = make([]float64, len(state))
	}
	defer s.w.free.Put(buffer)
	part := (*buffer)[:len(state)]
	return s.w.parts(b, func(b Block, weight float64) error {
		clear(part)
		if err := s.together.Add(part, b); err != nil {
			return err
		}
		for i, v := range part {
			state[i] += weight * v
		}
		return nil
	})
}

// parts hands use the parts of a block that have one weight each.
func (w *weighed) parts(b Block, use func(part Block, weight float64) error) error {
	for lo := 0; lo < b.N(); {
		at := sort.SearchInts(w.ends, b.First+lo+1)
		hi := min(b.N(), w.ends[at]-b.First)
		if err := use(b.Part(lo, hi), w.weights[at]); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}
