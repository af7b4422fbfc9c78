package passtest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Places are records that lie at several places, none of which sees those of
// another: what each adds up of its own is exchanged in this process, as sites
// do by a network. Whatever takes the own records for all of them, or the other
// way round, fails over them.
type Places struct {
	runners []*place
	all     exchange
}

// Split deals the records out to places, in order and unevenly, so that the
// places begin in the middle of blocks. steps is nil where each row is a record.
func Split(rows sparse.Rows, steps []int, places, workers int) *Places {
	n := rows.N()
	if steps != nil {
		n = len(steps) - 1
	}
	p := &Places{all: exchange{places: places, turn: newTurn(places)}}
	for i := range places {
		lo, hi := cut(n, i, places), cut(n, i+1, places)
		own := pass.NewLocal(rows.Slice(lo, hi), workers)
		if steps != nil {
			begin := steps[lo]
			part := make([]int, hi-lo+1)
			for j := range part {
				part[j] = steps[lo+j] - begin
			}
			own = pass.NewSequences(rows.Slice(begin, steps[hi]), part, workers)
		}
		p.runners = append(p.runners, &place{Local: own, all: &p.all, n: n, first: lo, number: i})
	}
	return p
}

// cut returns where place i of n records begins: later places hold more.
func cut(n, i, places int) int { return n * i * (i + 1) / (places * (places + 1)) }

// Each runs f at every place at the same time and returns the first error. All
// places must ask for the same sums in the same order.
func (p *Places) Each(ctx context.Context, f func(ctx context.Context, place int, r pass.Runner) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(p.runners))
	var wg sync.WaitGroup
	for i, r := range p.runners {
		wg.Go(func() {
			if errs[i] = f(ctx, i, r); errs[i] != nil {
				p.all.fail(errs[i])
			}
			p.all.end()
		})
	}
	wg.Wait()
	if p.all.failed != nil {
		return p.all.failed
	}
	return errors.Join(errs...)
}

// place is a runner at one of the places.
type place struct {
	*pass.Local
	all              *exchange
	n, first, number int
}

// Len implements pass.Runner.
func (p *place) Len() int { return p.n }

// Can implements pass.Runner.
func (p *place) Can() pass.Ability {
	can := p.Local.Can()
	can.First, can.Place, can.Places, can.Exact = p.first, p.number, p.all.places, false
	return can
}

// Run implements pass.Runner.
func (p *place) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	return p.exchanged(ctx, func() ([][]float64, error) { return p.Local.Run(ctx, sums...) })
}

// Own implements pass.Runner.
func (p *place) Own(ctx context.Context, visit func(pass.Block) error, sums ...pass.Sum) ([][]float64, error) {
	return p.exchanged(ctx, func() ([][]float64, error) { return p.Local.Own(ctx, visit, sums...) })
}

// Total implements pass.Runner.
func (p *place) Total(ctx context.Context, x []float64) ([]float64, error) {
	return p.all.add(ctx, p.number, x)
}

// exchanged adds up the states of all places.
func (p *place) exchanged(ctx context.Context, own func() ([][]float64, error)) ([][]float64, error) {
	states, err := own()
	if err != nil {
		p.all.fail(err)
		return nil, err
	}
	for i, s := range states {
		if states[i], err = p.all.add(ctx, p.number, s); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// exchange adds up a vector of every place, in turns: one ends when all places
// have given theirs.
type exchange struct {
	places int
	mu     sync.Mutex
	turn   *turn
	ended  bool // a place asks for no more
	failed error
}

// errEnded says that a place waits for one that asks for no more.
var errEnded = errors.New("passtest: one place asks for more sums than another")

// turn is one sum under way.
type turn struct {
	given [][]float64
	left  int
	sum   []float64
	err   error
	done  chan struct{}
}

func newTurn(places int) *turn {
	return &turn{given: make([][]float64, places), left: places, done: make(chan struct{})}
}

// add gives the vector of a place and waits for the sum.
func (e *exchange) add(ctx context.Context, place int, x []float64) ([]float64, error) {
	e.mu.Lock()
	if e.failed != nil {
		e.mu.Unlock()
		return nil, e.failed
	}
	if e.ended {
		e.mu.Unlock()
		e.fail(errEnded)
		return nil, errEnded
	}
	t := e.turn
	t.given[place] = x
	if t.left--; t.left == 0 {
		t.finish()
		e.turn = newTurn(e.places)
	}
	e.mu.Unlock()
	select {
	case <-t.done:
		return append([]float64(nil), t.sum...), t.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// finish adds up, in the order of the places.
func (t *turn) finish() {
	t.sum = make([]float64, len(t.given[0]))
	for i, x := range t.given {
		if len(x) != len(t.sum) {
			t.err = fmt.Errorf("passtest: place %d gives %d numbers where place 0 gives %d: they do not ask for the same sums", i, len(x), len(t.sum))
			break
		}
		for j, v := range x {
			t.sum[j] += v
		}
	}
	close(t.done)
}

// end says that a place asks for no more.
func (e *exchange) end() {
	e.mu.Lock()
	e.ended = true
	waiting := e.turn.left < e.places
	e.mu.Unlock()
	if waiting {
		e.fail(errEnded)
	}
}

// fail ends all turns with an error.
func (e *exchange) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed != nil {
		return
	}
	e.failed = err
	if t := e.turn; t.left < e.places && t.left > 0 {
		t.err = err
		close(t.done)
		t.left = 0
	}
}
