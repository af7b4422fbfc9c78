package choose

import (
	"math"
	"slices"
)

const (
	// smallWork is the number of stored entries up to which every number of
	// groups is tried: a fit then takes seconds at the most.
	smallWork = 2_000_000
	// denseUpTo is the number of groups up to which even the coarse grid is
	// without gaps: there one group more or less matters most.
	denseUpTo = 4
	// step is the ratio of neighbours on the coarse grid.
	step = 1.25
)

// grid returns the numbers to try first.
func (s *search) grid() []int {
	var out []int
	coarse := !s.o.Every && s.entries() > smallWork
	for k := s.o.Min; k <= s.o.Max; {
		out = append(out, k)
		next := k + 1
		if coarse && k >= denseUpTo {
			next = max(next, int(math.Round(float64(k)*step)))
		}
		if k < s.o.Max {
			next = min(next, s.o.Max)
		}
		k = next
	}
	return out
}

// entries estimates the work of one pass; records that are read anew each time
// always count as much.
func (s *search) entries() int {
	if rows := s.data.Run.Can().Rows; rows != nil {
		return rows.NNZ()
	}
	return math.MaxInt
}

// between returns the numbers not tried yet that lie next to the best ones of
// each rule; the coarse grid is refined there.
func (s *search) between() []int {
	ks := s.sizes()
	if len(ks) == 0 {
		return nil
	}
	var out []int
	picks := s.picks()
	for _, best := range []int{picks.BIC, picks.HeldOut} {
		at, ok := slices.BinarySearch(ks, best)
		if !ok {
			continue
		}
		lo, hi := ks[max(at-1, 0)], ks[min(at+1, len(ks)-1)]
		for k := lo + 1; k < hi; k++ {
			if s.tried[k] == nil && (s.last == 0 || k <= s.last) {
				out = append(out, k)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sizes returns the numbers tried, rising.
func (s *search) sizes() []int {
	out := make([]int, 0, len(s.tried))
	for k := range s.tried {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
