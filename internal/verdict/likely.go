package verdict

import (
	"context"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
)

// Mostly the best groups without a continuum are claimed in the end, once they were swept: what
// is tried after them stays behind. So where cores are idle, what is asked of a claim is begun
// meanwhile. It counts where these groups are the claim, with the same fits.

// likely is what is asked of a claim, begun before it is known; nil is none.
type likely struct {
	claim candidate
	fits  []*model // of the folds

	cut     chan struct{} // closed when there are borders
	borders []*borders
	own     [2]*guess // the fewest groups with lines of their own, by these borders, and one more

	settled chan struct{} // closed when there is a fit to all records
	all     *whole
}

// whole is a fit to all records.
type whole struct {
	s    *sample
	fit  *model
	st   stats
	mark *byte // tells it from any other
}

// foresee begins what is asked of the best groups without a continuum.
func (j *judge) foresee() {
	many, ok := j.best(isFlat)
	if !ok || many.groups < 3 || !j.idle() {
		return
	}
	l := &likely{claim: many, borders: make([]*borders, len(j.folds)), cut: make(chan struct{}), settled: make(chan struct{})}
	ctx := progress.With(j.pulse.ctx, nil)
	var edges, starts []*model
	for _, f := range j.folds {
		m := f.path.at(many)
		l.fits, edges, starts = append(l.fits, m), append(edges, m.copied()), append(starts, m.copied())
	}
	first := j.bars(linesTimes)[0]
	for more := range l.own {
		p, g := j.folds[0].path.bare(), &guess{bar: first, done: make(chan struct{})}
		p.bar, p.pulse, l.own[more] = first, &pulse{ctx: ctx}, g
		j.pulse.aside.Go(func() {
			defer close(g.done)
			<-l.cut
			if k := fewestOf(l.borders) + more; k < many.groups {
				p.guide[k] = l.borders[0].joined(k)
				g.fit = p.at(candidate{k, ownLine, noRepeats})
				g.whole = ctx.Err() == nil
			}
		})
	}
	j.pulse.aside.Go(func() {
		defer close(l.cut)
		_ = par.Do(context.Background(), len(j.folds), len(j.folds), func(i int) error { // nothing fails
			l.borders[i] = j.folds[i].bordersBy(edges[i], j.share())
			return nil
		})
	})
	j.pulse.aside.Go(func() {
		defer close(l.settled)
		l.all = j.settle(starts)
		if j.tell != nil && ctx.Err() == nil { // a fit that was broken off says nothing
			j.tell(many, l.all)
		}
	})
	j.likely = l
	j.expect(candidate{1, inSets, noRepeats}, 1, 1) // see packages
}

// of is what was begun for a claim, where it counts.
func (l *likely) of(j *judge, claim candidate) *likely {
	if l == nil || l.claim != claim {
		return nil
	}
	for i, f := range j.folds {
		if f.path.fits[claim] != l.fits[i] {
			return nil
		}
	}
	return l
}

// whole is the fit to all records, once it is there.
func (l *likely) whole() *whole {
	<-l.settled
	return l.all
}
