package verdict

import (
	"context"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
)

// A fit of k+1 groups without a continuum begins from that of k and hangs on nothing else,
// until the path is swept: who climbs it need not wait for what the records kept aside say of
// each number, nor one fold for the other. So where there are cores enough, the fits of every
// fold go ahead of the judge, which takes them as it comes to them. Those beyond the last that
// it asks for are dropped.

// ascent is the way up of every fold; nil is none.
type ascent struct {
	fits []chan rung
	stop context.CancelFunc
}

// rung is the fit of so many groups.
type rung struct {
	groups int
	fit    *model
}

// rungsAhead is how many fits may wait for the judge.
const rungsAhead = 8

// idle reports that there are cores for fits that may not be asked for: the strengths of the
// prior are tried at a time, each in all folds.
func (j *judge) idle() bool {
	return j.places == nil && j.pulse != nil && par.Workers(j.workers) >= 2*len(strengths())*len(j.folds)
}

// ascend lets the folds go ahead from one group on, which has been fitted.
func (j *judge) ascend() *ascent {
	ctx, stop := context.WithCancel(progress.With(j.pulse.ctx, nil))
	a := &ascent{make([]chan rung, len(j.folds)), stop}
	for i, f := range j.folds {
		fits, p := make(chan rung, rungsAhead), f.path.apart()
		a.fits[i], p.pulse = fits, &pulse{ctx: ctx}
		j.pulse.aside.Go(func() {
			defer close(fits)
			for k := 2; k <= min(mostGroups, j.limit) && ctx.Err() == nil; k++ {
				r := rung{k, p.at(candidate{groups: k}).twin()} // a model has room that it works in
				select {
				case fits <- r:
				case <-ctx.Done():
				}
			}
		})
	}
	return a
}

// take gives the folds their fits of so many groups, once these are there.
func (a *ascent) take(j *judge, c candidate) {
	if a == nil {
		return
	}
	for i, f := range j.folds {
		if f.path.asked(c) {
			continue
		}
		for r := range a.fits[i] {
			if r.groups == c.groups {
				f.path.put(c, r.fit)
				break
			}
		}
	}
}

// descend drops the fits that were not asked for.
func (j *judge) descend() {
	if j.up != nil {
		j.up.stop()
		j.up = nil
	}
}
