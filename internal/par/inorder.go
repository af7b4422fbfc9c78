package par

import (
	"cmp"
	"context"
	"io"
	"sync"
)

// InOrder is an assembly line, as of all fast readers: next gives pieces one after the
// other until io.EOF, work treats them on all cores, and merge gets the results in the
// order of the pieces, one after the other, from whoever has treated the last one that was
// lacking. At most 2 pieces a worker are under way, so memory is bounded (3 or 4 gain
// nothing on 16 cores). The first error in the order of the pieces is returned.
func InOrder[In, Out any](ctx context.Context, workers int, next func() (In, error),
	work func(In) (Out, error), merge func(Out) error,
) error {
	l := line{
		next: func() (any, error) { return next() },
		work: func(in any) (any, error) {
			of, _ := in.(In)
			return work(of)
		},
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

// line is an assembly line for pieces and results of any type: one for all, since a
// program has many.
type line struct {
	next  func() (any, error)
	work  func(any) (any, error)
	merge func(any) error
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
		out, err := l.work(in)
		if err != nil {
			return err
		}
		if err := l.merge(out); err != nil {
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
			for j := b.draw(); j != nil; j = b.draw() {
				if j.err == nil {
					j.out, j.err = l.work(j.in)
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

// draw puts the next piece on the belt when there is room, nil where there is none. Who
// waits for room does so without a lock: all others would stand in line for it, and
// be woken one after the other.
func (b *belt) draw() *job {
	select {
	case b.room <- struct{}{}:
	case <-b.ctx.Done():
		return nil
	}
	b.drawing.Lock()
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
		if b.err = j.err; b.err == nil {
			b.err = b.merge(j.out)
		}
		if b.err != nil {
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
