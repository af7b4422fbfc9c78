package verdict

import (
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
)

// Groups alone, and one population over a continuum, take most of the steps of a verdict.
// Their E-steps are made in single precision where the processor is quick at it: a record's
// log density is then off by some 1e-6 nats, and that of all records by less than a
// hundredth of what tells EM that it has settled. What is judged, the log density of
// records that were kept aside, is in double precision.

// single are the sums of such a step, and the room for them.
type single struct {
	table *kernel.Mixture
	sums  *kernel.Sums
}

// mostSpread is how many records there may be to a row: beyond it, a row that stands for
// several is quicker than each of them by itself.
const mostSpread = 1.5

// oneByOne are the records of a sample one by one, equal ones as often as they are there.
type oneByOne struct {
	once      sync.Once
	eachPtr   []int // nil where equal records are too many
	eachIndex []uint32
}

// eachOnce returns the records one by one.
func (s *sample) eachOnce() (ptr []int, index []uint32) {
	if !s.equal {
		return s.ptr, s.index
	}
	s.once.Do(func() {
		n := 0.0
		for _, c := range s.count {
			n += c
		}
		if n > mostSpread*float64(s.rows()) {
			return
		}
		s.eachPtr = append(make([]int, 0, int(n)+1), 0)
		for i, c := range s.count {
			for range int(c) {
				s.eachIndex = append(s.eachIndex, s.row(i)...)
				s.eachPtr = append(s.eachPtr, len(s.eachIndex))
			}
		}
	})
	return s.eachPtr, s.eachIndex
}

// addSingle is estep of a model that is ready, in single precision; it reports whether
// that was done.
func (m *model) addSingle(s *sample, st *stats) bool {
	c := m.components()
	if !st.alone || st.few || c < 2 || !kernel.QuickMixture() {
		return false
	}
	ptr, index := s.eachOnce()
	if ptr == nil {
		return false
	}
	x := &st.single
	if x.table = kernel.RenewMixture(x.table, s.cols, c, m.bias, m.table); x.table == nil {
		return false
	}
	x.sums = x.table.RenewSums(x.sums)
	st.loglik, st.n, st.s = 0, sized(st.n, c), sized(st.s, s.cols*c)
	for lo := 0; lo+1 < len(ptr); {
		hi := min(lo+kernel.MixtureRows, len(ptr)-1)
		log, ok := x.sums.Add(ptr[lo:hi+1], index, nil)
		if !ok {
			return false
		}
		x.sums.Flush(hi-lo, st.n, st.s)
		st.loglik += log
		lo = hi
	}
	return true
}
