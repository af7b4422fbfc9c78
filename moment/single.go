package moment

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/sparse"
)

// single sums up what a basis sees in single precision. One table of sums for
// each worker stays in a second-level cache while the rows of a block go by,
// and is added to the state, in double precision, before it loses digits.
type single struct {
	s     *projectSum
	b     []float32 // d×stride
	rooms *singleRooms
}

// singleRooms is memory that one pass leaves to the next.
type singleRooms struct{ bases, workers sync.Pool } // of *[]float32 and *singleRoom

// singleRoom is what one worker needs; the tables are zeros between uses.
type singleRoom struct {
	second, mixed []float32 // d×stride
	z             []float32 // panelRows×stride
	weights       []float32 // 2 for each record
	third         []float32 // 1 for each record
	cube          []float32 // of kernel.Cube32
}

const (
	// flushRows is the number of records after which sums in single precision
	// are added to those in double: errors of one sum grow like its square
	// root, to some 1e-6 of the sum.
	flushRows = 4096
	// perFeature is the number of entries for each feature from which on the
	// tables of a block cost less to add than its entries do.
	perFeature = 8
)

// newSingle prepares sums through the basis b.
func (s *Sampled) newSingle(sum *projectSum, b *mat.Dense) *single {
	g := &single{s: sum, rooms: s.rooms}
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
	return g != nil && !rows.IsDense() && rows.NNZ() >= perFeature*rows.Dim
}

// add adds the shares of a block to the tables that are not nil.
func (g *single) add(second, mixed, core []float64, rows sparse.Rows, w recordWeights) {
	room, ok := g.rooms.workers.Get().(*singleRoom)
	if !ok {
		room = new(singleRoom)
	}
	for lo := 0; lo < rows.N(); lo += flushRows {
		hi := min(lo+flushRows, rows.N())
		g.weigh(room, w, lo, hi, second == nil)
		g.addRows(room, second != nil, mixed != nil, core, rows.Slice(lo, hi))
		if second != nil {
			kernel.Widen(second, room.second)
		}
		if mixed != nil {
			kernel.Widen(mixed, room.mixed)
		}
	}
	g.rooms.workers.Put(room)
}

// weigh notes the weights of the records from lo to hi, those of third order
// alone where there is no table for others.
func (g *single) weigh(room *singleRoom, w recordWeights, lo, hi int, third bool) {
	room.weights, room.third = grown(room.weights, 2*(hi-lo)), grown(room.third, hi-lo)
	for i := range hi - lo {
		_, u, v := w.at(lo + i)
		if third {
			u = v
		}
		room.weights[2*i], room.weights[2*i+1], room.third[i] = float32(u), float32(v), float32(v)
	}
}

// addRows adds the rows to the tables of the room, and to the core.
func (g *single) addRows(room *singleRoom, second, mixed bool, core []float64, rows sparse.Rows) {
	look := kernel.Fused{Index: rows.Index, Value: rows.Value, B: g.b, L: g.s.stride}
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
	n := rows.N()
	panel := n
	if core != nil {
		panel = panelRows
		room.z, room.cube = grown(room.z, panel*g.s.stride), grown(room.cube, kernel.Room32(g.s.stride))
		look.Z = room.z
	}
	for lo := 0; lo < n; lo += panel {
		hi := min(lo+panel, n)
		look.Ptr, look.Weights = rows.Ptr[lo:hi+1], room.weights[2*lo:2*hi]
		look.Run()
		if core != nil {
			kernel.Cube32(core, room.z, room.third[lo:hi], g.s.l, g.s.stride, room.cube)
		}
	}
}

// grown returns x with n numbers, zeros where it is new.
func grown(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}
