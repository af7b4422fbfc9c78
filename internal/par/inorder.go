package par

import (
	"context"
	"errors"
	"io"
	"sync"
)

// InOrder is an assembly line, as of all fast readers: next gives pieces one
// after the other until io.EOF, work treats them on all cores, and merge gets
// the results in the order of the pieces, from the goroutine of the caller. At
// most 2 pieces a worker are under way, so memory is bounded (3 or 4 gain nothing on 16
// cores). A Promise is kept by who works on it. The first error in the order of the pieces
// is returned; ErrNothing is none: there is nothing to merge.
func InOrder[In, Out any](ctx context.Context, workers int, next func() (In, error),
	work func(In) (Out, error), merge func(Out) error,
) error {
	l := line{
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
	next  func() (any, error) // a pointer: pieces may change when they are loaded
	work  func(any) (any, error)
	merge func(any) error
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

// run has workers draw pieces themselves: one that draws for all must be woken for every
// piece, and on many cores all others wait for that.
func (l *line) run(ctx context.Context, workers int) error {
	ctx, cancel := context.WithCancel(ctx)
	room := 2 * workers
	b := belt{line: l, ctx: ctx, order: make(chan *job, room), room: make(chan struct{}, room)}
	var group Group
	defer group.Wait()
	defer cancel()
	for range workers { // room for all first pieces: who draws them merges
		b.room <- struct{}{}
	}
	for range workers {
		first := b.drawn() // here: workers that begin with that would stand in line
		if first == nil {
			continue // and give the room back
		}
		group.Go(func() {
			returned := false
			defer func() {
				if !returned { // a panic: nobody waits for the piece
					cancel()
				}
			}()
			for j := first; j != nil; j = b.draw() {
				j.out, j.err = l.treat(j.in)
				close(j.done)
			}
			returned = true
		})
	}
	for {
		select {
		case j, more := <-b.order:
			if !more {
				return ctx.Err()
			}
			select {
			case <-j.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := l.take(j.in, j.out, j.err); err != nil {
				return err
			}
			<-b.room
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// belt is a line with several workers.
type belt struct {
	*line
	ctx   context.Context
	order chan *job     // to the merger, in order
	room  chan struct{} // as much as there are pieces under way

	mu    sync.Mutex
	ended bool
}

// job is a piece on its way.
type job struct {
	in   any
	out  any
	err  error
	done chan struct{} // closed when it was treated
}

// draw puts the next piece on the belt when there is room, nil where there is none. Who
// waits for room does so without the lock: all others would stand in line for it, and
// be woken one after the other.
func (b *belt) draw() *job {
	select {
	case b.room <- struct{}{}:
	case <-b.ctx.Done():
		return nil
	}
	return b.drawn()
}

// drawn is draw where there is room.
func (b *belt) drawn() *job {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		<-b.room // others may wait for it, to see the end
		return nil
	}
	b.ended = true // unless a piece is drawn: a panic must not leave others to draw
	j := &job{done: make(chan struct{})}
	if j.in, j.err = b.next(); j.err == nil {
		b.order <- j
		b.ended = false
		return j
	}
	if j.err != io.EOF {
		close(j.done)
		b.order <- j
	} else {
		<-b.room
	}
	close(b.order)
	return nil
}
