// Package progress carries the progress of long work to whoever listens: a terminal
// bar, a log of JSON lines, a browser. The work reports events; it never knows
// who listens. The listener travels in the context, so that no signature in
// between has to mention it.
package progress

import "context"

// Event says how far one step has come.
type Event struct {
	Step  string // name of the step, in words for people: "reading", "counting pairs"
	Done  int64  // units finished
	Total int64  // units in all; 0 when unknown
	Unit  string // what is counted: "records", "bytes", "iterations"
	Note  string // optional remark about the step's state
}

// A Listener receives events, possibly from several goroutines at once.
type Listener func(Event)

type key struct{}

// With returns a context whose work reports to l.
func With(ctx context.Context, l Listener) context.Context {
	return context.WithValue(ctx, key{}, l)
}

// Report hands the event to the context's listener, if there is one.
func Report(ctx context.Context, e Event) {
	if l, ok := ctx.Value(key{}).(Listener); ok && l != nil {
		l(e)
	}
}
