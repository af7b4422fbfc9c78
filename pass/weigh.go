package pass

import (
	"context"
	"math"
	"sort"
	"sync"
)

// Weigh returns a runner over the same records in which some count less: record i of
// the own has the weight of the first of ends that is beyond it. Sums are those of
// records so often; Own shows them as they are. Len is the weight of all records.
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
	states, err := w.Runner.Own(ctx, visit, weighedSum{together(sums), w})
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
	for lo := 0; lo < b.N(); {
		at := sort.SearchInts(s.w.ends, b.First+lo+1)
		hi := min(b.N(), s.w.ends[at]-b.First)
		clear(part)
		if err := s.together.Add(part, b.slice(lo, hi)); err != nil {
			return err
		}
		for i, v := range part {
			state[i] += s.w.weights[at] * v
		}
		lo = hi
	}
	return nil
}

// slice returns records lo to hi−1 of the block.
func (b Block) slice(lo, hi int) Block {
	if b.Steps == nil {
		return Block{First: b.First + lo, Rows: b.Rows.Slice(lo, hi)}
	}
	from := b.Steps[0]
	return Block{First: b.First + lo, Rows: b.Rows.Slice(b.Steps[lo]-from, b.Steps[hi]-from), Steps: b.Steps[lo : hi+1]}
}
