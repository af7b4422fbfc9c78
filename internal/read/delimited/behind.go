package delimited

import "github.com/moiety-go/moiety/internal/par"

// behind does light work beside the merge of parts, on half as many cores as parse
// them: what is under way is memory, and a merge that is ahead of it waits.
type behind struct {
	group *par.Group
	free  chan struct{}
}

func newBehind(workers int) behind {
	b := behind{group: new(par.Group)}
	if n := par.Workers(workers); n > 1 {
		b.free = make(chan struct{}, max(1, n/2))
	}
	return b
}

// do begins some work; of one worker, it does it.
func (b behind) do(work func()) {
	if b.free == nil {
		work()
		return
	}
	b.free <- struct{}{}
	b.group.Go(func() {
		defer func() { <-b.free }()
		work()
	})
}

// wait returns when all work is done. More may begin afterwards.
func (b behind) wait() { b.group.Wait() }
