package par

import (
	"context"
	"io"
)

// InOrder is an assembly line, as of all fast readers: next gives pieces one
// after the other until io.EOF, work treats them on all cores, and merge gets
// the results in the order of the pieces, from the goroutine of the caller. At
// most 2 pieces a worker are under way, so memory is bounded. The first error
// in the order of the pieces is returned.
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

func (l *line) run(ctx context.Context, workers int) error {
	ctx, cancel := context.WithCancel(ctx)
	type job struct {
		in   any
		out  any
		err  error
		done chan struct{}
	}
	jobs := make(chan *job)               // to the workers
	order := make(chan *job, 2*workers-1) // to the merger, in order
	var group Group
	defer group.Wait()
	defer cancel()
	for range workers {
		group.Go(func() {
			ended := false
			defer func() {
				if !ended { // a panic: nobody waits for the piece
					cancel()
				}
			}()
			for j := range jobs {
				j.out, j.err = l.work(j.in)
				close(j.done)
			}
			ended = true
		})
	}
	group.Go(func() {
		defer close(order)
		defer close(jobs)
		for {
			j := &job{done: make(chan struct{})}
			j.in, j.err = l.next()
			if j.err == io.EOF {
				return
			}
			failed := j.err != nil
			if failed {
				close(j.done)
			}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			if failed {
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil {
			return j.err
		}
		if err := l.merge(j.out); err != nil {
			return err
		}
	}
	return ctx.Err()
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
