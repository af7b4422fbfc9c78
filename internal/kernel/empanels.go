package kernel

import (
	"math"
	"sync"
	"unsafe"
)

// panelBuffer holds the scores of a panel of rows.
type panelBuffer struct {
	panel, count []float32
}

var panelBuffers sync.Pool // of *panelBuffer: memory only, never content

// panelColumns is the number of columns of a panel that go through together.
const panelColumns = 16

// panelRows is the number of rows of a panel.
func (m *Mixture) panelRows() int { return 1024 / max(16, m.width) }

// addPanels adds rows panel by panel.
func (s *Sums) addPanels(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	if !inside(ptr, index, value, s.m.d) {
		return 0, false, false
	}
	buffer, _ := panelBuffers.Get().(*panelBuffer)
	if buffer == nil {
		buffer = &panelBuffer{panel: aligned(1024), count: aligned(mixtureMost)}
	}
	defer panelBuffers.Put(buffer)
	ind, val, count := unsafe.SliceData(index), unsafe.SliceData(value), buffer.count
	log2, ok = s.panels(buffer, ptr, ind, val, func(lo, hi int, panel []float32) {
		for at := 0; at < s.m.width; at += panelColumns {
			callBackwards(hi-lo, &ptr[lo], ind, val, &s.sum[at], &panel[at], min(4, s.m.width/4), 4*s.m.width)
		}
		for j := range s.count {
			s.count[j] += float64(count[j])
		}
	})
	return log2, ok, true
}

// panels hands the shares of rows lo to hi to use, panel by panel; their sums
// are then in the room of counts.
func (s *Sums) panels(buffer *panelBuffer, ptr []int, ind *uint32, val *float32, use func(lo, hi int, panel []float32)) (log2 float64, ok bool) {
	m, n, nv := s.m, len(ptr)-1, s.m.width/4
	panel, count := buffer.panel, buffer.count
	var wholes, sums [64]float32
	product, reach := 1.0, float32(0)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = min(lo+m.panelRows(), cut(ptr, lo, m.width))
		for at := 0; at < m.width; at += panelColumns {
			callScores(hi-lo, &ptr[lo], ind, val, &m.slope[at], &panel[at], min(4, nv), 4*m.width, &m.bias[at])
		}
		callShares(&panel[0], hi-lo, nv, &wholes[0], &sums[0], &count[0])
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

// flushWhole is for tables without room between rows.
func flushWhole(dst []float64, src []float32, k, width int) bool {
	if k != width || len(dst) < len(src) {
		return false
	}
	Widen(dst[:len(src)], src)
	return true
}
