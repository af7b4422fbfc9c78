package triplets

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/par"
)

// sortedAtOnce is about how many entries are sorted by one worker at a time.
const sortedAtOnce = 1 << 11

// tidy sorts the entries of each run by feature and joins those that come
// twice: values are added up in the order of the file, presences count once.
// Runs have nothing to do with each other and are sorted on all cores; that some
// come twice is rare, and joining them is one walk.
func (g *Grouper) tidy(b *Block, from, to int) {
	entries := b.End(to-1) - b.Runs[from].Start
	size := max(1, (to-from)*sortedAtOnce/max(entries, 1))
	var twice atomic.Int64
	_ = par.Blocks(context.Background(), g.o.Workers, to-from, size, func(_, lo, hi int) error { // nothing fails
		twice.Add(int64(b.sort(from+lo, from+hi)))
		return nil
	})
	if n := int(twice.Load()); n > 0 {
		g.repeated += n
		b.join(from, to)
	}
}

// sort puts the entries of runs in the order of their features, those of one feature in
// that of the file, and returns how many name the feature of the one before.
func (b *Block) sort(from, to int) (twice int) {
	var keys []uint64 // feature and place: numbers are sorted faster than pairs
	var value []float64
	var small []uint8
	for i := from; i < to; i++ {
		start, end := b.Runs[i].Start, b.End(i)
		feature := b.Feature[start:end]
		keys = keys[:0]
		for e, f := range feature {
			keys = append(keys, uint64(f)<<32|uint64(e))
		}
		slices.Sort(keys)
		for e, k := range keys {
			feature[e] = uint32(k >> 32)
			if e > 0 && feature[e] == feature[e-1] {
				twice++
			}
		}
		if b.Value != nil {
			value = append(value[:0], b.Value[start:end]...)
			for e, k := range keys {
				b.Value[start+e] = value[uint32(k)]
			}
		}
		if b.Small != nil {
			small = append(small[:0], b.Small[start:end]...)
			for e, k := range keys {
				b.Small[start+e] = small[uint32(k)]
			}
		}
	}
	return twice
}

// join makes one entry of those of a feature, in runs that are sorted. It never
// overtakes the entries that are still to be read.
func (b *Block) join(from, to int) {
	b.widen() // sums may be beyond a byte
	w, end := b.Runs[from].Start, b.End(to-1)
	for i := from; i < to; i++ {
		e, until := b.Runs[i].Start, b.End(i)
		b.Runs[i].Start = w
		for ; e < until; e++ {
			again := w > b.Runs[i].Start && b.Feature[w-1] == b.Feature[e]
			switch {
			case again && b.Value != nil:
				b.Value[w-1] += b.Value[e]
			case !again:
				b.Feature[w] = b.Feature[e]
				if b.Value != nil {
					b.Value[w] = b.Value[e]
				}
				w++
			}
		}
	}
	b.close(to, w, end)
}
