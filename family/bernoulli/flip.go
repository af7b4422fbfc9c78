package bernoulli

import (
	"context"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// flipped is a Runner over the same records in which features that most
// records have stand for their absence. A feature of mean p near one lies p/σ
// standard deviations from zero and carries the leading direction almost alone,
// where its unknown square cannot be filled in; its absence lies close to zero.
type flipped struct {
	pass.Runner
	flip []bool
}

// common reports which features are present in more than half of the records.
func common(mean []float64) (flip []bool, any bool) {
	flip = make([]bool, len(mean))
	for h, p := range mean {
		flip[h] = p > 0.5 && p < 1
		any = any || flip[h]
	}
	return flip, any
}

// Run implements pass.Runner.
func (f flipped) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	turned := make([]pass.Sum, len(sums))
	for i, s := range sums {
		turned[i] = flippedSum{s, f.flip}
	}
	return f.Runner.Run(ctx, turned...)
}

// Visit implements pass.Runner.
func (f flipped) Visit(ctx context.Context, use func(pass.Block) error) error {
	return f.Runner.Visit(ctx, func(b pass.Block) error { return use(turn(b, f.flip)) })
}

type flippedSum struct {
	pass.Sum
	flip []bool
}

func (s flippedSum) Add(state []float64, b pass.Block) error {
	return s.Sum.Add(state, turn(b, s.flip))
}

// turn returns the block with the flipped features, as binary rows.
func turn(b pass.Block, flip []bool) pass.Block {
	rows := sparse.Rows{Dim: b.Rows.Dim, Ptr: make([]int, 1, b.Rows.N()+1)}
	present := make([]bool, b.Rows.Dim)
	for i := range b.Rows.N() {
		clear(present)
		mark(present, b.Rows, i)
		for h, p := range present {
			if p != flip[h] {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	b.Rows = rows
	return b
}

// mark sets the features that row i has.
func mark(present []bool, rows sparse.Rows, i int) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			present[h] = v != 0
		}
		return
	}
	index, value := rows.Row(i)
	for e, h := range index {
		present[h] = value == nil || value[e] != 0
	}
}
