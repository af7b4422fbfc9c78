//go:build !purego

package kernel

import "unsafe"

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
	group *int32
	share *float32
}

// addFast reports in done whether it could add the rows at all.
func (s *Sums) addFast(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	call := mixCall{sum: unsafe.SliceData(s.sum)}
	if active == avx512 {
		return s.each(&call, mix512, ptr, index, value)
	}
	return s.each(&call, mix256, ptr, index, value)
}

// placeFast reports in done whether it could place the rows at all.
func (s *Sums) placeFast(ptr []int, index []uint32, value []float32, group []int32, share []float32) (log2 float64, ok, done bool) {
	if len(group) < len(ptr)-1 || len(share) < len(ptr)-1 {
		return 0, false, false
	}
	call := mixCall{group: &group[0], share: &share[0]}
	if active == avx512 {
		return s.each(&call, place512, ptr, index, value)
	}
	return s.each(&call, place256, ptr, index, value)
}

// each runs a kernel over the rows, by their lengths.
func (s *Sums) each(call *mixCall, kernel func(int, *mixCall), ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	m, n := s.m, len(ptr)-1
	if n > MixtureRows || !inside(ptr, index, value, m.d) {
		return 0, false, false
	}
	s.byLength(ptr)
	for _, i := range s.order[s.start[lengths-2]:n] {
		if ptr[i+1]-ptr[i] > roomMost {
			return 0, false, false
		}
	}
	call.ptr, call.index, call.value = &ptr[0], unsafe.SliceData(index), unsafe.SliceData(value)
	call.slope, call.panel = unsafe.SliceData(m.slope), &s.room[roomPanel]
	lo := 0
	for _, most := range []int{64, lengths - 2, roomMost} { // entries of a row
		hi := n
		if most < lengths {
			hi = int(s.start[most])
		}
		call.step = max(1, min(m.panelRows(), roomMost/most))
		for lo < hi {
			rows := min(hi-lo, max(call.step, budget/(most*(1+m.width/16))))
			part, ok := s.run(call, kernel, lo, rows)
			if !ok {
				return 0, false, true
			}
			log2 += part
			lo += rows
		}
	}
	return log2, true, true
}

// run runs a kernel over rows of the order from lo on.
func (s *Sums) run(call *mixCall, kernel func(int, *mixCall), lo, rows int) (log2 float64, ok bool) {
	lanes := 2 * active.lanes()
	panels := (rows + call.step - 1) / call.step
	if need := panels*(2*lanes+s.m.width) + lanes; len(s.log) < need {
		s.log = aligned(need)
	}
	call.order, call.rows, call.log = &s.order[lo], rows, &s.log[0]
	kernel(s.m.width, call)
	return s.panelSums(panels, lanes, call.sum != nil)
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

func place512(width int, c *mixCall) {
	switch width {
	case 4:
		place4in512(c)
	case 8:
		place8in512(c)
	case 16:
		place16in512(c)
	case 32:
		place32in512(c)
	case 48:
		place48in512(c)
	default:
		place64in512(c)
	}
}

func place256(width int, c *mixCall) {
	switch width {
	case 4:
		place4in256(c)
	case 8:
		place8in256(c)
	case 16:
		place16in256(c)
	case 32:
		place32in256(c)
	case 48:
		place48in256(c)
	default:
		place64in256(c)
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
