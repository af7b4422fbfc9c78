package encode

import (
	"cmp"
	"context"
	"math"
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
	return e.byName(a, b)
}

// byName orders terms by their names.
func (e *encoder) byName(a, b uint32) int {
	return cmp.Compare(e.terms.dict.Name(a), e.terms.dict.Name(b))
}

// inOrder sorts terms by frequency: parts of a long list on all cores, and then two parts
// to one until one is left. No two terms are equal, so there is one order.
func (e *encoder) inOrder(list []uint32) {
	const part = 1 << 12
	_ = par.Blocks(context.Background(), e.s.Workers, len(list), part, func(_, lo, hi int) error { // nothing fails
		e.sort(list[lo:hi])
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

// sort is inOrder on one core. Frequencies, none of which is below 0, are sorted byte by byte
// of their bits, from the last one: who compares numbers guesses wrong half of the time.
func (e *encoder) sort(list []uint32) {
	type ranked struct {
		key  uint64 // rises as frequencies fall
		term uint32
	}
	all := make([]ranked, 2*len(list))
	now, next := all[:len(list)], all[len(list):]
	for i, t := range list {
		now[i] = ranked{^math.Float64bits(e.stats.freq[t]), t}
	}
	for shift := 0; shift < 64; shift += 8 {
		var to [256]int
		for _, r := range now {
			to[byte(r.key>>shift)]++
		}
		if to[byte(now[0].key>>shift)] == len(now) {
			continue // all have the same byte
		}
		at := 0
		for b, n := range to {
			to[b], at = at, at+n
		}
		for _, r := range now {
			b := byte(r.key >> shift)
			next[to[b]] = r
			to[b]++
		}
		now, next = next, now
	}
	lo := 0
	for i, r := range now {
		list[i] = r.term
		if r.key != now[lo].key {
			slices.SortFunc(list[lo:i], e.byFrequency) // by name
			lo = i
		}
	}
	slices.SortFunc(list[lo:], e.byFrequency)
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
