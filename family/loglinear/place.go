package loglinear

import (
	"math"
	"sync"

	"github.com/moiety-go/moiety/sparse"
)

// Places is a table made ready to place many blocks of rows. It may be used by
// several goroutines at once.
type Places struct {
	t       *Table
	buffers sync.Pool // of *[]float64: panelRows×k
}

// Places returns the table made ready.
func (t *Table) Places() *Places { return &Places{t: t} }

// Of sets group to the best component of each row, the first of equals, and
// probability to its posterior probability.
func (p *Places) Of(rows sparse.Rows, group []int32, probability []float32) {
	k := p.t.K
	buffer, _ := p.buffers.Get().(*[]float64)
	if buffer == nil {
		post := make([]float64, panelRows*k)
		buffer = &post
	}
	defer p.buffers.Put(buffer)
	for lo := 0; lo < rows.N(); lo += panelRows {
		hi := min(lo+panelRows, rows.N())
		post := (*buffer)[:(hi-lo)*k]
		p.t.Posterior(rows.Slice(lo, hi), post, nil)
		for i := lo; i < hi; i++ {
			group[i], probability[i] = best(post[(i-lo)*k:][:k])
		}
	}
}

// sure is a probability that only one of several can have, whatever rounding
// does to them.
const sure = 0.5 + 1e-6

// best returns the index and the value of the largest probability of a row, the
// first one of equals. Mostly one of them exceeds sure, and no other can: it is found
// without a branch, which the processor would often mispredict. For numbers that are
// not negative, bits compare as the numbers do: limit − bits(v) is negative, and its
// sign fills a mask, exactly where v > sure.
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
