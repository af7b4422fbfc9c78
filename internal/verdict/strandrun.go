package verdict

import (
	"context"

	"github.com/moiety-go/moiety/pass"
)

// strandRun is a runner over some of the records of all places, of which a strand adds up
// what passes sum: fits of parts of the records go on side by side that way, and share
// their exchanges.
type strandRun struct {
	pass.Runner // over those here
	own         *strand
	n           int // records of all places
	can         pass.Ability
}

// runner returns the runner over some records here and their like at the other places; it
// is the given one where all records are here.
func (a *strand) runner(here pass.Runner) pass.Runner {
	if a == nil {
		return here
	}
	r := &strandRun{Runner: here, own: a, can: here.Can()}
	r.n, r.can.First = a.ranked(r.can.Own)
	binary := a.one(float64(boolInt(!r.can.Binary)))
	r.can.Place, r.can.Places, r.can.Double, r.can.Exact, r.can.Binary = a.place, a.count, true, false, binary == 0
	if a.count > 1 {
		r.can.Rows = nil
	}
	return r
}

// Len implements pass.Runner.
func (r *strandRun) Len() int { return r.n }

// Can implements pass.Runner.
func (r *strandRun) Can() pass.Ability { return r.can }

// Run implements pass.Runner.
func (r *strandRun) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	return r.Own(ctx, nil, sums...)
}

// Own implements pass.Runner. A failure here is one of all places: it travels with the sums.
func (r *strandRun) Own(ctx context.Context, visit func(pass.Block) error, sums ...pass.Sum) ([][]float64, error) {
	var states [][]float64
	var err error
	if visit == nil {
		states, err = r.Runner.Run(ctx, sums...)
	} else {
		states, err = r.Runner.Own(ctx, visit, sums...)
	}
	if len(sums) == 0 {
		return states, err
	}
	if err != nil {
		r.own.fail(err)
	}
	r.own.add(states...)
	return states, r.own.failed()
}

// Total implements pass.Runner.
func (r *strandRun) Total(_ context.Context, x []float64) ([]float64, error) {
	out := append([]float64(nil), x...)
	r.own.add(out)
	return out, r.own.failed()
}
