package enough

import (
	"context"
	"sync"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// half is a runner over half of another's records: of every two neighbours one,
// chosen by a hash of their number, so that no order of the records can tell
// the halves apart.
type half struct {
	run  pass.Runner
	side int // 0 or 1
	// kept holds the blocks of a half by the number of their first record in
	// the whole, where the records are in memory anyway; nil elsewhere.
	kept *sync.Map
}

// halves returns the two halves of a runner's records.
func halves(run pass.Runner) [2]pass.Runner {
	var kept [2]*sync.Map
	if _, ok := run.(*pass.Local); ok {
		kept = [2]*sync.Map{new(sync.Map), new(sync.Map)}
	}
	return [2]pass.Runner{half{run, 0, kept[0]}, half{run, 1, kept[1]}}
}

// sideOf returns the half of record i: a bit of the finaliser of SplitMix64 for
// the pair, turned for its second record.
func sideOf(i int) int {
	z := (uint64(i/2) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z^z>>31)>>63) ^ i&1
}

// before returns how many records below i are in the half.
func (h half) before(i int) int {
	n := i / 2
	if i%2 == 1 && sideOf(i-1) == h.side {
		n++
	}
	return n
}

// Dim implements pass.Runner.
func (h half) Dim() int { return h.run.Dim() }

// Len implements pass.Runner.
func (h half) Len() int { return h.before(h.run.Len()) }

// Run implements pass.Runner.
func (h half) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	mine := make([]pass.Sum, len(sums))
	for i, s := range sums {
		mine[i] = halfSum{s, h}
	}
	return h.run.Run(ctx, mine...)
}

// Visit implements pass.Runner.
func (h half) Visit(ctx context.Context, f func(pass.Block) error) error {
	return h.run.Visit(ctx, func(b pass.Block) error { return f(h.take(b)) })
}

// halfSum hands the half of each block on.
type halfSum struct {
	pass.Sum
	half half
}

// Add implements pass.Sum.
func (s halfSum) Add(state []float64, b pass.Block) error {
	return s.Sum.Add(state, s.half.take(b))
}

// take returns the records of the block that are in the half, numbered anew.
func (h half) take(b pass.Block) pass.Block {
	if h.kept == nil {
		return h.cut(b)
	}
	if old, ok := h.kept.Load(b.First); ok {
		return old.(pass.Block)
	}
	own := h.cut(b)
	h.kept.Store(b.First, own)
	return own
}

func (h half) cut(b pass.Block) pass.Block {
	var keep []int
	for i := range b.N() {
		if sideOf(b.First+i) == h.side {
			keep = append(keep, i)
		}
	}
	if b.Steps == nil {
		return pass.Block{First: h.before(b.First), Rows: pick(b.Rows, keep)}
	}
	steps, rows := []int{0}, []int(nil)
	for _, i := range keep {
		for r := b.Steps[i]; r < b.Steps[i+1]; r++ {
			rows = append(rows, r-b.Steps[0])
		}
		steps = append(steps, len(rows))
	}
	return pass.Block{First: h.before(b.First), Rows: pick(b.Rows, rows), Steps: steps}
}

// pick keeps the layout even where nothing is picked.
func pick(rows sparse.Rows, keep []int) sparse.Rows {
	if len(keep) > 0 || !rows.IsDense() {
		return rows.Pick(keep)
	}
	return rows.Slice(0, 0)
}
