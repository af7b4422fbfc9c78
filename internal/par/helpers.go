package par

import "sync"

// Helpers are things of which no two calls use one at the same time, such as work spaces and
// counters. Unlike those of a sync.Pool they outlive collections, and all can be looked at.
type Helpers[H any] struct {
	Make func() *H

	mu        sync.Mutex
	free, all []*H
}

// Take returns one that nobody uses.
func (s *Helpers[H]) Take() *H {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		h := s.free[n-1]
		s.free = s.free[:n-1]
		return h
	}
	h := s.Make()
	s.all = append(s.all, h)
	return h
}

// Give takes back one that was taken.
func (s *Helpers[H]) Give(h *H) {
	s.mu.Lock()
	s.free = append(s.free, h)
	s.mu.Unlock()
}

// All returns those that were made. It is for when the calls are done.
func (s *Helpers[H]) All() []*H { return s.all }
