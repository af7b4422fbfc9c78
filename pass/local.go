package pass

import (
	"context"

	"github.com/moiety-go/moiety/par"
	"github.com/moiety-go/moiety/sparse"
)

// Local runs passes over rows in memory on all cores of this machine.
type Local struct {
	rows    sparse.Rows
	steps   []int
	workers int
	room    *par.Room
}

// NewLocal returns a Runner over rows, each a record; workers <= 0 means all
// cores.
func NewLocal(rows sparse.Rows, workers int) *Local {
	return &Local{rows: rows, workers: workers, room: newRoom()}
}

// NewSequences returns a Runner over sequences: record i is rows steps[i] to
// steps[i+1].
func NewSequences(rows sparse.Rows, steps []int, workers int) *Local {
	return &Local{rows: rows, steps: steps, workers: workers, room: newRoom()}
}

// Dim returns the number of features.
func (l *Local) Dim() int { return l.rows.Dim }

// Len returns the number of records.
func (l *Local) Len() int {
	if l.steps != nil {
		return len(l.steps) - 1
	}
	return l.rows.N()
}

// Rows returns the rows behind the runner.
func (l *Local) Rows() sparse.Rows { return l.rows }

// Workers returns the number of workers, 0 or less for all cores.
func (l *Local) Workers() int { return l.workers }

// Room returns the memory that passes leave to one another.
func (l *Local) Room() *par.Room { return l.room }

// Run implements Runner.
func (l *Local) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	all, at := together(sums), 0
	next := func() (Block, bool, error) {
		if at >= l.blocks() {
			return Block{}, false, nil
		}
		at++
		return l.block(at - 1), true, nil
	}
	state, err := par.ReduceIn(ctx, l.room, l.workers, all.Len(), l.blocks(), next, all.Add)
	if err != nil {
		return nil, err
	}
	return all.split(state), nil
}

// Visit implements Runner.
func (l *Local) Visit(ctx context.Context, f func(Block) error) error {
	return par.Do(ctx, l.workers, l.blocks(), func(i int) error { return f(l.block(i)) })
}

func (l *Local) blocks() int { return (l.Len() + BlockRecords - 1) / BlockRecords }

func (l *Local) block(i int) Block {
	lo := i * BlockRecords
	hi := min(lo+BlockRecords, l.Len())
	if l.steps == nil {
		return Block{First: lo, Rows: l.rows.Slice(lo, hi)}
	}
	steps := l.steps[lo : hi+1]
	return Block{First: lo, Rows: l.rows.Slice(steps[0], steps[len(steps)-1]), Steps: steps}
}
