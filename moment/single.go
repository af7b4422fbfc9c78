package moment

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// single sums up what a basis sees in single precision. One table of sums for
// each worker stays in a second-level cache while the rows of a block go by,
// and is then added to the state, in double precision: the errors of sums over
// the 4096 records of a block are some 1e-6 of the sum.
type single struct {
	s     *projectSum
	b     []float32 // d×stride
	rooms *singleRooms
	kept  *weights32 // of the own records, or nil
}

// singleRooms is memory that one pass leaves to the next.
type singleRooms struct{ bases, workers sync.Pool } // of *[]float32 and *singleRoom

// singleRoom is what one worker needs; the tables are zeros between uses.
type singleRoom struct {
	second, mixed []float32 // d×stride
	z             []float32 // singleRows×stride
	weights       weights32 // of a panel
	cube          []float32 // of kernel.Cube32
}

// singleRows is the number of records whose projections are held at once.
const singleRows = kernel.CubeRows32

const (
	// perFeature is the number of entries for each feature from which on the
	// tables of a block cost less to add than its entries save (141,000
	// features, 50 topics: half the time at 2.4, no gain at 1.7).
	perFeature = 2
	// leastEntries of a block are too few to care.
	leastEntries = 1 << 14
)

// singlePays reports whether a block is likely to be worth single precision.
func (s *Survey) singlePays() bool {
	block := s.Entries / s.N * math.Min(s.N, pass.BlockRecords)
	return block >= leastEntries && block >= float64(perFeature*len(s.Sum))
}

// newSingle prepares sums through the basis b.
func (s *Sampled) newSingle(sum *projectSum, b *mat.Dense) *single {
	g := &single{s: sum, rooms: s.rooms, kept: s.kept}
	if kept, ok := s.rooms.bases.Get().(*[]float32); ok {
		g.b = *kept
	}
	g.b = grown(g.b, sum.d*sum.stride)
	for h := range sum.d {
		row, f := g.b[h*sum.stride:][:sum.stride], 1/s.scale(h)
		for a, v := range b.RawRowView(h) {
			row[a] = float32(f * v)
		}
		clear(row[sum.l:])
	}
	return g
}

// close gives the memory back.
func (g *single) close() { g.rooms.bases.Put(&g.b) }

// pays reports whether a block is summed up in single precision: it depends on
// the block alone.
func (g *single) pays(rows sparse.Rows) bool {
	return g != nil && !rows.IsDense() && rows.NNZ() >= max(leastEntries, perFeature*rows.Dim)
}

// add adds the shares of a block to the tables that are not nil. A panel of
// rows is read from memory once, and is in a cache for all that follows.
func (g *single) add(second, mixed, core []float64, b pass.Block) {
	rows := b.Rows
	room := g.rooms.take()
	look := g.look(room, rows, second != nil, mixed != nil, core != nil)
	kept := g.kept
	if b.Steps != nil {
		kept = nil
	}
	for lo := 0; lo < rows.N(); lo += singleRows {
		panel := rows.Slice(lo, min(lo+singleRows, rows.N()))
		w := kept.of(b.First+lo, panel.N())
		if w == nil || second == nil {
			w = g.weigh(room, panel, second == nil)
		}
		look.Ptr, look.Weights = panel.Ptr, w.both
		look.Run()
		if core != nil {
			kernel.Cube32(core, room.z, w.third, g.s.l, g.s.stride, room.cube)
		}
	}
	if second != nil {
		kernel.Widen(second, room.second)
	}
	if mixed != nil {
		kernel.Widen(mixed, room.mixed)
	}
	g.rooms.workers.Put(room)
}

// weigh returns the weights of the rows, those of third order alone where there
// is no table for others.
func (g *single) weigh(room *singleRoom, rows sparse.Rows, third bool) *weights32 {
	n, out, w := rows.N(), &room.weights, g.s.f.weights(rows)
	out.both, out.third = grown(out.both, 2*n), grown(out.third, n)
	for i := range out.third {
		_, u, v := w.at(i)
		if third {
			u = v
		}
		out.both[2*i], out.both[2*i+1], out.third[i] = float32(u), float32(v), float32(v)
	}
	return out
}

// look prepares a look at the rows, with room for what is wanted.
func (g *single) look(room *singleRoom, rows sparse.Rows, second, mixed, core bool) *kernel.Fused {
	look := &kernel.Fused{Index: rows.Index, Value: rows.Value, B: g.b, L: g.s.stride, Proved: g.kept != nil}
	if second {
		room.second = grown(room.second, len(g.b))
		look.Second = room.second
	}
	if mixed {
		room.mixed = grown(room.mixed, len(g.b))
		look.Mixed = room.mixed
	}
	if !second {
		look.Second, look.Mixed = look.Mixed, nil
	}
	if core {
		room.forCore(g.s.stride)
		look.Z = room.z
	}
	return look
}

// take returns what a worker needs.
func (r *singleRooms) take() *singleRoom {
	if room, ok := r.workers.Get().(*singleRoom); ok {
		return room
	}
	return new(singleRoom)
}

// forCore makes room for the rows and the work of a core.
func (r *singleRoom) forCore(stride int) {
	r.z, r.cube = grown(r.z, singleRows*stride), grown(r.cube, kernel.Room32(stride))
}

// grown returns x with n numbers, zeros where it is new.
func grown(x []float32, n int) []float32 {
	if cap(x) < n {
		return pages.Make[float32](n)
	}
	return x[:n]
}
