package par

import (
	"context"
	"errors"
	"sync"
)

// errPanicked ends the other workers of a reduction; Wait then panics.
var errPanicked = errors.New("par: another worker panicked")

// Limits of Lanes, in float64s of state.
const (
	smallState = 1 << 17 // 1 MB
	largeState = 1 << 21 // 16 MB
	hugeState  = 1 << 23 // 64 MB
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
	case size <= hugeState:
		return 8
	default:
		return 4
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
	return ReduceIn(ctx, nil, workers, size, 0, next, add)
}

// ReduceIn is Reduce with memory from the pool, which gets back what the sum
// itself does not need. Where the number of blocks is known (0 where it is
// not), lanes that will get no more of them are added up at once, so that few
// states are alive at any time.
func ReduceIn[B any](ctx context.Context, pool *Pool, workers, size, blocks int,
	next func() (block B, ok bool, err error),
	add func(state []float64, block B) error,
) ([]float64, error) {
	r := reducer[B]{
		pool:   pool,
		next:   next,
		add:    add,
		size:   size,
		blocks: blocks,
		states: make([][]float64, Lanes(size)),
		turns:  make([]chan struct{}, Lanes(size)),
		done:   make(map[node]bool),
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group Group
	var idle lent
	defer idle.back()
	asked := Workers(workers)
	workers = min(asked, len(r.states))
	idle.add(asked - workers)
	for range workers {
		group.Go(func() {
			defer idle.add(1)
			err := errPanicked // unless work returns
			defer func() {
				if err != nil {
					cancel(err)
				}
			}()
			err = r.work(ctx)
		})
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return r.total(), nil
}

type reducer[B any] struct {
	pool   *Pool
	next   func() (B, bool, error)
	add    func([]float64, B) error
	size   int
	blocks int // 0 where it is not known

	mu     sync.Mutex
	drawn  int             // blocks drawn so far
	ended  bool            // next said that there are no more
	states [][]float64     // one per lane, nil until its first block
	turns  []chan struct{} // per lane: closed when the block before is added
	done   map[node]bool   // sums that wait for the one beside them
}

// node is the sum of so many lanes from the first on.
type node struct{ first, lanes int }

// work draws and adds blocks until none is left.
func (r *reducer[B]) work(ctx context.Context) error {
	for {
		block, lane, last, before, after, err := r.draw(ctx)
		if err != nil || after == nil {
			return err
		}
		// Blocks are drawn in order, so the block before this one in the lane
		// is already with some worker: this wait always ends.
		if before != nil {
			<-before
		}
		if err := r.addNext(lane, block, after); err != nil {
			return err
		}
		if last {
			r.combine(lane)
		}
	}
}

// addNext adds a block to its lane and lets the next one have its turn, also
// after a panic: others wait for it.
func (r *reducer[B]) addNext(lane int, block B, after chan struct{}) error {
	defer close(after)
	return r.add(r.state(lane), block)
}

// combine adds up what a lane that is complete makes complete: neighbours in the
// tree of total.
func (r *reducer[B]) combine(lane int) {
	for n := (node{lane, 1}); n.lanes < len(r.states); n.lanes *= 2 {
		right := n.first/n.lanes%2 == 1
		beside := node{n.first + n.lanes, n.lanes}
		if right {
			beside.first = n.first - n.lanes
		}
		if beside.first >= r.blocks { // no block has gone there
			continue
		}
		r.mu.Lock()
		complete := r.done[beside]
		r.done[n] = true
		r.mu.Unlock()
		if !complete {
			return
		}
		n.first = min(n.first, beside.first)
		r.merge(n.first, n.first+n.lanes)
	}
}

// merge adds lane b, and what it stands for, to lane a.
func (r *reducer[B]) merge(a, b int) {
	from := r.states[b]
	if from == nil {
		return
	}
	to := r.states[a][:len(from)]
	for j, v := range from {
		to[j] += v
	}
	r.pool.Keep(from)
	r.states[b] = nil
}

// draw takes the next block and its turn in its lane; last says that the lane
// gets no more, and after is nil at the end.
func (r *reducer[B]) draw(ctx context.Context) (block B, lane int, last bool, before, after chan struct{}, err error) {
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
	last = r.drawn+len(r.turns) >= r.blocks && r.drawn < r.blocks
	r.drawn++
	before, after = r.turns[lane], make(chan struct{})
	r.turns[lane] = after
	return
}

func (r *reducer[B]) state(lane int) []float64 {
	if r.states[lane] == nil { // only the block whose turn it is comes here
		r.states[lane] = r.pool.Take(r.size)
	}
	return r.states[lane]
}

// total adds the lanes pairwise: 0+1, 2+3, ..., then 0+2, and so on, as far as
// that is not done already.
func (r *reducer[B]) total() []float64 {
	pairwise(len(r.states), r.merge) // nothing where there were few blocks
	if r.states[0] == nil {
		return make([]float64, r.size)
	}
	return r.states[0]
}

// pairwise merges b into a in the tree of total.
func pairwise(n int, merge func(a, b int)) {
	for step := 1; step < n; step *= 2 {
		for i := 0; i+step < n; i += 2 * step {
			merge(i, i+step)
		}
	}
}

// Join adds up the states of lanes, in order and without those that no block went
// to, as Reduce does: it has the bits of a Reduce over all. The states are used up.
func Join(states [][]float64) []float64 {
	pairwise(len(states), func(a, b int) {
		to := states[a][:len(states[b])]
		for j, v := range states[b] {
			to[j] += v
		}
	})
	return states[0]
}
