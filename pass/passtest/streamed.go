package passtest

import (
	"io"
	"math"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Streamed returns a runner over rows that come block by block, as from a
// file. Every block is a copy that is spoiled when it is given back, so that
// whoever kept a part of it computes nonsense.
func Streamed(rows sparse.Rows, workers int) *pass.Stream {
	return pass.NewStream(pass.ShapeOf(rows), func() (pass.Blocks, error) { return &blocks{rows: rows}, nil }, workers)
}

type blocks struct {
	rows sparse.Rows
	at   int
}

// Next implements pass.Blocks.
func (b *blocks) Next() (pass.Block, error) {
	lo := b.at
	if lo >= b.rows.N() {
		return pass.Block{}, io.EOF
	}
	b.at = min(lo+pass.BlockRecords, b.rows.N())
	list := make([]int, b.at-lo)
	for i := range list {
		list[i] = lo + i
	}
	return pass.Block{First: lo, Rows: b.rows.Pick(list)}, nil
}

// Close implements pass.Blocks.
func (*blocks) Close() error { return nil }

// Done implements pass.Returner.
func (*blocks) Done(b pass.Block) {
	clear(b.Rows.Ptr)
	clear(b.Rows.Index)
	for i := range b.Rows.Value {
		b.Rows.Value[i] = float32(math.NaN())
	}
	for i := range b.Rows.Dense {
		b.Rows.Dense[i] = math.NaN()
	}
}
