// Package pass is the seam of the product: every pass over data is a Sum of
// what each block of records adds, and a Runner knows where the records are.
//
// A Sum is written once per formula and never knows where it runs; a Runner
// never knows what it sums. One Run may carry several Sums: one scan.
package pass

import (
	"context"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/par"
	"github.com/moiety-go/moiety/sparse"
)

// BlockRecords is the number of records in a block. Blocks are cut by record
// number, never by worker, so it is part of every result and file format.
const BlockRecords = 4096

// Block is a run of consecutive records.
type Block struct {
	First int         // number of the first record, counted from 0
	Rows  sparse.Rows // the rows of the records
	// Steps is set for sequences: record i is rows Steps[i]-Steps[0] to
	// Steps[i+1]-Steps[0] of Rows. It is nil where each row is a record.
	Steps []int
}

// N returns the number of records in the block.
func (b Block) N() int {
	if b.Steps != nil {
		return len(b.Steps) - 1
	}
	return b.Rows.N()
}

// Sequence returns the rows of record i of a block of sequences.
func (b Block) Sequence(i int) sparse.Rows {
	return b.Rows.Slice(b.Steps[i]-b.Steps[0], b.Steps[i+1]-b.Steps[0])
}

// A Sum is a vector added up block by block.
type Sum interface {
	// Len returns the length of the state.
	Len() int
	// Add adds the block's share to state. It is called from several
	// goroutines with different states, so it may not change the Sum.
	Add(state []float64, b Block) error
}

// A Runner holds records and runs passes over them.
type Runner interface {
	// Dim returns the number of features.
	Dim() int
	// Len returns the number of records.
	Len() int
	// Run adds up the sums over all records in one scan and returns their
	// states, in order. The bits do not depend on the number of workers.
	Run(ctx context.Context, sums ...Sum) ([][]float64, error)
	// Visit hands every block to f, possibly from several goroutines at once
	// and in any order. f may keep what it derives from the block but not the
	// block itself.
	Visit(ctx context.Context, f func(Block) error) error
}

// RunOne runs a single sum.
func RunOne(ctx context.Context, r Runner, s Sum) ([]float64, error) {
	states, err := r.Run(ctx, s)
	if err != nil {
		return nil, err
	}
	return states[0], nil
}

// together presents several sums as one, their states end to end.
type together []Sum

func (t together) Len() int {
	n := 0
	for _, s := range t {
		n += s.Len()
	}
	return n
}

func (t together) Add(state []float64, b Block) error {
	for _, s := range t {
		n := s.Len()
		if err := s.Add(state[:n:n], b); err != nil {
			return err
		}
		state = state[n:]
	}
	return nil
}

// split cuts a common state into those of the sums.
func (t together) split(state []float64) [][]float64 {
	out := make([][]float64, len(t))
	for i, s := range t {
		n := s.Len()
		out[i], state = state[:n:n], state[n:]
	}
	return out
}

// newRoom returns room for the states of passes, in large pages.
func newRoom() *par.Room { return &par.Room{Make: pages.Make[float64]} }
