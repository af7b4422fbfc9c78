package par

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is what a goroutine panicked with, and where. A panic that nobody
// catches ends the whole program from any goroutine, so those of workers are
// carried to the goroutine that waits for them: there a caller can catch them.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error says what happened, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Catch calls f and returns what it panicked with, nil where it did not. A
// panic that comes from a worker keeps the stack it had there.
func Catch(f func()) (caught *Panic) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Panic:
			caught = v
		default:
			caught = &Panic{v, debug.Stack()}
		}
	}()
	f()
	return nil
}

// Group is a number of goroutines that are waited for together. The zero value
// is ready to use.
type Group struct {
	wg     sync.WaitGroup
	caught atomic.Pointer[Panic]
}

// Go calls f in a goroutine of its own. Other goroutines of the group may wait
// for what f has to do: f itself must give that up, in a deferred call, where
// it panics.
func (g *Group) Go(f func()) {
	g.wg.Go(func() {
		if p := Catch(f); p != nil {
			g.caught.CompareAndSwap(nil, p)
		}
	})
}

// Wait waits for all goroutines and panics with the *Panic of the first of them
// that did.
func (g *Group) Wait() {
	g.wg.Wait()
	if p := g.caught.Load(); p != nil {
		panic(p)
	}
}
