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
	workers = Workers(workers)
	if workers == 1 {
		return oneByOne(ctx, next, work, merge)
	}
	ctx, cancel := context.WithCancel(ctx)
	type job struct {
		in   In
		out  Out
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
				j.out, j.err = work(j.in)
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
			j.in, j.err = next()
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
		if err := merge(j.out); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func oneByOne[In, Out any](ctx context.Context, next func() (In, error),
	work func(In) (Out, error), merge func(Out) error,
) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		in, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		out, err := work(in)
		if err != nil {
			return err
		}
		if err := merge(out); err != nil {
			return err
		}
	}
}
