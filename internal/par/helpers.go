package par

import "sync"

// Helpers are things of which no two calls use one at the same time, such as work spaces and
// counters. Unlike those of a sync.Pool they outlive collections, and all can be looked at.
type Helpers[H any] struct {
	Make func() *H

	kept helpers
}

// Take returns one that nobody uses.
func (s *Helpers[H]) Take() *H {
	if h := s.kept.unused(); h != nil {
		return h.(*H)
	}
	h := s.Make() // by who needs it: else all others wait for one after the other
	s.kept.add(&s.kept.all, h)
	return h
}

// Give takes back one that was taken.
func (s *Helpers[H]) Give(h *H) { s.kept.add(&s.kept.free, h) }

// All returns those that were made. It is for when the calls are done. (A method would be
// in the program for every type, whether anybody asks for it or not.)
func All[H any](s *Helpers[H]) []*H {
	all := make([]*H, len(s.kept.all))
	for i, h := range s.kept.all {
		all[i] = h.(*H)
	}
	return all
}

// helpers are those of any type: one for all, since a program has many.
type helpers struct {
	mu        sync.Mutex
	free, all []any
}

func (s *helpers) unused() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return nil
	}
	h := s.free[n-1]
	s.free = s.free[:n-1]
	return h
}

func (s *helpers) add(to *[]any, h any) {
	s.mu.Lock()
	*to = append(*to, h)
	s.mu.Unlock()
}
