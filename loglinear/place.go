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

// best returns the place and the size of the largest of some numbers that are
// not negative, the first of equals. Their bits are in the order of their size,
// and comparing these needs no guesses of the processor.
func best(row []float64) (int32, float32) {
	var a, b uint64
	for j := 1; j < len(row); j += 2 {
		a = max(a, math.Float64bits(row[j-1]))
		b = max(b, math.Float64bits(row[j]))
	}
	top := max(a, b, math.Float64bits(row[len(row)-1]))
	for j, v := range row {
		if math.Float64bits(v) == top {
			return int32(j), float32(v)
		}
	}
	return 0, float32(row[0])
}
