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
}

// addFast reports in done whether it could add the rows at all.
func (s *Sums) addFast(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	m, n := s.m, len(ptr)-1
	if n > MixtureRows || !inside(ptr, index, value, m.d) {
		return 0, false, false
	}
	s.byLength(ptr)
	longest := 0
	for _, i := range s.order[min(int(s.start[lengths-2]), n):n] {
		longest = max(longest, ptr[i+1]-ptr[i])
	}
	if longest > roomMost {
		return 0, false, false
	}
	call := mixCall{
		ptr: &ptr[0], index: unsafe.SliceData(index), value: unsafe.SliceData(value),
		slope: unsafe.SliceData(m.slope), sum: unsafe.SliceData(s.sum), panel: &s.room[roomPanel],
	}
	lo := 0
	ok = true
	for _, most := range []int{64, lengths - 2, roomMost} { // entries of a row
		hi := n
		if most < lengths {
			hi = int(s.start[most])
		}
		call.step = max(1, min(m.panelRows(), roomMost/most))
		for lo < hi && ok {
			rows := min(hi-lo, max(call.step, budget/(most*(1+m.width/16))))
			var l float64
			l, ok = s.run(&call, lo, rows)
			log2 += l
			lo += rows
		}
	}
	return log2, ok, true
}

// run adds a run of the rows in order.
func (s *Sums) run(call *mixCall, lo, rows int) (log2 float64, ok bool) {
	lanes := 2 * active.lanes()
	panels := (rows + call.step - 1) / call.step
	if need := panels*(2*lanes+s.m.width) + lanes; len(s.log) < need {
		s.log = aligned(need)
	}
	call.order, call.rows, call.log = &s.order[lo], rows, &s.log[0]
	if active == avx512 {
		mix512(s.m.width, call)
	} else {
		mix256(s.m.width, call)
	}
	return s.panelSums(panels, lanes)
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
