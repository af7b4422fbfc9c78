//go:build !purego

package kernel

import (
	"math"
	"sync"
	"unsafe"
)

// mixRoom holds the scores of a panel of rows.
type mixRoom struct {
	panel, count []float32
}

var mixRooms sync.Pool // of *mixRoom: memory only, never content

// panelRows is the number of rows of a panel.
func (m *Mixture) panelRows() int { return 1024 / max(16, m.width) }

// addFast reports in done whether it could add the rows at all.
func (s *Sums) addFast(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	if !inside(ptr, index, value, s.m.d) {
		return 0, false, false
	}
	room, _ := mixRooms.Get().(*mixRoom)
	if room == nil {
		room = &mixRoom{panel: aligned(1024), count: aligned(mixtureMost)}
	}
	defer mixRooms.Put(room)
	ind, val, count := unsafe.SliceData(index), unsafe.SliceData(value), room.count
	log2, ok = s.panels(room, ptr, ind, val, func(lo, hi int, panel []float32) {
		backwards128(hi-lo, &ptr[lo], ind, val, &s.sum[0], &panel[0], s.m.width/4)
		for j := range s.count {
			s.count[j] += float64(count[j])
		}
	})
	return log2, ok, true
}

// panels hands the shares of rows lo to hi to use, panel by panel; their sums
// are then in the room of counts.
func (s *Sums) panels(room *mixRoom, ptr []int, ind *uint32, val *float32, use func(lo, hi int, panel []float32)) (log2 float64, ok bool) {
	m, n, nv := s.m, len(ptr)-1, s.m.width/4
	panel, count := room.panel, room.count
	var wholes, sums [64]float32
	product, reach := 1.0, float32(0)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = min(lo+m.panelRows(), cut(ptr, lo, m.width))
		scores128(hi-lo, &ptr[lo], ind, val, &m.slope[0], &panel[0], nv, &m.bias[0])
		shares128(&panel[0], hi-lo, nv, &wholes[0], &sums[0], &count[0])
		for i, whole := range wholes[:hi-lo] {
			reach = max(reach, whole, -whole)
			log2 += float64(whole)
			if product *= float64(sums[i]); !(product < 1e200) {
				log2 += math.Log2(product)
				product = 1
			}
		}
		use(lo, hi, panel)
	}
	return log2 + math.Log2(product), !(reach > mixtureReach)
}

// settleFast is for tables without room between rows.
func settleFast(dst []float64, src []float32, k, width int) bool {
	if k != width || len(dst) < len(src) {
		return false
	}
	Widen(dst[:len(src)], src)
	return true
}
