package progress

import (
	"context"
	"testing"
)

func TestReport(t *testing.T) {
	Report(t.Context(), Event{Step: "unheard"}) // nobody listens: nothing happens
	Report(With(t.Context(), nil), Event{Step: "unheard"})
	var heard []Event
	ctx := With(t.Context(), func(e Event) { heard = append(heard, e) })
	inner, cancel := context.WithCancel(ctx)
	cancel()
	want := Event{Step: "reading", Done: 3, Total: 9, Unit: "records", Note: "first file"}
	Report(inner, want)
	if len(heard) != 1 || heard[0] != want {
		t.Errorf("heard %v, want %v", heard, want)
	}
	Report(With(ctx, func(Event) {}), want)
	if len(heard) != 1 {
		t.Error("an outer listener heard what an inner one took over")
	}
}
