package tree

import (
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// How the records of a branch are held. A branch is a list of record numbers;
// its rows are copied, for as long as it is looked at, where they are few, and
// block by block in every pass where they are many.
const (
	// copiedEntries is the number of entries up to which a branch is copied:
	// 8 MB of presences.
	copiedEntries = 1 << 21
	// directionRecords is the number of records from which a skew direction is
	// found where there are at least twice as many: its sampling error is then
	// far below the spread of the groups, and EM follows.
	directionRecords = 32 * 1024
	// sampledRecords is the same for the pair of presences that EM refines. All
	// records are placed by the pair, and all count in its gain. Fewer would be
	// felt where groups are hard to tell: splits of real stays are then less
	// often found again (diabetes130: .86 with all 63,000, .74 with 8,000).
	sampledRecords = 64 * 1024
)

// look is a runner over records of a branch, with the memory of their copy.
type look struct {
	pass.Runner
	copy *sparse.Rows // nil where they were not copied
	list []int32      // their numbers; nil for all
}

// records returns a runner over the records of a branch.
func (g *grower) records(b *branch) pass.Runner {
	if b.all.Runner == nil {
		b.all = g.view(b.list)
	}
	return b.all.Runner
}

// view returns a runner over the listed records, or over all for nil.
func (g *grower) view(list []int32) look {
	if list == nil {
		return look{Runner: pass.NewLocal(g.rows, g.s.Workers)}
	}
	if len(list)*g.rows.NNZ() > copiedEntries*g.rows.N() {
		return look{Runner: pass.Subset(g.rows, list, g.workers(len(list))), list: list}
	}
	rows := g.rooms.take()
	g.rows.PickInto(rows, list)
	return look{pass.NewLocal(*rows, g.workers(len(list))), rows, list}
}

// workers returns how many cores look at n records: one where there are few,
// since several nodes are looked at at the same time.
func (g *grower) workers(n int) int {
	if n < sharedOut {
		return 1
	}
	return g.s.Workers
}

// sharedOut is the number of records from which a look is shared out.
const sharedOut = 16 * 1024

// memory is what is used again from node to node, on all cores.
type memory struct {
	tables      tablePool
	rooms       rooms
	scratch     scratch
	lists       pool[int32]
	labels      pool[uint8]
	projections pool[float32]
	vectors     pool[float64]
}

// rooms keeps the memory of copies that nobody looks at any more.
type rooms struct {
	mu   sync.Mutex
	free []*sparse.Rows
}

// take returns the largest room.
func (r *rooms) take() *sparse.Rows {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.free) == 0 {
		return &sparse.Rows{}
	}
	last := len(r.free) - 1
	for i := range r.free {
		if cap(r.free[i].Index) > cap(r.free[last].Index) {
			r.free[i], r.free[last] = r.free[last], r.free[i]
		}
	}
	rows := r.free[last]
	r.free = r.free[:last]
	return rows
}

func (r *rooms) give(rows *sparse.Rows) {
	if rows == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free = append(r.free, rows)
}

// pool keeps the memory of lists that are no longer needed.
type pool[T any] struct {
	mu   sync.Mutex
	free [][]T
}

// take returns a list of n with anything in it, in the smallest memory that
// holds it.
func (s *pool[T]) take(n int) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	best := -1
	for i, x := range s.free {
		if cap(x) >= n && (best < 0 || cap(x) < cap(s.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return pages.Make[T](n)
	}
	list := s.free[best][:n]
	s.free = slices.Delete(s.free, best, best+1)
	return list
}

func (s *pool[T]) give(list []T) {
	if cap(list) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, list)
}

// scratch keeps the memory of numbers that are needed for a moment.
type scratch struct{ free sync.Pool }

// take returns n numbers with anything in them.
func (s *scratch) take(n int) []float64 {
	if x, ok := s.free.Get().(*[]float64); ok && cap(*x) >= n {
		return (*x)[:n]
	}
	return pages.Make[float64](n)
}

func (s *scratch) give(x []float64) { s.free.Put(&x) }

// every returns the numbers of one of every step records of a branch; nil where
// that is all records there are.
func (b *branch) every(step int) []int32 {
	if step == 1 {
		return b.list
	}
	list := make([]int32, 0, b.n/step+1)
	for i := range b.n / step {
		list = append(list, b.at(pass.Drawn(i, step)))
	}
	return list
}

// sample returns a runner over the records on which the pair of a branch is
// refined.
func (g *grower) sample(b *branch) look {
	step := g.sampleStep(b)
	if step == 1 {
		g.records(b)
		return b.all
	}
	if b.part.Runner == nil {
		b.part = g.view(b.every(step))
	}
	return b.part
}

// listed returns the presences of a branch where they stand.
func (g *grower) listed(b *branch) *listed { return g.listedAs(b.list, b.n) }

// listedAs returns the n listed presences, or all for nil.
func (g *grower) listedAs(list []int32, n int) *listed {
	return &listed{g.sheet, list, n, g.workers(n)}
}

// sampleOf returns the sample's share of labels of all records of a branch.
func (g *grower) sampleOf(b *branch, labels sides) sides {
	step := g.sampleStep(b)
	if step == 1 {
		return labels
	}
	part := make(sides, 0, b.n/step+1)
	for i := range b.n / step {
		part = append(part, labels[pass.Drawn(i, step)])
	}
	return part
}

// sampleStep returns which of a branch's records a pair is refined on: one of
// every so many presences, where there are many.
func (g *grower) sampleStep(b *branch) int {
	if !g.presences {
		return 1
	}
	return max(1, b.n/sampledRecords)
}

// directionStep is the same for the records that a skew direction is found
// from.
func directionStep(b *branch) int { return max(1, b.n/directionRecords) }

// forget drops the copies of a branch's records.
func (g *grower) forget(b *branch) {
	g.rooms.give(b.all.copy)
	g.rooms.give(b.part.copy)
	b.all, b.part = look{}, look{}
}

// at returns the number of the branch's record i.
func (b *branch) at(i int) int32 {
	if b.list == nil {
		return int32(i)
	}
	return b.list[i]
}
