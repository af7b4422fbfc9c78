package verdict

import (
	"context"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
)

// team is the number of cores that work on one step of EM; 0 and 1 are one. What they
// do has the same bits for every number of them.
type team int

// leastPart is the work of one core, in nanoseconds, that is worth to start it for.
var leastPart = 50_000

// parts calls do for consecutive parts of n things that have nothing to do with each other.
// They take about so many nanoseconds in all on one core.
func (w team) parts(n, cost int, do func(lo, hi int)) {
	w = team(max(1, min(int(w), cost/leastPart)))
	size := (n + int(w) - 1) / int(w)
	if size >= n {
		do(0, n)
		return
	}
	// Nothing fails, and a pulse that stops ends the steps, not one of them.
	_ = par.Do(context.Background(), int(w), (n+size-1)/size, func(i int) error {
		do(i*size, min((i+1)*size, n))
		return nil
	})
}

// The sums of an E-step are those of a few lanes, one after another: how many depends on
// the records alone. Adding them up costs about a lane's columns times components, its
// records the same for every entry.
const (
	mostLanes   = 8
	laneEntries = 8 // entries of a lane for every column, at least
)

func (s *sample) lanes() int {
	return max(1, min(mostLanes, s.rows()/chunk, len(s.index)/(laneEntries*max(s.cols, 1))))
}

// estep adds up the expected statistics of the records.
func (m *model) estep(s *sample, st *stats) {
	m.readyOn(st.team)
	st.few = m.byFactors(s) && (m.lay.presence || st.alone)
	if m.addSingle(s, st) {
		return
	}
	lanes := s.lanes()
	if lanes == 1 {
		m.addTo(st, s, 0, s.rows())
		return
	}
	for len(st.lanes) < lanes {
		st.lanes = append(st.lanes, &stats{})
	}
	part := st.lanes[:lanes]
	for _, p := range part {
		p.few = st.few
	}
	st.team.parts(lanes, s.rows()*m.components(), func(from, to int) {
		for i := from; i < to; i++ {
			m.addTo(part[i], s, laneStart(s, i, lanes), laneStart(s, i+1, lanes))
		}
	})
	st.loglik = 0
	for _, p := range part {
		st.loglik += p.loglik
	}
	st.n, st.s = buffer(st.n, len(part[0].n)), buffer(st.s, len(part[0].s))
	addLanes(st.n, part, func(p *stats) []float64 { return p.n }, 0)
	st.team.parts(len(st.s), len(st.s)*lanes/3, func(lo, hi int) {
		addLanes(st.s[lo:hi], part, func(p *stats) []float64 { return p.s }, lo)
	})
}

// laneStart is the first record of a lane, a multiple of chunk.
func laneStart(s *sample, lane, lanes int) int {
	chunks := (s.rows() + chunk - 1) / chunk
	return min(lane*chunks/lanes*chunk, s.rows())
}

// addLanes sets dst to the sum of what the lanes have from a place on.
func addLanes(dst []float64, part []*stats, of func(*stats) []float64, from int) {
	copy(dst, of(part[0])[from:])
	for _, p := range part[1:] {
		for i, v := range of(p)[from:][:len(dst)] {
			dst[i] += v
		}
	}
}

// addTo sets the sums to those of the records from to to−1.
func (m *model) addTo(st *stats, s *sample, from, to int) {
	c := m.components()
	if st.few {
		m.addFactored(st, s, from, to)
		return
	}
	st.loglik = 0
	st.n = sized(st.n, c)
	st.s = sized(st.s, s.cols*c)
	st.log = buffer(st.log, chunk)
	for lo := from; lo < to; lo += chunk {
		hi := min(lo+chunk, to)
		total := st.n
		if s.equal { // several records each
			total = nil
		}
		r := m.shares(s, lo, hi, st, total)
		count := s.count[lo:hi]
		for i, w := range count {
			st.loglik += w * st.log[i]
		}
		if s.equal {
			for i, w := range count {
				row := r[i*c:][:c]
				for j := range row {
					row[j] *= w
					st.n[j] += row[j]
				}
			}
		}
		kernel.Scatter(st.s, s.ptr[lo:hi+1], s.index, nil, r, c)
	}
}

// buffer returns n numbers, whatever they are, in the memory of v where it is large enough.
func buffer(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}
