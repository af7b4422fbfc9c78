package par

import (
	"context"
	"sync"
)

// Limits of Lanes, in float64s of state.
const (
	smallState = 1 << 17 // 1 MB
	largeState = 1 << 21 // 16 MB
)

// Lanes returns the number of partial sums that Reduce keeps for a state of
// the given size. It depends on nothing else, so it is part of the result's
// definition; large states get few lanes because each lane holds a whole one.
func Lanes(size int) int {
	switch {
	case size <= smallState:
		return 32
	case size <= largeState:
		return 16
	default:
		return 8
	}
}

// Reduce adds up a sequence of blocks. It draws blocks from next, in order and
// never from two goroutines at once, until ok is false; add must add the
// block's share to state, a slice of the given size that starts as zeros. The
// sum has the same bits for any number of workers.
func Reduce[B any](ctx context.Context, workers, size int,
	next func() (block B, ok bool, err error),
	add func(state []float64, block B) error,
) ([]float64, error) {
	return ReduceIn(ctx, nil, workers, size, next, add)
}

// ReduceIn is Reduce with memory from the room, which gets back what the sum
// itself does not need.
func ReduceIn[B any](ctx context.Context, room *Room, workers, size int,
	next func() (block B, ok bool, err error),
	add func(state []float64, block B) error,
) ([]float64, error) {
	r := reducer[B]{
		room:   room,
		next:   next,
		add:    add,
		size:   size,
		states: make([][]float64, Lanes(size)),
		turns:  make([]chan struct{}, Lanes(size)),
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range min(Workers(workers), len(r.states)) {
		wg.Go(func() {
			if err := r.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return r.total(), nil
}

type reducer[B any] struct {
	room *Room
	next func() (B, bool, error)
	add  func([]float64, B) error
	size int

	mu     sync.Mutex
	drawn  int             // blocks drawn so far
	ended  bool            // next said that there are no more
	states [][]float64     // one per lane, nil until its first block
	turns  []chan struct{} // per lane: closed when the block before is added
}

// work draws and adds blocks until none is left.
func (r *reducer[B]) work(ctx context.Context) error {
	for {
		block, lane, before, after, err := r.draw(ctx)
		if err != nil || after == nil {
			return err
		}
		// Blocks are drawn in order, so the block before this one in the lane
		// is already with some worker: this wait always ends.
		if before != nil {
			<-before
		}
		err = r.add(r.state(lane), block)
		close(after)
		if err != nil {
			return err
		}
	}
}

// draw takes the next block and its turn in its lane; after is nil at the end.
func (r *reducer[B]) draw(ctx context.Context) (block B, lane int, before, after chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	if err = context.Cause(ctx); err != nil {
		return
	}
	block, ok, err := r.next()
	if err != nil || !ok {
		r.ended = true
		return
	}
	lane = r.drawn % len(r.turns)
	r.drawn++
	before, after = r.turns[lane], make(chan struct{})
	r.turns[lane] = after
	return
}

func (r *reducer[B]) state(lane int) []float64 {
	if r.states[lane] == nil { // only the block whose turn it is comes here
		r.states[lane] = r.room.take(r.size)
	}
	return r.states[lane]
}

// total adds the lanes pairwise: 0+1, 2+3, ..., then 0+2, and so on.
func (r *reducer[B]) total() []float64 {
	for step := 1; step < len(r.states); step *= 2 {
		for i := 0; i+step < len(r.states); i += 2 * step {
			a, b := r.states[i], r.states[i+step]
			a = a[:len(b)] // b is nil when there were few blocks
			for j, v := range b {
				a[j] += v
			}
			r.room.keep(b)
			r.states[i+step] = nil
		}
	}
	if r.states[0] == nil {
		return make([]float64, r.size)
	}
	return r.states[0]
}
