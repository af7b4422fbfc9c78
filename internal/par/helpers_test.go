package par_test

import (
	"runtime"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
)

// What is taken is nobody else's, and what is given back is there after collections.
func TestHelpers(t *testing.T) {
	s := &par.Helpers[[1]int]{Make: func() *[1]int { return new([1]int) }}
	a, b := s.Take(), s.Take()
	if a == b {
		t.Fatal("one was handed out twice")
	}
	s.Give(a)
	runtime.GC()
	runtime.GC()
	if s.Take() != a {
		t.Error("one that was given back is not there")
	}
	if n := len(par.All(s)); n != 2 {
		t.Errorf("%d were made, want 2", n)
	}
}

// Of many calls at a time each has its own.
func TestHelpersAtATime(t *testing.T) {
	s := &par.Helpers[int]{Make: func() *int { return new(int) }}
	const n = 1000
	if err := par.Do(t.Context(), 8, n, func(int) error {
		h := s.Take()
		*h++ // the race detector sees two that have it
		s.Give(h)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, h := range par.All(s) {
		sum += *h
	}
	if sum != n {
		t.Errorf("%d calls were counted, want %d", sum, n)
	}
}
