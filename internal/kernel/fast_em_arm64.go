//go:build !purego

package kernel

import (
	"math"
	"unsafe"
)

// addFast adds panels of rows, in their order; it reports in done whether it
// could.
func (s *Sums) addFast(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	m, n := s.m, len(ptr)-1
	if !inside(ptr, index, value, m.d) {
		return 0, false, false
	}
	nv := m.width / 4
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	panel, count := s.room[roomPanel:], s.room[roomCount:]
	var wholes, sums [64]float32
	product, reach := 1.0, float32(0)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = min(lo+m.panelRows(), cut(ptr, lo, m.width))
		scores128(hi-lo, &ptr[lo], ind, val, &m.slope[0], &panel[0], nv, &m.bias[0])
		shares128(&panel[0], hi-lo, nv, &wholes[0], &sums[0], &count[0])
		backwards128(hi-lo, &ptr[lo], ind, val, &s.sum[0], &panel[0], nv)
		for i, whole := range wholes[:hi-lo] {
			reach = max(reach, whole, -whole)
			log2 += float64(whole)
			if product *= float64(sums[i]); !(product < 1e200) {
				log2 += math.Log2(product)
				product = 1
			}
		}
		for j := range s.count {
			s.count[j] += float64(count[j])
		}
	}
	return log2 + math.Log2(product), !(reach > mixtureReach), true
}

// settleFast is for tables without room between rows.
func settleFast(dst []float64, src []float32) bool {
	if len(dst) < len(src) {
		return false
	}
	Widen(dst[:len(src)], src)
	return true
}
