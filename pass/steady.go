package pass

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

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
		kept = make([]uint32, n)
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
	return found.drawn(wanted), nil
}

// bucketBits is the logarithm of the number of buckets: 4 MB of counts. The fewer
// different contents share a bucket, the less a change of one moves others.
const bucketBits = 20

// bucketsAtATime is the number of buckets whose random numbers one core draws.
const bucketsAtATime = 1 << 14

func bucketOf(content uint64) uint32 { return uint32(content >> (64 - bucketBits)) }

// mostKept is the number of records whose buckets are kept from the first scan for the
// second: 16 MB.
const mostKept = 1 << 22

// bucketCounts counts the records of every bucket, and sets that of every record where
// they are kept.
func bucketCounts(ctx context.Context, r Runner, kept []uint32) ([]uint32, error) {
	counts := make([]uint32, 1<<bucketBits)
	var mu sync.Mutex
	_, err := r.Own(ctx, func(b Block) error {
		var list []uint32
		if kept != nil {
			list = kept[b.First:][:b.N()]
		} else {
			list = make([]uint32, b.N())
		}
		b.buckets(list)
		mu.Lock()
		defer mu.Unlock()
		for _, x := range list {
			counts[x]++
		}
		return nil
	})
	return counts, err
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
func smallest(counts []uint32, n, k, workers int) map[uint32]int {
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
		parts := make([][]number, (len(counts)+bucketsAtATime-1)/bucketsAtATime)
		_ = par.Do(context.Background(), workers, len(parts), func(i int) error { // nothing fails
			first := i * bucketsAtATime
			for b, m := range counts[first:min(first+bucketsAtATime, len(counts))] {
				for j := range m {
					if v := nthRandom(uint64(first+b), uint64(j)); v <= most {
						parts[i] = append(parts[i], number{uint32(first + b), v})
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

// contents are the records of buckets, by what they hold.
type contents map[uint64]*equals

// equals are records that hold the same: their number and the first of them.
type equals struct {
	n     int
	first []int // rising, no more than can be drawn
}

// gather collects the contents of the buckets that are drawn from.
func gather(ctx context.Context, r Runner, wanted map[uint32]int, kept []uint32) (contents, error) {
	out := contents{}
	some := make([]uint64, 1<<bucketBits/64) // a bit for every bucket, since most are not drawn from
	for x := range wanted {
		some[x/64] |= 1 << (x % 64)
	}
	among := func(x uint32) bool { return some[x/64]>>(x%64)&1 != 0 }
	var mu sync.Mutex
	_, err := r.Own(ctx, func(b Block) error {
		part := contents{}
		for i := range b.N() {
			if kept != nil && !among(kept[b.First+i]) {
				continue
			}
			if c := b.content(i); among(bucketOf(c)) {
				part.add(c, 1, []int{b.First + i}, wanted[bucketOf(c)])
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for c, e := range part {
			out.add(c, e.n, e.first, wanted[bucketOf(c)])
		}
		return nil
	})
	return out, err
}

func (c contents) add(content uint64, n int, first []int, most int) {
	e := c[content]
	if e == nil {
		e = &equals{}
		c[content] = e
	}
	e.n += n
	if len(e.first) == most && first[0] > e.first[most-1] {
		return
	}
	e.first = append(e.first, first...)
	slices.Sort(e.first)
	e.first = e.first[:min(len(e.first), most)]
}

// drawn returns the numbers of the records that are drawn.
func (c contents) drawn(wanted map[uint32]int) []int {
	type number struct {
		content, v uint64
	}
	order := func(x, y number) int { return cmp.Or(cmp.Compare(x.v, y.v), cmp.Compare(x.content, y.content)) }
	least := func(list []number, n int) []number {
		slices.SortFunc(list, order)
		return list[:min(n, len(list))]
	}
	const slack = 1024 // beyond which a list is cut, be the records of its bucket as many as they may
	lists := map[uint32][]number{}
	for content, e := range c {
		b := bucketOf(content)
		list := lists[b]
		for j := range e.n {
			if list = append(list, number{content, nthRandom(content, uint64(j))}); len(list) >= slack+2*wanted[b] {
				list = least(list, wanted[b])
			}
		}
		lists[b] = list
	}
	var all []number
	for b, list := range lists {
		all = append(all, least(list, wanted[b])...)
	}
	// The order is by other numbers, of which a content has as many as it was drawn:
	// it stays when a record like a drawn one goes.
	times := map[uint64]int{}
	record := make(map[number]int, len(all))
	for i, x := range all {
		j := times[x.content]
		times[x.content]++
		all[i].v = nthRandom(^x.content, uint64(j))
		record[all[i]] = c[x.content].first[j]
	}
	slices.SortFunc(all, order)
	out := make([]int, len(all))
	for i, x := range all {
		out[i] = record[x]
	}
	return out
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
