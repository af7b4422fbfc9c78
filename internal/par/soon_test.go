package par_test

import (
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
)

// Who waits awake sees what another one does, and gives up where nothing comes.
func TestSoon(t *testing.T) {
	var is atomic.Bool
	if par.Soon(is.Load) {
		t.Error("it is so before anybody made it so")
	}
	var group par.Group
	group.Go(func() { is.Store(true) })
	for !par.Soon(is.Load) {
	}
	group.Wait()
}
