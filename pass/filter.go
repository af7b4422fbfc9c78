package pass

import (
	"context"
	"math/bits"
	"sync"
)

// Filter returns a runner over the records that keep names, by their own number;
// they are numbered anew, among the own and among all. Its blocks are those of
// r, each with what is kept of it; they stay in memory where those of r do.
func Filter(ctx context.Context, r Runner, keep func(own int) bool) (Runner, error) {
	can := r.Can()
	f := &filtered{Runner: r, chosen: newRanked(can.Own, keep)}
	if can.Kept {
		f.kept = new(sync.Map)
	}
	var err error
	f.n, can.First, err = counted(ctx, r, f.chosen.n)
	if can.OwnRows == can.Own { // each row is a record
		can.OwnRows = f.chosen.n
	} else {
		can.OwnRows = 0
	}
	can.Own, can.Rows = f.chosen.n, nil
	f.can = can
	return f, err
}

// counted returns the number of records of all places and of those before this
// one, where each holds so many. The numbers travel below zero: they are of draws,
// and not among the counts that a place may keep back (see Joined.Omit).
func counted(ctx context.Context, r Runner, own int) (all, before int, err error) {
	can := r.Can()
	x := make([]float64, max(can.Places, 1))
	x[can.Place] = -float64(own)
	if x, err = r.Total(ctx, x); err != nil {
		return 0, 0, err
	}
	for place, n := range x {
		all -= int(n)
		if place < can.Place {
			before -= int(n)
		}
	}
	return all, before, nil
}

type filtered struct {
	Runner // the records that these are of
	can    Ability
	n      int
	chosen ranked
	kept   *sync.Map // blocks by the number of their first record in r, or nil
}

// Len implements Runner.
func (f *filtered) Len() int { return f.n }

// Can implements Runner.
func (f *filtered) Can() Ability { return f.can }

// Run implements Runner.
func (f *filtered) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	return through(sums, f.with, func(one ...Sum) ([][]float64, error) { return f.Runner.Run(ctx, one...) })
}

// Own implements Runner.
func (f *filtered) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	return through(sums, f.with, func(one ...Sum) ([][]float64, error) {
		return f.Runner.Own(ctx, func(b Block) error {
			return f.with(b, func(b Block) error {
				if b.N() == 0 {
					return nil
				}
				return visit(b)
			})
		}, one...)
	})
}

// with hands use the chosen records of a block.
func (f *filtered) with(b Block, use func(Block) error) error {
	own := f.block(b)
	own.ended = b.ended // that of another pass where it was kept
	return use(own)
}

// block returns the chosen records of a block of r.
func (f *filtered) block(b Block) Block {
	if f.kept == nil {
		return f.cut(b)
	}
	if old, ok := f.kept.Load(b.First); ok {
		return old.(Block)
	}
	own := f.cut(b)
	f.kept.Store(b.First, own)
	return own
}

func (f *filtered) cut(b Block) Block {
	var list []int
	for i := range b.N() {
		if f.chosen.has(b.First + i) {
			list = append(list, i)
		}
	}
	return b.pick(list, f.chosen.before(b.First))
}

// pick returns a copy of the listed records of the block, the first of them
// with that number.
func (b Block) pick(list []int, first int) Block {
	if b.Steps == nil {
		return Block{First: first, Rows: b.Rows.Pick(list)}
	}
	out, rows := Block{First: first, Steps: make([]int, 1, len(list)+1)}, []int(nil)
	for _, i := range list {
		for r := b.Steps[i]; r < b.Steps[i+1]; r++ {
			rows = append(rows, r-b.Steps[0])
		}
		out.Steps = append(out.Steps, len(rows))
	}
	out.Rows = b.Rows.Pick(rows)
	return out
}

// ranked is a set of numbers below a bound that counts those before any.
type ranked struct {
	bits []uint64
	rank []int // members before each word
	n    int
}

func newRanked(bound int, has func(int) bool) ranked {
	s := ranked{bits: make([]uint64, bound/64+1), rank: make([]int, bound/64+1)}
	for i := range bound {
		if i%64 == 0 {
			s.rank[i/64] = s.n
		}
		if has(i) {
			s.bits[i/64] |= 1 << (i % 64)
			s.n++
		}
	}
	if bound%64 == 0 {
		s.rank[bound/64] = s.n
	}
	return s
}

func (s ranked) has(i int) bool { return s.bits[i/64]>>(i%64)&1 != 0 }

// before returns the number of members below i.
func (s ranked) before(i int) int {
	return s.rank[i/64] + bits.OnesCount64(s.bits[i/64]&(1<<(i%64)-1))
}
