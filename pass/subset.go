package pass

import (
	"context"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// Subset returns a runner over the listed rows, which are in memory: each is a
// record, numbered by its place in the list. They are copied block by block in
// every pass; list is not copied.
func Subset(rows sparse.Rows, list []int32, workers int) Runner {
	return &subset{rows: rows, list: list, workers: workers}
}

type subset struct {
	rows    sparse.Rows
	list    []int32
	workers int
}

// Dim returns the number of features.
func (s *subset) Dim() int { return s.rows.Dim }

// Len returns the number of records.
func (s *subset) Len() int { return len(s.list) }

// Can implements Runner.
func (s *subset) Can() Ability {
	return Ability{Own: len(s.list), OwnRows: len(s.list), Places: 1, Binary: s.rows.IsBinary(), Exact: true, Workers: s.workers}
}

// with hands block i to f, which must not keep it.
func (s *subset) with(ctx context.Context, i int, f func(Block) error) error {
	rows := rowMemory.Get().(*sparse.Rows)
	defer rowMemory.Put(rows)
	lo := i * BlockRecords
	s.rows.PickInto(rows, s.list[lo:min(lo+BlockRecords, len(s.list))])
	return f(Block{First: lo, Rows: *rows, ended: ctx.Err, workers: perBlock(s.workers, blocksOf(len(s.list)))})
}

// Run implements Runner.
func (s *subset) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	return s.scan(ctx, nil, sums)
}

// Own implements Runner.
func (s *subset) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	if len(sums) == 0 {
		return nil, par.Do(ctx, s.workers, blocksOf(len(s.list)), func(i int) error { return s.with(ctx, i, visit) })
	}
	return s.scan(ctx, visit, sums)
}

func (s *subset) scan(ctx context.Context, visit func(Block) error, sums []Sum) ([][]float64, error) {
	all := together(sums)
	add := visited(visit, all.addLate)
	state, err := par.Reduce(ctx, stateMemory, s.workers, all.state(), blocksOf(len(s.list)), func(state func() []float64, i int) error {
		return s.with(ctx, i, func(b Block) error { return add(state, b) })
	})
	if err != nil {
		return nil, err
	}
	return all.split(state), nil
}

// Total implements Runner.
func (*subset) Total(_ context.Context, x []float64) ([]float64, error) { return x, nil }
