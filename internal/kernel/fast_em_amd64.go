//go:build !purego

package kernel

import (
	"math"
	"unsafe"
)

// mixCall holds what a kernel of the group em reads; it moves log on and counts rows down.
type mixCall struct {
	order *uint16
	rows  int
	ptr   *int
	index *uint32
	value *float32
	slope *float32
	sum   *float32
	panel *float32
	log   *float32
	step  int
	last  int // largest index allowed: kernels for avx512 hold indices to it
}

// addFast reports in done whether it could add the rows at all.
func (s *Sums) addFast(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	m, n := s.m, len(ptr)-1
	if n > MixtureRows {
		return 0, false, false
	}
	if s.rows == nil {
		s.rows = new(byLength)
	}
	s.rows.sort(ptr)
	if !s.rows.inside(ptr, index, value, roomMost, m.d) {
		return 0, false, false
	}
	call := mixCall{
		ptr: &ptr[0], index: unsafe.SliceData(index), value: unsafe.SliceData(value),
		slope: unsafe.SliceData(m.slope), sum: unsafe.SliceData(s.sum), panel: &s.room[roomPanel],
		last: m.d - 1,
	}
	lo := 0
	ok = true
	for _, most := range []int{64, lengths - 2, roomMost} { // entries of a row
		hi := n
		if most < lengths {
			hi = int(s.rows.ends[most])
		}
		call.step = max(1, min(m.panelRows(), roomMost/most))
		for lo < hi && ok {
			rows := min(hi-lo, max(call.step, budget/(most*(1+m.width/16))))
			var l float64
			if l, ok, done = s.run(&call, lo, rows); !done {
				return 0, false, false
			}
			log2 += l
			lo += rows
		}
	}
	return log2, ok, true
}

// inside proves that the offsets of sorted rows rise inside the entries, that
// no row has more than most, and that all indices are below rows unless the
// kernels see to it.
func (b *byLength) inside(ptr []int, index []uint32, value []float32, most, rows int) bool {
	n := len(ptr) - 1
	lo, hi := ptr[0], ptr[n]
	if lo < 0 || hi < lo || hi > len(index) || value != nil && hi > len(value) {
		return false
	}
	for _, i := range b.order[b.ends[lengths-2]:n] { // others rise by less
		if l := ptr[int(i)+1] - ptr[i]; l < 0 || l > most {
			return false
		}
	}
	return lo == hi || active == avx512 || int64(largest(index[lo:hi])) < int64(rows)
}

// run adds a run of the rows in order. It reports in done whether all indices
// are those of features; otherwise what it added is of no use.
func (s *Sums) run(call *mixCall, lo, rows int) (log2 float64, ok, done bool) {
	lanes := 2 * active.lanes()
	panels := (rows + call.step - 1) / call.step
	if need := panels*(2*lanes+s.m.width) + 2*lanes; len(s.log) < need {
		s.log = aligned(need)
	}
	call.order, call.rows, call.log = &s.rows.order[lo], rows, &s.log[0]
	if active == avx512 {
		mix512(s.m.width, call)
		if seen := s.log[panels*(2*lanes+s.m.width)+lanes:][:lanes]; !below(seen, s.m.d) {
			return 0, false, false
		}
	} else {
		mix256(s.m.width, call)
	}
	log2, ok = s.panelSums(panels, lanes)
	return log2, ok, true
}

// below reports whether all numbers, written as whole ones of 32 bits, are below
// n.
func below(x []float32, n int) bool {
	for _, v := range x {
		if int64(math.Float32bits(v)) >= int64(n) {
			return false
		}
	}
	return true
}

func mix512(width int, c *mixCall) {
	switch width {
	case 4:
		mix4in512(c)
	case 8:
		mix8in512(c)
	case 16:
		mix16in512(c)
	case 32:
		mix32in512(c)
	case 48:
		mix48in512(c)
	default:
		mix64in512(c)
	}
}

func mix256(width int, c *mixCall) {
	switch width {
	case 4:
		mix4in256(c)
	case 8:
		mix8in256(c)
	case 16:
		mix16in256(c)
	case 32:
		mix32in256(c)
	case 48:
		mix48in256(c)
	default:
		mix64in256(c)
	}
}

func settleFast(dst []float64, src []float32) bool {
	if len(dst) < len(src) || len(src) == 0 || len(src)%4 != 0 {
		return false
	}
	for lo := 0; lo < len(src); lo += 4 * budget {
		n := min(4*budget, len(src)-lo)
		if active == avx512 {
			settle512(&dst[lo], &src[lo], n)
		} else {
			settle256(&dst[lo], &src[lo], n)
		}
	}
	return true
}
