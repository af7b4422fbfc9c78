package encode

import (
	"cmp"
	"context"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
)

// byFrequency orders terms by falling frequency, ties by name.
func (e *encoder) byFrequency(a, b uint32) int {
	switch x, y := e.stats.freq[a], e.stats.freq[b]; {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return cmp.Compare(e.terms.dict.Name(a), e.terms.dict.Name(b))
}

// inOrder sorts terms by frequency: parts of a long list on all cores, and then two parts
// to one until one is left. No two terms are equal, so there is one order.
func (e *encoder) inOrder(list []uint32) {
	const part = 1 << 12
	_ = par.Blocks(context.Background(), e.s.Workers, len(list), part, func(_, lo, hi int) error { // nothing fails
		slices.SortFunc(list[lo:hi], e.byFrequency)
		return nil
	})
	other := make([]uint32, len(list))
	for size := part; size < len(list); size *= 2 {
		_ = par.Blocks(context.Background(), e.s.Workers, len(list), 2*size, func(_, lo, hi int) error {
			mid := min(lo+size, hi)
			e.merge(other[lo:hi], list[lo:mid], list[mid:hi])
			return nil
		})
		copy(list, other)
	}
}

// merge writes two sorted lists as one.
func (e *encoder) merge(out, a, b []uint32) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && e.byFrequency(a[0], b[0]) < 0 {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}
