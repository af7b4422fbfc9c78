package par

import "sync"

// Room keeps the states of reductions for those that follow: passes over the
// same records, one after another, then need little new memory. The garbage
// collector empties it. The zero value is an empty room; a nil one keeps nothing.
type Room struct {
	// Make makes n zeros where the room has none; nil is make.
	Make func(n int) []float64
	pool sync.Pool
}

// Take returns a state of the given size, all zeros.
func (r *Room) Take(size int) []float64 {
	if r == nil {
		return make([]float64, size)
	}
	if kept, ok := r.pool.Get().(*[]float64); ok && cap(*kept) >= size {
		s := (*kept)[:size]
		clear(s)
		return s
	}
	if r.Make == nil {
		return make([]float64, size)
	}
	return r.Make(size)
}

// Keep takes memory that nobody needs any more for states to come.
func (r *Room) Keep(s []float64) {
	if r != nil && s != nil {
		r.pool.Put(&s)
	}
}
