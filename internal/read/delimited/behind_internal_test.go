package delimited

import (
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
)

// Work that is left behind is done once, by those who help or at the latest by who waits for it;
// of one worker, it is done at once.
func TestBehind(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		b := newBehind(workers)
		var done [100]atomic.Int32
		for i := range done {
			b.do(func() { done[i].Add(1) })
			if at := done[i].Load(); int(at) == min(workers, 2)-1 {
				t.Fatalf("%d workers: done %d times when it is left", workers, at)
			}
			if i%3 == 0 && b.help() != (workers > 1) {
				t.Fatalf("%d workers: something to help with is said otherwise", workers)
			}
		}
		b.wait()
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%d workers: number %d is done %d times", workers, i, n)
			}
		}
	}
}

// Who waits does so also for what others are at, and is told of a panic.
func TestBehindWaits(t *testing.T) {
	b := newBehind(2)
	begun, end := make(chan struct{}), make(chan struct{})
	over := false
	b.do(func() {
		close(begun)
		<-end
		over = true
	})
	var group par.Group
	group.Go(b.helpOut)
	<-begun
	group.Go(func() { close(end) })
	if b.wait(); !over {
		t.Error("what another one is at is not waited for")
	}
	group.Wait()
	b.do(func() { panic("behind") })
	if caught := par.Catch(b.wait); caught == nil || caught.Value != "behind" {
		t.Errorf("caught %v", caught)
	}
	b.wait() // nothing is open any more
}
