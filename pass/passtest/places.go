package passtest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Places are records that lie at several places, none of which sees those of
// another: what each adds up of its own is exchanged in this process, as sites
// do by a network. Whatever takes the own records for all of them, or the other
// way round, fails over them.
type Places struct {
	own []*pass.Local
	hub *exchange.Hub
}

// Split divides the records among places, in order and unevenly, so that the
// places begin in the middle of blocks. steps is nil where each row is a record.
func Split(rows sparse.Rows, steps []int, places, workers int) *Places {
	n := recordsOf(rows, steps)
	ends := make([]int, places)
	for i := range ends {
		ends[i] = cut(n, i+1, places)
	}
	return SplitAt(rows, steps, ends, workers)
}

// SplitAt divides the records among places that end where ends says.
func SplitAt(rows sparse.Rows, steps []int, ends []int, workers int) *Places {
	p := &Places{}
	var names []string
	lo := 0
	for i, hi := range ends {
		own := (*pass.Local)(nil)
		if steps == nil {
			own = pass.NewLocal(rows.Slice(lo, hi), workers)
		} else {
			begin := steps[lo]
			part := make([]int, hi-lo+1)
			for j := range part {
				part[j] = steps[lo+j] - begin
			}
			own = pass.NewSequences(rows.Slice(begin, steps[hi]), part, workers)
		}
		p.own, names, lo = append(p.own, own), append(names, fmt.Sprintf("place %d", i)), hi
	}
	p.hub = exchange.NewHub(names...)
	return p
}

func recordsOf(rows sparse.Rows, steps []int) int {
	if steps != nil {
		return len(steps) - 1
	}
	return rows.N()
}

// cut returns where place i of n records begins: later places hold more.
func cut(n, i, places int) int { return n * i * (i + 1) / (places * (places + 1)) }

// Each runs f at every place at the same time and returns the first error. All
// places must ask for the same sums in the same order.
func (p *Places) Each(ctx context.Context, f func(ctx context.Context, place int, r pass.Runner) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	var first error
	var wg sync.WaitGroup
	for i, own := range p.own {
		wg.Go(func() {
			x := p.hub.Site(i)
			r, err := pass.Join(ctx, own, x, "test")
			if err == nil {
				err = f(ctx, i, r)
			}
			mu.Lock()
			if err != nil && (first == nil || errors.Is(first, exchange.ErrDone)) {
				first = err
			}
			mu.Unlock()
			x.Leave(err)
		})
	}
	wg.Wait()
	return first
}
