// Package pass is the seam of the product: every pass over data is a Sum of
// what each block of records adds, and a Runner knows where the records are.
//
// A Sum is written once per formula and never knows where it runs; a Runner
// never knows what it sums. One Run may carry several Sums: one scan.
package pass

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// BlockRecords is the number of records in a block. Blocks are cut by record
// number, never by worker, so it is part of every result and file format.
const BlockRecords = 4096

// Block is a run of consecutive records.
type Block struct {
	First int         // number of the first record among the own, counted from 0
	Rows  sparse.Rows // the rows of the records
	// Steps is set for sequences: record i is rows Steps[i]-Steps[0] to
	// Steps[i+1]-Steps[0] of Rows. It is nil where each row is a record. Of records
	// as they lie, in memory or in a file, Steps[0] is the number of own rows
	// before the block; of some of them (Filter) it is 0.
	Steps []int

	ended   func() error // of the pass; nil where nobody can end it
	workers int          // of the pass, that may be at the block; 0 is one
}

// Err returns why the pass is to end before it is done, as that of its context does. Who
// takes long for the records of a block asks between them: a pass ends when all who are at
// work on a block are done with it.
func (b Block) Err() error {
	if b.ended == nil {
		return nil
	}
	return b.ended()
}

// Workers returns how many goroutines may be at the records of the block side by side: several
// where the pass has so few blocks that its workers would have none. Who takes long for a record
// asks; no result may depend on it.
func (b Block) Workers() int { return max(1, b.workers) }

// perBlock returns how many of the workers of a pass may be at each of its blocks. Each has one
// where the blocks last for four rounds: a last round of few blocks then costs a quarter at most.
func perBlock(workers, blocks int) int {
	const rounds = 4
	workers = par.Workers(workers)
	return min(workers, (rounds*workers+blocks-1)/max(1, blocks))
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

// Part returns records lo to hi−1 of the block.
func (b Block) Part(lo, hi int) Block {
	if b.Steps == nil {
		return Block{First: b.First + lo, Rows: b.Rows.Slice(lo, hi), ended: b.ended, workers: b.workers}
	}
	from := b.Steps[0]
	return Block{First: b.First + lo, Rows: b.Rows.Slice(b.Steps[lo]-from, b.Steps[hi]-from), Steps: b.Steps[lo : hi+1], ended: b.ended, workers: b.workers}
}

// A Sum is a vector added up block by block.
type Sum interface {
	// Len returns the length of the state.
	Len() int
	// Add adds the block's share to state, and does nothing else: it is called
	// from several goroutines with different states, at every place that holds
	// records, and perhaps again after a failure. It may read what is known of
	// the own records (labels) by their own number.
	Add(state []float64, b Block) error
}

// A LateSum is a Sum that can ask for its state late: when most of a block's work is done, in
// memory of half the state's size. Passes over large states, of which there are few, then keep
// more workers busy.
type LateSum interface {
	Sum
	// Late says that it does.
	Late() bool
	// AddLate is Add to what state returns, which waits until it is the block's turn.
	AddLate(state func() []float64, b Block) error
}

// Late reports whether a sum asks late for its state.
func Late(s Sum) bool {
	l, ok := s.(LateSum)
	return ok && l.Late()
}

// AddLate adds the block's share as late as the sum can.
func AddLate(s Sum, state func() []float64, b Block) error {
	if l, ok := s.(LateSum); ok && l.Late() {
		return l.AddLate(state, b)
	}
	return s.Add(state(), b)
}

// A Runner holds records, here, elsewhere or both, and runs passes over them.
// All records and the own ones are two things: a Runner says which it means.
type Runner interface {
	// Dim returns the number of features.
	Dim() int
	// Len returns the number of records in all, wherever they are.
	Len() int
	// Can says what the runner holds and can do.
	Can() Ability
	// Run adds up the sums over all records in one scan and returns their
	// states, in order; every place gets the same. The bits do not depend on
	// the number of workers.
	Run(ctx context.Context, sums ...Sum) ([][]float64, error)
	// Own shows visit every block of the records that are here, possibly from
	// several goroutines at once and in any order, and in the same scan adds up
	// sums over all records; these see the blocks that visit saw, each after it did.
	// visit may keep what it derives from the block but not the block itself.
	Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error)
	// Total adds up numbers that every place has made of its own records; it
	// returns x itself where all records are here.
	Total(ctx context.Context, x []float64) ([]float64, error)
}

// Ability says what a Runner holds and can do. Nothing of it is found out by
// the type of a Runner.
type Ability struct {
	Own   int // records that are here
	First int // number of the first of them among all
	// OwnRows counts the rows of the own records, more than these where they are
	// sequences; 0 where that is not known (some of sequences, see Filter).
	OwnRows int
	// Rows are the rows of all records, where they lie in memory here as they are;
	// nil elsewhere. Check is Rows.Check, for which all of them are looked at once.
	Rows  *sparse.Rows
	Check func() error
	// Place is the number of this place among the Places that hold records: 0
	// of 1 where all of them are here. The places hold them in that order.
	Place, Places int
	Binary        bool // rows store no values
	Kept          bool // blocks stay in memory between passes
	// Exact says that sums have the bits of Local's over all the records, for
	// they are cut into the same blocks; else they agree to 1e-12.
	Exact bool
	// Double asks for sums in double precision throughout, which agree to 1e-12
	// wherever records were cut; else blocks may be summed up in single.
	Double bool
	// Sooner divides the sizes from which on records are sampled, or summed up in
	// single precision, so that a small file goes the ways of a large one; 0 and 1
	// leave them (see Size).
	Sooner  int
	Workers int // cores of a pass, 0 or less for all
	// Buffers is memory that passes leave to one another; nil keeps none.
	Buffers *par.Pool
	// Keep returns the records that own copies, or those that it copied where the
	// same fit was led (see Spread); nil where nobody follows.
	Keep func(ctx context.Context, own func() ([]Block, error)) ([]Block, error)
	// Release adds up a sum over all records of which no place may show its part
	// bare: noise is laid over the numbers of this place before they leave it, made
	// of the seed and the same whenever the same numbers leave. It is nil but for
	// places that join privately, and there the one way to a sum.
	Release func(ctx context.Context, name string, s Sum, noise func(x []float64, seed [32]byte)) ([]float64, error)
}

// Size is a size from which on records are treated otherwise, for this runner.
func (a Ability) Size(n int) int { return n / max(a.Sooner, 1) }

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
	return t.addLate(func() []float64 { return state }, b)
}

// addLate is Add to what state returns. (No method that those who have sums together would
// have without a word: they may do something else with each block.)
func (t together) addLate(state func() []float64, b Block) error {
	at := 0
	for _, s := range t {
		from, to := at, at+s.Len()
		if err := AddLate(s, func() []float64 { return state()[from:to:to] }, b); err != nil {
			return err
		}
		at = to
	}
	return nil
}

// state is what a pass adds up.
func (t together) state() par.State {
	late := !slices.ContainsFunc(t, func(s Sum) bool { return !Late(s) })
	return par.State{Size: t.Len(), Late: late}
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

// visited is a sum that shows every block to visit before it adds its share.
func visited(visit func(Block) error, add func(func() []float64, Block) error) func(func() []float64, Block) error {
	if visit == nil {
		return add
	}
	return func(state func() []float64, b Block) error {
		if err := visit(b); err != nil {
			return err
		}
		return add(state, b)
	}
}

// blocksOf returns the number of blocks of so many records.
func blocksOf(n int) int { return (n + BlockRecords - 1) / BlockRecords }

// newBuffers returns a pool for the states of passes, in large pages.
func newBuffers() *par.Pool { return &par.Pool{Make: pages.Sums[float64]} }
