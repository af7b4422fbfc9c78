package par

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// errPanicked ends the other workers of a reduction; Wait then panics.
var errPanicked = errors.New("par: another worker panicked")

// Limits of Lanes, in float64s of state.
const (
	tinyState  = 1 << 16 // 512 KB
	smallState = 1 << 17 // 1 MB
	largeState = 1 << 21 // 16 MB
	hugeState  = 1 << 23 // 64 MB
)

// Lanes returns the number of partial sums that Reduce keeps for a state of
// the given size. It depends on nothing else, so it is part of the result's
// definition; large states get few lanes because each lane holds a whole one.
func Lanes(size int) int {
	switch {
	case size <= tinyState:
		return 64
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

// State is what blocks are added to: so many numbers. Late says that who adds a block asks for
// it when most of the work is done, in memory of half its size: then more workers than there
// are lanes are of use.
type State struct {
	Size int
	Late bool
}

// workers is how many of those that were asked for add up blocks.
func (s State) workers(asked int) int {
	lanes := Lanes(s.Size)
	if !s.Late || asked <= lanes {
		return min(asked, lanes)
	}
	return lanes + min(asked-lanes, max(0, room()/(8*max(s.Size, 1))-lanes)*2)
}

// Beside returns how many sums of states of so many numbers may be made side by side.
func Beside(size int) int { return max(1, room()/(8*max(size, 1)*Lanes(size))) }

// room is what sums that are made side by side, and workers beyond the number of lanes, may take
// in bytes: a gigabyte, and a quarter of what the program may.
func room() int { return int(min(1<<30, debug.SetMemoryLimit(-1)/4)) } // -1 sets nothing

// Reduce adds up n blocks, which are known by their numbers: add must add the share of
// block i to what state returns, zeros at first, when it is the block's turn. The sum has the
// same bits for any number of workers. Memory comes from the pool, which gets back what the
// sum itself does not need.
func Reduce(ctx context.Context, pool *Pool, workers int, sum State, n int, add func(state func() []float64, i int) error) ([]float64, error) {
	var drawn atomic.Int64 // no lock, which a core that waits for it is slow to get
	return reduce(ctx, pool, workers, sum, n, func() (b drawnBlock, ok bool, err error) {
		i := int(drawn.Add(1)) - 1
		return drawnBlock{i, func(state func() []float64) error { return add(state, i) }}, i < n, nil
	})
}

// ReduceStream is Reduce of blocks that come one after the other: it draws them from next, in
// order and never from two goroutines at once, until ok is false. blocks is their number, 0
// where it is not known.
func ReduceStream[B any](ctx context.Context, pool *Pool, workers int, sum State, blocks int,
	next func() (block B, ok bool, err error),
	add func(state func() []float64, block B) error,
) ([]float64, error) {
	var mu sync.Mutex
	drawn, ended := 0, false
	return reduce(ctx, pool, workers, sum, blocks, func() (b drawnBlock, ok bool, err error) {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			var block B
			block, ok, err = next()
			b = drawnBlock{drawn, func(state func() []float64) error { return add(state, block) }}
			ended = !ok || err != nil
			drawn++
		}
		return b, ok, err
	})
}

// drawnBlock is a block with its number: add adds its share to what state returns.
type drawnBlock struct {
	number int
	add    func(state func() []float64) error
}

// reduce adds up blocks that are drawn, each with its number. Where their number is known,
// lanes that will get no more of them are added up at once, so that few states are alive at
// any time.
func reduce(ctx context.Context, pool *Pool, workers int, sum State, blocks int, draw func() (drawnBlock, bool, error)) ([]float64, error) {
	r := reducer{
		pool:   pool,
		draw:   draw,
		size:   sum.Size,
		blocks: blocks,
		lanes:  make([]lane, Lanes(sum.Size)),
		met:    make([]atomic.Bool, Lanes(sum.Size)),
	}
	for i := range r.lanes {
		r.lanes[i].turn.L = &r.lanes[i].mu
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers = sum.workers(Workers(workers))
	if blocks > 0 {
		workers = min(workers, blocks)
	}
	abreast(workers, func() {
		err := errPanicked // unless addAll returns
		defer func() {
			if err != nil {
				cancel(err)
			}
		}()
		err = r.addAll(ctx)
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return r.total(), nil
}

type reducer struct {
	pool   *Pool
	draw   func() (drawnBlock, bool, error)
	size   int
	blocks int // 0 where it is not known
	lanes  []lane
	met    []atomic.Bool // for every sum of two, as in a heap: one of the two is complete
}

// lane is a partial sum.
type lane struct {
	state []float64 // nil until its first block

	mu    sync.Mutex
	turn  sync.Cond
	added int // blocks so far
}

// await waits until so many blocks are added to the lane.
func (l *lane) await(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.added < n {
		l.turn.Wait()
	}
}

// pass lets the next block have its turn.
func (l *lane) pass() {
	l.mu.Lock()
	l.added++
	l.mu.Unlock()
	l.turn.Broadcast()
}

// addAll draws and adds blocks until none is left.
func (r *reducer) addAll(ctx context.Context) error {
	for {
		if ctx.Err() != nil { // which takes no lock
			return context.Cause(ctx)
		}
		block, ok, err := r.draw()
		if err != nil || !ok {
			return err
		}
		n, number := len(r.lanes), block.number
		if err := r.addNext(&r.lanes[number%n], number/n, block.add); err != nil {
			return err
		}
		if number+n >= r.blocks && number < r.blocks {
			r.combine(number % n)
		}
	}
}

// addNext adds a block to its lane, after so many others, and lets the next one have its
// turn, also after a panic: others wait for it. Blocks are drawn in order, so the block before
// this one in the lane is already with some worker: every wait ends.
func (r *reducer) addNext(l *lane, before int, add func(state func() []float64) error) error {
	state := func() []float64 {
		l.await(before)
		if l.state == nil { // only the block whose turn it is comes here
			l.state = r.pool.Take(r.size)
		}
		return l.state
	}
	defer l.pass()
	defer state() // a block that adds nothing has its turn too
	return add(state)
}

// combine adds up what a lane that is complete makes complete: neighbours in the
// tree of total. Of two neighbours the one that is later does it.
func (r *reducer) combine(first int) {
	n := len(r.lanes)
	for lanes, above := 1, (n+first)/2; lanes < n; lanes, above = 2*lanes, above/2 {
		left := first &^ lanes
		if left+lanes < r.blocks { // else no block has gone to the right
			if !r.met[above].Swap(true) {
				return
			}
			r.merge(left, left+lanes)
		}
		first = left
	}
}

// merge adds lane b, and what it stands for, to lane a.
func (r *reducer) merge(a, b int) {
	from := r.lanes[b].state
	if from == nil {
		return
	}
	add(r.lanes[a].state, from)
	r.pool.Keep(from)
	r.lanes[b].state = nil
}

// total adds the lanes pairwise: 0+1, 2+3, ..., then 0+2, and so on, as far as
// that is not done already.
func (r *reducer) total() []float64 {
	pairwise(len(r.lanes), r.merge) // nothing where there were few blocks
	if r.lanes[0].state == nil {
		return make([]float64, r.size)
	}
	return r.lanes[0].state
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
	pairwise(len(states), func(a, b int) { add(states[a], states[b]) })
	return states[0]
}

// add adds x to dst, which is as long.
func add(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += v
	}
}
