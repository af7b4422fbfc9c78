package tree

import (
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// memory is what is used again from node to node, on all cores.
type memory struct {
	tables  tablePool
	copies  copyPool
	scratch scratch[float64]
	places  scratch[int32]
	lists   pool[int32]
	labels  pool[uint8]
	vectors pool[float64]
	drawn   []float64 // see draw
	once    sync.Once
}

// draw returns n normal numbers, which are the same for all nodes, as n is. They are read only.
func (m *memory) draw(n int) []float64 {
	m.once.Do(func() {
		m.drawn = make([]float64, n)
		stream.Normals(stream.New(0, "tree/plane"), m.drawn)
	})
	return m.drawn
}

// copyPool keeps the memory of copied rows that are no longer needed.
type copyPool struct {
	mu   sync.Mutex
	free []*sparse.Rows
}

// take returns the largest memory there is.
func (r *copyPool) take() *sparse.Rows {
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

func (r *copyPool) give(rows *sparse.Rows) {
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
// holds it; what that has more is kept.
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
	list := s.free[best][:cap(s.free[best])]
	if len(list)-n < leastKept {
		s.free = slices.Delete(s.free, best, best+1)
		return list[:n]
	}
	s.free[best] = list[n:]
	return list[:n:n]
}

// leastKept is the length from which the rest of a list is worth keeping.
const leastKept = 1 << 14

func (s *pool[T]) give(list []T) {
	if cap(list) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, list)
}

// scratch keeps the memory of numbers that are needed for a moment.
type scratch[T any] struct{ free sync.Pool }

// take returns n numbers with anything in them.
func (s *scratch[T]) take(n int) []T {
	if x, ok := s.free.Get().(*[]T); ok && cap(*x) >= n {
		return (*x)[:n]
	}
	return pages.Make[T](n)
}

func (s *scratch[T]) give(x []T) { s.free.Put(&x) }

// tablePool keeps tables of pairs that nobody needs any more.
type tablePool struct {
	mu   sync.Mutex
	free []*pairCounts
}

// take returns a table with anything in it.
func (s *tablePool) take(d int) *pairCounts {
	if p := s.takeAny(); p != nil {
		return p
	}
	return newPairCounts(d)
}

// takeAny returns one of those there are, nil where there is none.
func (s *tablePool) takeAny() *pairCounts {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		return nil
	}
	p := s.free[last]
	s.free = s.free[:last]
	return p
}

func (s *tablePool) give(p *pairCounts) {
	if p == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, p)
}
