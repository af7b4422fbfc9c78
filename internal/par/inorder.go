package par

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// InOrder is an assembly line, as of all fast readers: next gives pieces one after the
// other until io.EOF, work treats them on all cores, and merge gets the results in the
// order of the pieces, one after the other, from whoever has treated the last one that was
// lacking. At most 2 pieces a worker are under way, so memory is bounded (3 or 4 gain
// nothing on 16 cores). A Promise is kept by who works on it. The first error in the order
// of the pieces is returned; ErrNothing is none: there is nothing to merge.
//
// Several workers do what stands in before, each of it once, and draw pieces when all of it
// is done. Nothing may depend on it: one worker leaves it out.
func InOrder[In, Out any](ctx context.Context, workers int, next func() (In, error),
	work func(In) (Out, error), merge func(Out) error, before ...func(),
) error {
	l := line{
		before: before,
		next: func() (any, error) {
			in, err := next()
			return &in, err
		},
		work: func(in any) (any, error) { return work(*in.(*In)) },
		merge: func(out any) error {
			of, _ := out.(Out)
			return merge(of)
		},
	}
	if workers = Workers(workers); workers == 1 {
		return l.oneByOne(ctx)
	}
	return l.run(ctx, workers)
}

// Promise is a piece that is still to be fetched.
type Promise interface {
	// Load fetches it; all pieces of a line are, in any order.
	Load() error
	// Stands tells, once all pieces before it are fetched, whether what came of it is merged.
	Stands() bool
}

// ErrNothing says that a piece gave nothing.
var ErrNothing = errors.New("par: nothing is in the piece")

// line is an assembly line for pieces and results of any type: one for all, since a
// program has many.
type line struct {
	before []func()
	next   func() (any, error) // a pointer: pieces may change when they are loaded
	work   func(any) (any, error)
	merge  func(any) error
}

// treat works on a piece.
func (l *line) treat(in any) (any, error) {
	if p, ok := in.(Promise); ok {
		if err := p.Load(); err != nil {
			return nil, err
		}
	}
	return l.work(in)
}

// take merges what came of a piece.
func (l *line) take(in, out any, err error) error {
	if p, ok := in.(Promise); ok && !p.Stands() {
		return nil
	}
	switch err {
	case nil:
		return l.merge(out)
	case ErrNothing:
		return nil
	}
	return err
}

func (l *line) oneByOne(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		in, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		out, err := l.treat(in)
		if err := l.take(in, out, err); err != nil {
			return err
		}
	}
}

// run has workers draw pieces themselves, and merge what is ready: one goroutine that did that
// for all would be woken for every piece, and on many cores all others wait for it.
func (l *line) run(of context.Context, workers int) error {
	ctx, cancel := context.WithCancel(of)
	defer cancel()
	b := belt{line: l, ctx: ctx, room: make(chan struct{}, 2*workers)}
	var group Group
	for range workers {
		group.Go(func() {
			over := false
			defer func() {
				if !over { // an error, or a panic: nobody goes on
					cancel()
				}
			}()
			b.prepare()
			for j := b.draw(); j != nil; j = b.draw() {
				if j.err == nil {
					j.out, j.err = l.treat(j.in)
				}
				if !b.finish(j) {
					return
				}
			}
			over = true
		})
	}
	group.Wait()
	return cmp.Or(b.err, of.Err())
}

// belt is a line with several workers.
type belt struct {
	*line
	ctx context.Context

	begun, done atomic.Int64 // of what stands before

	room chan struct{} // as much as there are pieces under way

	drawing sync.Mutex
	ended   bool // nothing is left to be drawn

	mu      sync.Mutex
	due     []*job // not merged yet, in order
	merging bool   // somebody is about it
	err     error  // the first
}

// job is a piece on its way.
type job struct {
	in      any
	out     any
	err     error
	treated bool
}

// prepare does what stands before with all others who are there. Who has nothing left waits
// awake: it is not for long, and who sleeps is woken after all others.
func (b *belt) prepare() {
	n := int64(len(b.before))
	for i := b.begun.Add(1); i <= n; i = b.begun.Add(1) {
		b.before[i-1]()
		b.done.Add(1)
	}
	for !Soon(func() bool { return b.done.Load() >= n }) {
		if b.ctx.Err() != nil { // another one panicked
			return
		}
	}
}

// draw puts the next piece on the belt when there is room, nil where there is none. Who
// waits for room does so without a lock: all others would stand in line for it, and
// be woken one after the other.
func (b *belt) draw() *job {
	select {
	case b.room <- struct{}{}:
	case <-b.ctx.Done():
		return nil
	}
	if !Soon(b.drawing.TryLock) {
		b.drawing.Lock()
	}
	defer b.drawing.Unlock()
	if b.ended {
		<-b.room // others may wait for it, to see the end
		return nil
	}
	b.ended = true // unless a piece is drawn: a panic must not leave others to draw
	j := new(job)
	if j.in, j.err = b.next(); j.err == io.EOF {
		<-b.room
		return nil
	}
	b.ended = j.err != nil
	b.mu.Lock()
	b.due = append(b.due, j)
	b.mu.Unlock()
	return j
}

// finish merges what was treated as far as all before it was, unless somebody is about
// that, who then comes to it. False: the line ends here.
func (b *belt) finish(j *job) bool {
	b.mu.Lock()
	j.treated = true
	mine := !b.merging
	b.merging = true // after an error, or a panic, for good
	b.mu.Unlock()
	if !mine {
		return true
	}
	for j := b.ripe(); j != nil; j = b.ripe() {
		if b.ctx.Err() != nil {
			return false
		}
		if b.err = b.take(j.in, j.out, j.err); b.err != nil {
			return false
		}
		<-b.room
	}
	return true
}

// ripe returns what is to be merged next, nil where that is not treated yet.
func (b *belt) ripe() *job {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.due) == 0 || !b.due[0].treated {
		b.merging = false
		return nil
	}
	j := b.due[0]
	b.due[0] = nil // lets go of it
	b.due = b.due[1:]
	return j
}
