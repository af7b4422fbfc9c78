package pass

import (
	"context"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// Local runs passes over rows in memory on all cores of this machine.
type Local struct {
	rows    sparse.Rows
	steps   []int // nil where each row is a record
	size    int   // records of a block
	workers int
	buffers *par.Pool
	checked sync.Once
	fault   error // of the rows, once they were checked

	// whole adds up what other places hold, and n, first count all records;
	// nil where all of them are here and sums may be single.
	whole    Runner
	n, first int
}

// NewLocal returns a Runner over rows, each a record; workers <= 0 means all
// cores.
func NewLocal(rows sparse.Rows, workers int) *Local { return NewSequences(rows, nil, workers) }

// NewSequences returns a Runner over sequences: record i is rows steps[i] to
// steps[i+1].
func NewSequences(rows sparse.Rows, steps []int, workers int) *Local {
	return &Local{rows: rows, steps: steps, size: BlockRecords, workers: workers, buffers: newBuffers()}
}

// Dim returns the number of features.
func (l *Local) Dim() int { return l.rows.Dim }

// Len returns the number of records.
func (l *Local) Len() int {
	if l.whole != nil {
		return l.n
	}
	return l.own()
}

func (l *Local) own() int {
	if l.steps != nil {
		return len(l.steps) - 1
	}
	return l.rows.N()
}

// Rows returns the rows behind the runner, those that are here.
func (l *Local) Rows() sparse.Rows { return l.rows }

// Can implements Runner.
func (l *Local) Can() Ability {
	can := Ability{Places: 1, Exact: l.size == BlockRecords}
	if l.whole != nil {
		can = l.whole.Can()
	}
	can.Own, can.First, can.OwnRows = l.own(), l.first, l.rows.N()
	if can.Rows = nil; can.Places == 1 {
		can.Rows, can.Check = &l.rows, l.check
	}
	can.Binary, can.Kept = l.rows.IsBinary(), true
	can.Workers, can.Buffers = l.workers, l.buffers
	return can
}

// check looks at the rows once.
func (l *Local) check() error {
	l.checked.Do(func() { l.fault = l.rows.Check() })
	return l.fault
}

// Run implements Runner.
func (l *Local) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	return l.scan(ctx, nil, sums)
}

// Own implements Runner.
func (l *Local) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	if len(sums) == 0 { // in any order: nothing is added up
		return nil, par.Apart(ctx, l.workers, l.blocks(), func(i int) error { return visit(l.block(ctx, i)) })
	}
	return l.scan(ctx, visit, sums)
}

// Total implements Runner.
func (l *Local) Total(ctx context.Context, x []float64) ([]float64, error) {
	if l.whole != nil {
		return l.whole.Total(ctx, x)
	}
	return x, nil
}

// scan adds up sums, after visit has seen each block, which may be nil.
func (l *Local) scan(ctx context.Context, visit func(Block) error, sums []Sum) ([][]float64, error) {
	all := together(sums)
	add := visited(visit, all.addLate)
	state, err := par.Reduce(ctx, l.buffers, l.workers, all.state(), l.blocks(), func(state func() []float64, i int) error {
		return add(state, l.block(ctx, i))
	})
	if err != nil {
		return nil, err
	}
	if state, err = l.Total(ctx, state); err != nil {
		return nil, err
	}
	return all.split(state), nil
}

func (l *Local) blocks() int { return (l.own() + l.size - 1) / l.size }

func (l *Local) block(ctx context.Context, i int) Block {
	lo := i * l.size
	hi := min(lo+l.size, l.own())
	b := Block{First: lo, ended: ctx.Err, workers: perBlock(l.workers, l.blocks())}
	if l.steps == nil {
		b.Rows = l.rows.Slice(lo, hi)
		return b
	}
	b.Steps = l.steps[lo : hi+1]
	b.Rows = l.rows.Slice(b.Steps[0], b.Steps[hi-lo])
	return b
}
