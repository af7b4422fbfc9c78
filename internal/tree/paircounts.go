package tree

import (
	"context"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
)

// pairCounts is how many of n binary records have each pair of d
// features: XᵀX in whole numbers, so that those of a part are those of the
// whole less those of the rest, to the last bit.
type pairCounts struct {
	N, D   int
	Count  []int32 // packed by rows: (h,m), h ≤ m, at kernel.PairRow(h,D)+m
	buffer []float32
}

// newPairCounts returns the counts of no records.
func newPairCounts(d int) *pairCounts {
	return &pairCounts{D: d, Count: pages.Make[int32](d * (d + 1) / 2)}
}

// Add counts n rows: those of a list from place first on, or, where it is nil,
// those from row first on.
func (p *pairCounts) Add(rows *kernel.BinaryRows, list []int32, first, n int) {
	p.N += n
	rows.Pairs(p.Count, list, first, n)
}

// Join adds the counts of other records, on so many workers.
func (p *pairCounts) Join(ctx context.Context, workers int, others []*pairCounts) error {
	for _, o := range others {
		p.N += o.N
	}
	if len(others) == 0 {
		return nil
	}
	return inBlocks(ctx, workers, len(p.Count), func(_, lo, n int) error {
		to := p.Count[lo : lo+n]
		for _, o := range others {
			count := o.Count[lo:][:len(to)]
			for i, c := range count {
				to[i] += c
			}
		}
		return nil
	})
}

// Without sets p to the counts of the records of all that are not those of
// part.
func (p *pairCounts) Without(all, part *pairCounts) {
	p.N = all.N - part.N
	count, less, rest := all.Count, part.Count[:len(all.Count)], p.Count[:len(all.Count)]
	for i, c := range count {
		rest[i] = c - less[i]
	}
}

// Clear sets the counts to those of no records.
func (p *pairCounts) Clear() {
	p.N = 0
	clear(p.Count)
}

// Single returns the number of records that have feature h.
func (p *pairCounts) Single(h int) float64 { return float64(p.Count[kernel.PairRow(h, p.D)+h]) }

// MulTo sets each y to XᵀX·v: two at a time to the accuracy of single precision, one alone
// to that of double precision. Only one goroutine may call it at a time.
func (p *pairCounts) MulTo(y, v [][]float64) {
	for ; len(v) >= 2; y, v = y[2:], v[2:] {
		if p.buffer == nil {
			p.buffer = make([]float32, kernel.PackedBuffer(p.D))
		}
		kernel.PackedMul2([2][]float64(y), p.Count, [2][]float64(v), p.buffer)
	}
	if len(v) > 0 {
		kernel.PackedMul(y[0], p.Count, v[0])
	}
}
