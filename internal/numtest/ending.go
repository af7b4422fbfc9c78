package numtest

import (
	"context"
	"sync/atomic"
)

// EndsAfter returns a context that is cancelled once it was asked so many times.
func EndsAfter(ctx context.Context, looks int64) context.Context {
	return &ending{Context: ctx, looks: looks}
}

type ending struct {
	context.Context

	looks int64
	asked atomic.Int64
}

// Err implements context.Context.
func (e *ending) Err() error {
	if e.asked.Add(1) > e.looks {
		return context.Canceled
	}
	return e.Context.Err()
}
