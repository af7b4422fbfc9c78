package pass

import (
	"context"
	"sync"

	"github.com/moiety-go/moiety/sparse"
)

// Map returns a runner over the same records as f shows them: filled in, turned
// round, cut short. f returns as many records as it gets, in their order, in
// memory that is not the block's where it changes something.
func Map(r Runner, f func(Block) Block) Runner {
	return MapInto(r, func(b Block, _ *sparse.Rows) Block { return f(b) })
}

// MapInto is Map for functions that write rows: memory has anything in it, and is used again
// once a block was looked at.
func MapInto(r Runner, f func(b Block, memory *sparse.Rows) Block) Runner {
	return mapped{r, f}
}

// rowMemory keeps the memory of rows that are made for a block, from runner to runner.
var rowMemory = sync.Pool{New: func() any { return new(sparse.Rows) }}

// stateMemory keeps the memory of their sums.
var stateMemory = newBuffers()

type mapped struct {
	Runner
	f func(Block, *sparse.Rows) Block
}

// with hands use what f makes of a block, which it must not keep.
func (m mapped) with(b Block, use func(Block) error) error {
	memory := rowMemory.Get().(*sparse.Rows)
	defer rowMemory.Put(memory)
	own := m.f(b, memory)
	own.ended = b.ended
	return use(own)
}

// Can implements Runner: what f makes of a block is made anew in every pass.
func (m mapped) Can() Ability {
	can := m.Runner.Can()
	can.Binary, can.Kept, can.Rows, can.Release = false, false, nil, nil
	return can
}

// Run implements Runner.
func (m mapped) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	return through(sums, m.with, func(one ...Sum) ([][]float64, error) { return m.Runner.Run(ctx, one...) })
}

// Own implements Runner.
func (m mapped) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	return through(sums, m.with, func(one ...Sum) ([][]float64, error) {
		return m.Runner.Own(ctx, func(b Block) error { return m.with(b, visit) }, one...)
	})
}

// through runs sums as one that sees what each block is made into, made once for
// all of them: with hands it on.
func through(sums []Sum, with func(b Block, use func(Block) error) error, run func(...Sum) ([][]float64, error)) ([][]float64, error) {
	if len(sums) == 0 {
		return run()
	}
	all := together(sums)
	states, err := run(throughSum{all, with})
	if err != nil {
		return nil, err
	}
	return all.split(states[0]), nil
}

type throughSum struct {
	together
	with func(b Block, use func(Block) error) error
}

// Add implements Sum; a block of which nothing is left adds nothing.
func (s throughSum) Add(state []float64, b Block) error {
	return s.AddLate(func() []float64 { return state }, b)
}

// Late implements LateSum.
func (s throughSum) Late() bool { return s.state().Late }

// AddLate implements LateSum.
func (s throughSum) AddLate(state func() []float64, b Block) error {
	return s.with(b, func(b Block) error {
		if b.N() == 0 {
			return nil
		}
		return s.together.addLate(state, b)
	})
}
