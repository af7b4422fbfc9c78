package verdict

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// strand is one line of work of a verdict over records that lie at several places:
// every place does the same work, and what each has counted of its own records is
// added up over all. Strands that go side by side share their exchanges, since an
// exchange may be a journey. A nil strand adds nothing: all records are here, and may
// be looked at one by one.
type strand struct {
	*sites
	key []int // which strand it is, the same at every place
}

// sites is what the strands of a place share.
type sites struct {
	ctx   context.Context
	run   pass.Runner
	place int
	count int // places

	mu      sync.Mutex
	active  int // strands at work or waiting
	waiting []*asked
	err     error // the first failure; nothing is added up after it
}

// asked are the numbers of a strand that waits for their totals.
type asked struct {
	key  []int
	list [][]float64
	done chan struct{}
}

// RoundName is the name of the rounds of a verdict.
const RoundName = "verdict"

// strandOf returns the first strand of a verdict over a runner; nil where all
// records are here, unless they are to be judged as sites do (Ability.Double).
func strandOf(ctx context.Context, run pass.Runner) *strand {
	can := run.Can()
	if can.Places <= 1 && !can.Double {
		return nil
	}
	return newStrand(ctx, run)
}

// newStrand returns the first strand of work over a runner, which may be of one place.
func newStrand(ctx context.Context, run pass.Runner) *strand {
	can := run.Can()
	return &strand{sites: &sites{ctx: pass.Named(ctx, RoundName), run: run, place: can.Place, count: max(can.Places, 1), active: 1}}
}

// add makes numbers of this place their totals over all.
func (a *strand) add(list ...[]float64) {
	if a == nil {
		return
	}
	q := &asked{a.key, list, make(chan struct{})}
	a.mu.Lock()
	a.waiting = append(a.waiting, q)
	a.sumUp()
	a.mu.Unlock()
	<-q.done
}

// one is add for a single number.
func (a *strand) one(x float64) float64 {
	v := []float64{x}
	a.add(v)
	return v[0]
}

// sumUp has the numbers of all strands added up once every one of them waits.
func (s *sites) sumUp() {
	if len(s.waiting) == 0 || len(s.waiting) < s.active {
		return
	}
	list := s.waiting
	s.waiting = nil
	slices.SortFunc(list, func(a, b *asked) int { return slices.Compare(a.key, b.key) })
	var all []float64
	for _, q := range list {
		for _, x := range q.list {
			all = append(all, x...)
		}
	}
	if s.err == nil {
		all, s.err = s.run.Total(s.ctx, all)
	}
	for _, q := range list {
		for _, x := range q.list {
			if s.err == nil {
				copy(x, all)
				all = all[len(x):]
			}
		}
		close(q.done)
	}
}

// fail ends all strands of this place; the others hear of it when it leaves.
func (s *sites) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// failed returns why nothing is added up any more; nil where all is well.
func (a *strand) failed() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// beside does n things side by side: on so many cores where all records are here, each
// on a strand of its own otherwise. An error of one ends all.
func (a *strand) beside(ctx context.Context, workers, n int, do func(i int, own *strand) error) error {
	if a == nil {
		return par.Do(ctx, par.Workers(workers), n, func(i int) error { return do(i, nil) })
	}
	errs := make([]error, n+1)
	a.each(n, func(i int, own *strand) { errs[i] = do(i, own) })
	errs[n] = a.failed()
	return errors.Join(errs...)
}

// each does n things side by side, each on a strand of its own; one after the
// other where all records are here.
func (a *strand) each(n int, do func(i int, own *strand)) {
	if a == nil {
		for i := range n {
			do(i, nil)
		}
		return
	}
	if n == 0 {
		return
	}
	a.mu.Lock()
	a.active += n - 1
	a.mu.Unlock()
	left := n
	var group par.Group
	for i := range n {
		group.Go(func() {
			err := errBroken
			defer func() {
				a.mu.Lock()
				defer a.mu.Unlock()
				a.err = cmp.Or(a.err, err)
				if left--; left > 0 { // the last one hands over to the strand it came from
					a.active--
					a.sumUp()
				}
			}()
			do(i, &strand{a.sites, append(slices.Clip(a.key), i)})
			err = nil
		})
	}
	group.Wait()
}

// errBroken ends all strands beside one that panicked.
var errBroken = errors.New("verdict: a strand broke off")
