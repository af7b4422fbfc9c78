package loglinear

import (
	"math"
	"sync"

	"github.com/moiety-go/moiety/sparse"
)

// Places is a table made ready to place many blocks of rows. It may be used by
// several goroutines at once.
type Places struct {
	t     *Table
	rooms sync.Pool // of *[]float64: panelRows×k
}

// Places returns the table made ready.
func (t *Table) Places() *Places { return &Places{t: t} }

// Of sets group to the best component of each row, the first of equals, and
// probability to its posterior probability.
func (p *Places) Of(rows sparse.Rows, group []int32, probability []float32) {
	k := p.t.K
	room, _ := p.rooms.Get().(*[]float64)
	if room == nil {
		post := make([]float64, panelRows*k)
		room = &post
	}
	defer p.rooms.Put(room)
	for lo := 0; lo < rows.N(); lo += panelRows {
		hi := min(lo+panelRows, rows.N())
		post := (*room)[:(hi-lo)*k]
		p.t.Posterior(rows.Slice(lo, hi), post, nil)
		for i := lo; i < hi; i++ {
			group[i], probability[i] = best(post[(i-lo)*k:][:k])
		}
	}
}

// sure is a probability that only one of several can have, whatever rounding
// does to them.
const sure = 0.5 + 1e-6

// best returns the place and the size of the largest of some numbers that are
// not negative, the first of equals. Their bits are in the order of their size,
// and comparing these needs no guesses of the processor: mostly one of them is
// sure, and is found by what its difference borrows.
func best(row []float64) (int32, float32) {
	at, limit := 0, int64(math.Float64bits(sure))
	for j, v := range row {
		at |= j & int((limit-int64(math.Float64bits(v)))>>63)
	}
	if at < len(row) && row[at] > sure { // several that are no numbers may lead beyond
		return int32(at), float32(row[at])
	}
	return bestOfMany(row)
}

// bestOfMany is best where none is sure.
func bestOfMany(row []float64) (int32, float32) {
	top := uint64(0)
	for _, v := range row {
		top = max(top, math.Float64bits(v))
	}
	for j, v := range row {
		if math.Float64bits(v) == top {
			return int32(j), float32(v)
		}
	}
	return 0, float32(row[0])
}
