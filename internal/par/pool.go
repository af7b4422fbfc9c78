package par

import "sync"

// Pool keeps the states of reductions for those that follow: passes over the
// same records, one after another, then need little new memory. The garbage
// collector empties it. The zero value is an empty pool; a nil one keeps nothing.
type Pool struct {
	// Make makes n zeros where the pool has none; nil is make.
	Make func(n int) []float64
	pool sync.Pool
}

// Take returns a state of the given size, all zeros.
func (p *Pool) Take(size int) []float64 {
	if p == nil {
		return make([]float64, size)
	}
	if kept, ok := p.pool.Get().(*[]float64); ok && cap(*kept) >= size {
		s := (*kept)[:size]
		clear(s)
		return s
	}
	if p.Make == nil {
		return make([]float64, size)
	}
	return p.Make(size)
}

// Keep takes memory that nobody needs any more for states to come.
func (p *Pool) Keep(s []float64) {
	if p != nil && s != nil {
		p.pool.Put(&s)
	}
}
