package loglinear

import (
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/sparse"
)

// Places is a table made ready to place many blocks of rows. It may be used by
// several goroutines at once.
type Places struct {
	t      *Table
	single *kernel.Mixture // nil where double precision is needed
	rooms  sync.Pool       // of *placeRoom
}

// placeRoom is the scratch of one goroutine.
type placeRoom struct {
	sums *kernel.Sums
	post []float64 // panelRows×k
}

// Places returns the table made ready.
func (t *Table) Places() *Places {
	p := &Places{t: t}
	if t.Quad == nil {
		p.single = kernel.NewMixture(t.D, t.K, t.Bias, t.Slope)
	}
	return p
}

// nearTie is the probability up to which the best component is sought in double
// precision: from there on no other one can be as likely.
const nearTie = 0.501

// Of sets group to the best component of each row, the first of equals, and
// probability to its posterior probability, exact to five digits or more.
func (p *Places) Of(rows sparse.Rows, group []int32, probability []float32) {
	r, _ := p.rooms.Get().(*placeRoom)
	if r == nil {
		r = &placeRoom{post: make([]float64, panelRows*p.t.K)}
		if p.single != nil {
			r.sums = p.single.NewSums()
		}
	}
	defer p.rooms.Put(r)
	if r.sums == nil || rows.IsDense() || rows.N() > kernel.MixtureRows {
		p.exact(r, rows, group, probability)
		return
	}
	if _, ok := r.sums.Place(rows.Ptr, rows.Index, rows.Value, group, probability); !ok {
		p.exact(r, rows, group, probability)
		return
	}
	for i, v := range probability[:rows.N()] {
		if !(v > nearTie) {
			p.exact(r, rows.Slice(i, i+1), group[i:], probability[i:])
		}
	}
}

// exact is Of in double precision.
func (p *Places) exact(r *placeRoom, rows sparse.Rows, group []int32, probability []float32) {
	k := p.t.K
	for lo := 0; lo < rows.N(); lo += panelRows {
		hi := min(lo+panelRows, rows.N())
		p.t.Posterior(rows.Slice(lo, hi), r.post[:(hi-lo)*k], nil)
		for i := lo; i < hi; i++ {
			row, best := r.post[(i-lo)*k:][:k], 0
			for j, v := range row {
				if v > row[best] {
					best = j
				}
			}
			group[i], probability[i] = int32(best), float32(row[best])
		}
	}
}
