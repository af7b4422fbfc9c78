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
	s       *projectSum
	b       []float32 // d×stride
	buffers *singleBuffers
	kept    *weights32 // of the own records, or nil
}

// singleBuffers is memory that one pass leaves to the next.
type singleBuffers struct{ bases, workers sync.Pool } // of *[]float32 and *singleBuffer

// singleBuffer is what one worker needs; the tables and the core are zeros between uses.
type singleBuffer struct {
	second, mixed []float32 // d×stride
	z             []float32 // singleRows×stride
	weights       weights32 // of a panel
	core          []float64 // packed, as long as that of the sum
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
	g := &single{s: sum, buffers: s.buffers, kept: s.kept}
	if kept, ok := s.buffers.bases.Get().(*[]float32); ok {
		g.b = *kept
	}
	g.b = grown(g.b, sum.d*sum.stride)
	s.team().Rows(sum.d, sum.stride, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			row, f := g.b[h*sum.stride:][:sum.stride], 1/s.scale(h)
			for a, v := range b.RawRowView(h) {
				row[a] = float32(f * v)
			}
			clear(row[sum.l:])
		}
	})
	return g
}

// close gives the memory back.
func (g *single) close() { g.buffers.bases.Put(&g.b) }

// pays reports whether a block is summed up in single precision: it depends on
// the block alone.
func (g *single) pays(rows sparse.Rows) bool {
	return g != nil && !rows.IsDense() && pays(rows.NNZ(), rows.Dim)
}

// pays is that of a block of so many entries.
func pays(entries, d int) bool { return entries >= max(leastEntries, perFeature*d) }

// add adds the shares of a block to a state, which it asks for when they are known. The block
// may lie in several stretches of the same rows. A panel of rows is read from memory once, and
// is in a cache for all that follows.
func (g *single) add(state func() []float64, block ...pass.Block) {
	buffer := g.buffers.take()
	hasSecond, hasMixed := g.s.tables()
	fused := g.fused(buffer, block[0].Rows, hasSecond, hasMixed, g.s.want&Core != 0)
	for _, b := range block {
		g.addPanels(fused, buffer, b, !hasSecond)
	}
	second, mixed, core, _, _ := g.s.parts(state())
	widen(second, buffer.second)
	widen(mixed, buffer.mixed)
	for i := range core {
		core[i] += buffer.core[i]
		buffer.core[i] = 0
	}
	g.buffers.workers.Put(buffer)
}

// widen adds x to dst, nil where it is not wanted, and sets x to zero.
func widen(dst []float64, x []float32) { kernel.Widen(dst, x[:len(dst)]) }

// addPanels adds to the tables of fused, and to the core of the buffer where it is wanted.
func (g *single) addPanels(fused *kernel.Fused, buffer *singleBuffer, b pass.Block, third bool) {
	kept := g.kept
	if b.Steps != nil {
		kept = nil
	}
	for lo := 0; lo < b.Rows.N(); lo += singleRows {
		panel := b.Rows.Slice(lo, min(lo+singleRows, b.Rows.N()))
		w := kept.of(b.First+lo, panel.N())
		if w == nil || third {
			w = g.weigh(buffer, panel, third)
		}
		fused.Ptr, fused.Weights = panel.Ptr, w.both
		fused.Run()
		if fused.Z != nil {
			kernel.Cube32(buffer.core, buffer.z, w.third, g.s.l, g.s.stride, buffer.cube)
		}
	}
}

// weigh returns the weights of the rows, those of third order alone where there
// is no table for others.
func (g *single) weigh(buffer *singleBuffer, rows sparse.Rows, third bool) *weights32 {
	n, out, w := rows.N(), &buffer.weights, g.s.f.weights(rows)
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

// fused prepares a pass over the rows, with buffers for what is wanted.
func (g *single) fused(buffer *singleBuffer, rows sparse.Rows, second, mixed, core bool) *kernel.Fused {
	fused := &kernel.Fused{Index: rows.Index, Value: rows.Value, B: g.b, L: g.s.stride, Proved: g.kept != nil}
	if second {
		buffer.second = grown(buffer.second, len(g.b))
		fused.Second = buffer.second
	}
	if mixed {
		buffer.mixed = grown(buffer.mixed, len(g.b))
		fused.Mixed = buffer.mixed
	}
	if !second {
		fused.Second, fused.Mixed = fused.Mixed, nil
	}
	if core {
		buffer.forCore(g.s.stride)
		if n := PackedLen(g.s.l); cap(buffer.core) < n {
			buffer.core = make([]float64, n)
		} else {
			buffer.core = buffer.core[:n]
		}
		fused.Z = buffer.z
	}
	return fused
}

// take returns what a worker needs.
func (r *singleBuffers) take() *singleBuffer {
	if buffer, ok := r.workers.Get().(*singleBuffer); ok {
		return buffer
	}
	return new(singleBuffer)
}

// forCore makes room for the rows and the work of a core.
func (r *singleBuffer) forCore(stride int) {
	r.z, r.cube = grown(r.z, singleRows*stride), grown(r.cube, kernel.Buffer32(stride))
}

// grown returns x with n numbers, zeros where it is new.
func grown(x []float32, n int) []float32 {
	if cap(x) < n {
		return pages.Make[float32](n)
	}
	return x[:n]
}
