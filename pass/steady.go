package pass

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// Steady draws k records in two scans and returns their numbers, in an order of
// its own. Every record is as likely as any other, and which are drawn follows
// from what records hold, not from where they stand: of n records and the same
// but one, the draws are of the same contents in the same order unless that one
// was drawn itself, which happens once in n/k. All records are drawn, in their
// order, where there are no more than k. The records must all be here.
//
// Records fall into buckets by their contents. The first scan counts the buckets;
// every bucket has a list of random numbers of its own, as many of which count as
// it has records, and the k smallest of all say how many are drawn from where.
// The second scan looks into these buckets, where every content has such a list
// again. Equal records are interchangeable.
func Steady(ctx context.Context, r Runner, k int) ([]int, error) {
	n := r.Len()
	if own := r.Can().Own; own < n {
		return nil, errors.New("pass: a steady draw needs all records here")
	}
	if n <= k {
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out, nil
	}
	var kept []uint32
	if n <= mostKept {
		kept = pages.Make[uint32](n)
	}
	counts, err := bucketCounts(ctx, r, kept)
	if err != nil {
		return nil, err
	}
	wanted := smallest(counts, n, k, r.Can().Workers)
	found, err := gather(ctx, r, wanted, kept)
	if err != nil {
		return nil, err
	}
	return drawn(ctx, found, wanted, r.Can().Workers)
}

// bucketBits is the logarithm of the number of buckets: 1 MB of counts a core. The fewer
// different contents share a bucket, the less a change of one moves others.
const bucketBits = 20

// bucketsAtATime is the number of buckets that one core draws from at a time.
const bucketsAtATime = 1 << 14

func bucketOf(content uint64) uint32 { return uint32(content >> (64 - bucketBits)) }

// mostKept is the number of records whose buckets are kept from the first scan for the
// second: 16 MB.
const mostKept = 1 << 22

// tally counts the records of buckets. Every core has a table of its own, of bytes, so that it
// stays in the core's cache; what a byte does not hold is added where all can.
type tally struct {
	tables sync.Pool
	mu     sync.Mutex
	all    []*[1 << bucketBits]uint8
	more   []atomic.Uint32
}

func newTally() *tally {
	t := &tally{more: make([]atomic.Uint32, 1<<bucketBits)}
	t.tables.New = func() any {
		table := new([1 << bucketBits]uint8)
		clear(table[:]) // written before it is added to: pages.Touch says why
		t.mu.Lock()
		defer t.mu.Unlock()
		t.all = append(t.all, table)
		return table
	}
	return t
}

// add counts the records of a block.
func (t *tally) add(list []uint32) {
	table, _ := t.tables.Get().(*[1 << bucketBits]uint8)
	for _, x := range list {
		n := &table[x%(1<<bucketBits)]
		if *n++; *n == 0 {
			t.more[x].Add(1 << 8)
		}
	}
	t.tables.Put(table)
}

// of is the number of records of a bucket.
func (t *tally) of(bucket int) uint32 {
	n := t.more[bucket].Load()
	for _, table := range t.all {
		n += uint32(table[bucket])
	}
	return n
}

// bucketCounts counts the records of every bucket, and sets that of every record where they
// are kept.
func bucketCounts(ctx context.Context, r Runner, kept []uint32) (*tally, error) {
	counts := newTally()
	_, err := r.Own(ctx, func(b Block) error {
		counts.add(b.bucketList(kept))
		return nil
	})
	return counts, err
}

// bucketList sets the buckets of the records of a block, where they are kept.
func (b *Block) bucketList(kept []uint32) []uint32 {
	if kept == nil {
		kept = make([]uint32, b.N())
	} else {
		kept = kept[b.First:][:b.N()]
	}
	b.buckets(kept)
	return kept
}

// buckets sets the bucket of every record; of presences two at a time, for every step of a
// content waits for the one before.
func (b *Block) buckets(list []uint32) {
	i := 0
	if b.Steps == nil && b.Rows.IsBinary() {
		for ; i+1 < len(list); i += 2 {
			x, _ := b.Rows.Row(i)
			y, _ := b.Rows.Row(i + 1)
			g, h := uint64(0), uint64(0)
			both := min(len(x), len(y))
			beside := y[:both]
			for e, f := range x[:both] {
				g, h = mixed(g^uint64(f)), mixed(h^uint64(beside[e]))
			}
			for _, f := range x[both:] {
				g = mixed(g ^ uint64(f))
			}
			for _, f := range y[both:] {
				h = mixed(h ^ uint64(f))
			}
			list[i], list[i+1] = bucketOf(mixed(g)), bucketOf(mixed(h))
		}
	}
	for ; i < len(list); i++ {
		list[i] = bucketOf(b.content(i))
	}
}

// smallest returns how many records are drawn from each bucket of which any is:
// those of the k smallest random numbers.
func smallest(counts *tally, n, k, workers int) map[uint32]int {
	type number struct {
		bucket uint32
		v      uint64
	}
	var list []number
	for margin := 1.5; len(list) < k; margin *= 2 {
		most := uint64(math.MaxUint64)
		if share := margin * float64(k+16) / float64(n); share < 1 {
			most = uint64(share * math.MaxUint64)
		}
		parts := make([][]number, 1<<bucketBits/bucketsAtATime)
		_ = par.Do(context.Background(), workers, len(parts), func(i int) error { // nothing fails
			for b := i * bucketsAtATime; b < (i+1)*bucketsAtATime; b++ {
				first := mixed(uint64(b))
				for j := range counts.of(b) {
					if v := mixed(first + uint64(j)); v <= most { // nthRandom
						parts[i] = append(parts[i], number{uint32(b), v})
					}
				}
			}
			return nil
		})
		list = slices.Concat(parts...)
	}
	slices.SortFunc(list, func(x, y number) int { return cmp.Or(cmp.Compare(x.v, y.v), cmp.Compare(x.bucket, y.bucket)) })
	out := map[uint32]int{}
	for _, x := range list[:k] {
		out[x.bucket]++
	}
	return out
}

// equals are records that hold the same: their number and the first of them.
type equals struct {
	content uint64
	n       int
	first   []int // rising, no more than can be drawn
}

// shelf is what was gathered from bucketsAtATime buckets.
type shelf struct {
	mu     sync.Mutex
	list   []equals
	merged int // of them: by rising contents, each once
}

// shelfOf is the shelf of a content: buckets are by the first bits of it, as shelves are.
func shelfOf(content uint64) uint32 { return bucketOf(content) / bucketsAtATime }

// gather collects the records of the buckets that are drawn from.
func gather(ctx context.Context, r Runner, wanted map[uint32]int, kept []uint32) ([]shelf, error) {
	some := make([]uint64, 1<<bucketBits/64) // a bit for every bucket, since most are not drawn from
	for x := range wanted {
		some[x/64] |= 1 << (x % 64)
	}
	out := make([]shelf, 1<<bucketBits/bucketsAtATime)
	_, err := r.Own(ctx, func(b Block) error {
		var buckets []uint32
		if kept != nil {
			buckets = kept[b.First:][:b.N()]
		} else {
			buckets = b.bucketList(nil)
		}
		var hits []int
		for i, x := range buckets {
			if some[x/64]>>(x%64)&1 != 0 {
				hits = append(hits, b.First+i)
			}
		}
		list := make([]equals, len(hits))
		for at, i := range hits {
			list[at] = equals{b.content(i - b.First), 1, hits[at : at+1 : at+1]}
		}
		for _, e := range merged(list, wanted) {
			out[shelfOf(e.content)].add(e, wanted)
		}
		return nil
	})
	return out, err
}

// add puts equals on a shelf, which holds twice as many as different ones at most.
func (s *shelf) add(e equals, wanted map[uint32]int) {
	const few = 1024
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list = append(s.list, e); len(s.list) > few+2*s.merged {
		s.list = merged(s.list, wanted)
		s.merged = len(s.list)
	}
}

// merged returns each content of a list once, by rising contents.
func merged(list []equals, wanted map[uint32]int) []equals {
	slices.SortFunc(list, func(x, y equals) int { return cmp.Compare(x.content, y.content) })
	out := list[:0]
	for lo, hi := 0, 0; lo < len(list); lo = hi {
		e := list[lo]
		for hi = lo + 1; hi < len(list) && list[hi].content == e.content; hi++ {
			e.n += list[hi].n
			e.first = append(e.first, list[hi].first...)
		}
		if hi > lo+1 {
			slices.Sort(e.first)
			e.first = slices.Clip(e.first[:min(len(e.first), wanted[bucketOf(e.content)])])
		}
		out = append(out, e)
	}
	return out
}

// number is a random number of a record of some content.
type number struct {
	v, content uint64
	record     int // or, until it is known, where the content is in a list
}

func order(x, y number) int { return cmp.Or(cmp.Compare(x.v, y.v), cmp.Compare(x.content, y.content)) }

// drawn returns the numbers of the records that are drawn.
func drawn(ctx context.Context, found []shelf, wanted map[uint32]int, workers int) ([]int, error) {
	parts := make([][]number, len(found))
	err := par.Do(ctx, workers, len(found), func(i int) error {
		list := merged(found[i].list, wanted)
		for lo, hi := 0, 0; lo < len(list); lo = hi {
			b := bucketOf(list[lo].content)
			for hi = lo + 1; hi < len(list) && bucketOf(list[hi].content) == b; {
				hi++
			}
			parts[i] = append(parts[i], fromBucket(list[lo:hi], wanted[b])...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(parts...)
	slices.SortFunc(all, order)
	out := make([]int, len(all))
	for i, x := range all {
		out[i] = x.record
	}
	return out, nil
}

// fromBucket draws so many records of a bucket: those of the smallest random numbers of
// its contents.
func fromBucket(list []equals, n int) []number {
	const slack = 1024 // beyond which a list is cut, be the records of a bucket as many as they may
	least := func(all []number) []number {
		slices.SortFunc(all, order)
		return all[:min(n, len(all))]
	}
	var all []number
	for at, e := range list {
		for j := range e.n {
			if all = append(all, number{nthRandom(e.content, uint64(j)), e.content, at}); len(all) >= slack+2*n {
				all = least(all)
			}
		}
	}
	// The order is by other numbers, of which a content has as many as it was drawn:
	// it stays when a record like a drawn one goes.
	times := make([]int, len(list))
	for i, x := range least(all) {
		j := times[x.record]
		times[x.record]++
		all[i].v, all[i].record = nthRandom(^x.content, uint64(j)), list[x.record].first[j]
	}
	return all[:min(n, len(all))]
}

// nthRandom is number j of the random numbers of a bucket or content.
func nthRandom(of, j uint64) uint64 { return mixed(mixed(of) + j) }

// mixed is the finaliser of SplitMix64.
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// content is a number for what record i holds.
func (b Block) content(i int) uint64 {
	if b.Steps == nil {
		return rowContent(0, b.Rows, i)
	}
	rows, h := b.Sequence(i), uint64(0)
	for j := range rows.N() {
		h = rowContent(mixed(h), rows, j)
	}
	return h
}

func rowContent(h uint64, rows sparse.Rows, i int) uint64 {
	if rows.IsDense() {
		for _, v := range rows.DenseRow(i) {
			h = mixed(h ^ math.Float64bits(v))
		}
		return h
	}
	index, value := rows.Row(i)
	for e, f := range index {
		h = mixed(h ^ uint64(f))
		if value != nil {
			h = mixed(h ^ uint64(math.Float32bits(value[e])))
		}
	}
	return mixed(h)
}
