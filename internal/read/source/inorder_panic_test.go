package source_test

import (
	"io"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
)

// A panic in any stage of the line comes out where the line was started.
func TestInOrderPanics(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, where := range []string{"next", "work", "merge"} {
			at := 0
			caught := par.Catch(func() {
				_ = source.InOrder(t.Context(), workers,
					func() (int, error) {
						at++
						if at == 50 && where == "next" {
							panic(where)
						}
						if at > 100 {
							return 0, io.EOF
						}
						return at, nil
					},
					func(i int) (int, error) {
						if i == 50 && where == "work" {
							panic(where)
						}
						return i, nil
					},
					func(i int) error {
						if i == 50 && where == "merge" {
							panic(where)
						}
						return nil
					})
			})
			if caught == nil || caught.Value != where {
				t.Errorf("%d workers, panic in %s: caught %v", workers, where, caught)
			}
		}
	}
}
