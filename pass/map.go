package pass

import "context"

// Map returns a runner over the same records as f shows them: filled in, turned
// round, cut short. f returns as many records as it gets, in their order, in
// memory that is not the block's where it changes something.
func Map(r Runner, f func(Block) Block) Runner { return mapped{r, f} }

type mapped struct {
	Runner
	f func(Block) Block
}

// Can implements Runner: what f makes of a block is made anew in every pass.
func (m mapped) Can() Ability {
	can := m.Runner.Can()
	can.Binary, can.Kept, can.Rows, can.Release = false, false, nil, nil
	return can
}

// Run implements Runner.
func (m mapped) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	return through(sums, m.f, func(one ...Sum) ([][]float64, error) { return m.Runner.Run(ctx, one...) })
}

// Own implements Runner.
func (m mapped) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	return through(sums, m.f, func(one ...Sum) ([][]float64, error) {
		return m.Runner.Own(ctx, func(b Block) error { return visit(m.f(b)) }, one...)
	})
}

// through runs sums as one that sees what f makes of each block, made once for
// all of them.
func through(sums []Sum, f func(Block) Block, run func(...Sum) ([][]float64, error)) ([][]float64, error) {
	if len(sums) == 0 {
		return run()
	}
	all := together(sums)
	states, err := run(throughSum{all, f})
	if err != nil {
		return nil, err
	}
	return all.split(states[0]), nil
}

type throughSum struct {
	together
	f func(Block) Block
}

// Add implements Sum; a block of which nothing is left adds nothing.
func (s throughSum) Add(state []float64, b Block) error {
	if b = s.f(b); b.N() == 0 {
		return nil
	}
	return s.together.Add(state, b)
}
