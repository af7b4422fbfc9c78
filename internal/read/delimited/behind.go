package delimited

import (
	"sync"

	"github.com/moiety-go/moiety/internal/par"
)

// behind is light work on parts that were merged. Who parses the next piece does it first:
// a goroutine of its own for every part would wait until a core is free, and what is under
// way is memory.
type behind struct {
	workers int

	mu    sync.Mutex
	queue []func()
	open  sync.WaitGroup // what is not done
}

func newBehind(workers int) *behind { return &behind{workers: par.Workers(workers)} }

// do leaves some work to others, who may have some for half of the workers; of one worker, it
// does it.
func (b *behind) do(work func()) {
	if b.workers == 1 {
		work()
		return
	}
	b.open.Add(1)
	b.mu.Lock()
	b.queue = append(b.queue, work)
	many := len(b.queue) > b.workers/2
	b.mu.Unlock()
	if many {
		b.help()
	}
}

// help does some of the work, if there is any.
func (b *behind) help() bool {
	b.mu.Lock()
	if len(b.queue) == 0 {
		b.mu.Unlock()
		return false
	}
	work := b.queue[0]
	b.queue[0] = nil // lets go of it
	b.queue = b.queue[1:]
	b.mu.Unlock()
	defer b.open.Done() // also after a panic
	work()
	return true
}

// helpOut does work until nobody is to begin any more.
func (b *behind) helpOut() {
	for b.help() {
	}
}

// wait returns when all work is done. More may be left afterwards.
func (b *behind) wait() {
	b.mu.Lock()
	n := len(b.queue)
	b.mu.Unlock()
	helpers := make([]func(), min(n, b.workers))
	for i := range helpers {
		helpers[i] = b.helpOut
	}
	par.Together(b.workers, helpers...)
	b.open.Wait()
}
