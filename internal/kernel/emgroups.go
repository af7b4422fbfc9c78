package kernel

import (
	"math"
	"sync"
	"unsafe"
)

// mixCall holds what a kernel of the group em reads; it moves runs on and counts
// them down.
type mixCall struct {
	runs    *mixRun
	count   int
	entries *uint32
	values  *float32 // nil where all are one
	slope   *float32
	sum     *float32
	tally   *tally
	_       [4]uintptr // where entries and values go on
}

// tally is what the kernels add up beside the sums, in lanes: of rows wider than
// a vector one counts, of others the first four of each row.
type tally struct {
	exponents, mantissas [16]float32 // of the rows' sums of powers
	largest              [16]float32 // score, where it was looked for
	bias                 [mixtureMost]float32
	count                [mixtureMost]float32
	_                    [4 * 16]float32 // scores of a group
}

// mixBuffer is the room of a call.
type mixBuffer struct {
	byLength byLength
	tally    *tally
}

var mixBuffers sync.Pool // of *mixBuffer: memory only, never content

func newMixBuffer() *mixBuffer {
	buffer, _ := mixBuffers.Get().(*mixBuffer)
	if buffer == nil {
		lines := aligned(int(unsafe.Sizeof(tally{}) / 4))
		buffer = &mixBuffer{tally: (*tally)(unsafe.Pointer(&lines[0]))}
	}
	return buffer
}

// addFast reports in done whether it could add the rows at all. If not, what it
// added is of no use.
func (s *Sums) addFast(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	switch {
	case hasDistribute():
		return s.addGroups(ptr, index, value)
	case hasScores():
		return s.addPanels(ptr, index, value)
	}
	return 0, false, false
}

// addGroups adds rows in groups of the same length.
func (s *Sums) addGroups(ptr []int, index []uint32, value []float32) (log2 float64, ok, done bool) {
	buffer := newMixBuffer()
	defer mixBuffers.Put(buffer)
	buffer.tally.begin(s.m)
	for lo := 0; lo < len(ptr)-1; {
		rows, ok := buffer.byLength.rows(s.m, ptr[lo:], index, value)
		if !ok {
			return 0, false, false
		}
		s.run(&buffer.byLength, buffer.tally)
		lo += rows
	}
	log2, ok = buffer.tally.log2(s.m.width)
	return log2, ok, true
}

// run adds the rows that have been grouped.
func (s *Sums) run(q *byLength, t *tally) {
	call := mixCall{
		runs: unsafe.SliceData(q.runs), count: len(q.runs), entries: unsafe.SliceData(q.entries),
		slope: &s.m.slope[0], sum: &s.sum[0], tally: t,
	}
	if q.valued {
		call.values = unsafe.SliceData(q.values)
	}
	mix(s.m.width, &call)
	for lane, c := range t.count[:max(s.m.width, 2*active.lanes())] {
		if j := lane % s.m.width; j < s.m.k {
			s.count[j] += float64(c)
		}
	}
	clear(t.count[:])
	s.count[s.m.best] -= float64(q.nobodies)
}

func (t *tally) begin(m *Mixture) {
	*t = tally{}
	for l := range t.mantissas {
		t.mantissas[l] = 1
	}
	copy(t.bias[:], m.bias)
}

// log2 returns the sum of the logarithms of the rows' sums of powers, and
// whether all scores were in reach.
func (t *tally) log2(width int) (sum float64, ok bool) {
	lanes, few, product, largest := 2*active.lanes(), 1, 1.0, float32(0)
	if width <= lanes {
		few = 4
	}
	for lo := 0; lo < lanes; lo += width {
		for l := lo; l < lo+few; l++ {
			sum += float64(t.exponents[l])
			product *= float64(t.mantissas[l])
		}
	}
	for _, v := range t.largest[:lanes] {
		largest = max(largest, v)
	}
	return sum + math.Log2(product), !(largest > mixtureReach)
}

func mix(width int, c *mixCall) {
	switch width {
	case 4:
		callMix4in(c)
	case 8:
		callMix8in(c)
	case 16:
		callMix16in(c)
	case 32:
		callMix32in(c)
	default:
		callMix64in(c)
	}
}

func flushFast(dst []float64, src []float32, k, width int) bool {
	if !hasFlush() {
		return flushWhole(dst, src, k, width)
	}
	rows := len(src) / width
	if rows == 0 || len(dst) < rows*k {
		return false
	}
	step := max(1, 4*budget/width)
	for lo := 0; lo < rows; lo += step {
		callFlush(&dst[lo*k], &src[lo*width], min(step, rows-lo), k, width)
	}
	return true
}
