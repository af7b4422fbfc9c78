package pass

import (
	"context"
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// Drawn returns the number of the record that stands for the i-th run of step
// records in a sample.
func Drawn(i, step int) int { return i*step + stream.OneOf(i, step) }

// Sample copies one record of every run of step in one scan, and returns a
// runner over the copies. Which records these are depends on their number among
// all, so that they are the same ones wherever they lie.
func Sample(ctx context.Context, r Runner, step int) (*Local, error) {
	if step < 1 {
		return nil, fmt.Errorf("pass: a sample of one record in step = %d, want 1 or more", step)
	}
	return copied(ctx, r, func(first, n int) []int { return inSample(first, n, step) })
}

// Copy is Sample of the records that keep names, by their number among all.
func Copy(ctx context.Context, r Runner, keep func(number int) bool) (*Local, error) {
	return copied(ctx, r, func(first, n int) (list []int) {
		for i := range n {
			if keep(first + i) {
				list = append(list, i)
			}
		}
		return list
	})
}

// copied copies what pick lists of every n records from that number on. The
// copies are cut into two blocks at least: a small sample keeps two cores busy.
func copied(ctx context.Context, r Runner, pick func(first, n int) []int) (*Local, error) {
	if l, ok := r.(*Local); ok && l.steps == nil && l.whole == nil && l.own() <= math.MaxInt32 {
		return l.copied(ctx, pick)
	}
	can := r.Can()
	own := func() ([]Block, error) { return picked(ctx, r, pick) }
	if can.Keep != nil {
		copy := own
		own = func() ([]Block, error) { return can.Keep(ctx, copy) }
	}
	parts, err := own()
	if err != nil {
		return nil, err
	}
	l := joined(r.Dim(), parts, can.Workers).cut()
	if can.Places > 1 || can.Double {
		l.whole = r
		l.n, l.first, err = counted(ctx, r, l.own())
	}
	return l, err
}

// CopiesBlock returns the number of records in a block of n copies, of which there are two
// blocks at least.
func CopiesBlock(n int) int { return max(1, min(BlockRecords, (n+1)/2)) }

// cut makes the blocks of copies.
func (l *Local) cut() *Local {
	l.size = CopiesBlock(l.own())
	return l
}

// copied is the case of records that lie in memory, each a row: they are listed on all cores
// and then copied once.
func (l *Local) copied(ctx context.Context, pick func(first, n int) []int) (*Local, error) {
	lists := make([][]int, l.blocks())
	if err := par.Blocks(ctx, l.workers, l.own(), l.size, func(i, lo, hi int) error {
		lists[i] = pick(lo, hi-lo)
		return nil
	}); err != nil {
		return nil, err
	}
	total := 0
	for _, list := range lists {
		total += len(list)
	}
	numbers := make([]int32, 0, total)
	for i, list := range lists {
		for _, at := range list {
			numbers = append(numbers, int32(i*l.size+at))
		}
	}
	var rows sparse.Rows
	err := l.rows.PickOn(ctx, l.workers, &rows, numbers)
	return NewLocal(rows, l.workers).cut(), err
}

// picked returns what pick lists of every block, in order: where blocks stay in
// memory, records that follow one another are not copied.
func picked(ctx context.Context, r Runner, pick func(first, n int) []int) (parts []Block, err error) {
	can := r.Can()
	stays := can.Kept && can.Keep == nil
	type listed struct {
		Block
		next *listed
	}
	var head atomic.Pointer[listed] // no lock: short blocks would wait for one another
	_, err = r.Own(ctx, func(b Block) error {
		list := pick(can.First+b.First, b.N())
		var part Block
		if n := len(list); stays && b.Steps == nil && n > 0 && list[n-1]-list[0] == n-1 {
			part = b.Part(list[0], list[0]+n)
		} else {
			part = b.pick(list, b.First)
		}
		p := &listed{Block: part}
		for p.next = head.Load(); !head.CompareAndSwap(p.next, p); {
			p.next = head.Load()
		}
		return nil
	})
	for p := head.Load(); p != nil; p = p.next {
		parts = append(parts, p.Block)
	}
	sort.Slice(parts, func(i, j int) bool { return parts[i].First < parts[j].First })
	return parts, err
}

// inSample returns which of n records, the first of them of that number, are in
// a sample, counted from 0.
func inSample(first, n, step int) []int {
	list := make([]int, 0, n/step+1)
	for i := first / step; i*step < first+n; i++ {
		if at := Drawn(i, step) - first; at >= 0 && at < n {
			list = append(list, at)
		}
	}
	return list
}

// joined returns a runner over the records of all parts.
func joined(dim int, parts []Block, workers int) *Local {
	rows := make([]sparse.Rows, len(parts))
	var steps []int
	for i, p := range parts {
		rows[i] = p.Rows
		if p.Steps == nil {
			continue
		}
		if steps == nil {
			steps = []int{0}
		}
		before := steps[len(steps)-1]
		for _, s := range p.Steps[1:] {
			steps = append(steps, before+s)
		}
	}
	return NewSequences(sparse.Join(dim, rows), steps, workers)
}
