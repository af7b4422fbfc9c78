package source

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
)

// A writer that panics ends the text, and panics where the reader closes it, who can catch it.
func TestMadeBreaksOff(t *testing.T) {
	r := begin(func(context.Context, io.Writer) error { panic("broken") })
	if _, err := io.ReadAll(r); !errors.Is(err, errBroken) {
		t.Errorf("read: %v", err)
	}
	if caught := par.Catch(func() { _ = r.Close() }); caught == nil {
		t.Error("nothing is told of the panic")
	}
}
