package decompose_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/decomposetest"
	"github.com/moiety-go/moiety/moment"
)

// BenchmarkMethods decomposes exact moments, whitening included.
func BenchmarkMethods(b *testing.B) {
	for _, s := range []struct{ d, k int }{{100, 5}, {1000, 10}, {3000, 50}} {
		src := moment.NewExact(decomposetest.Random(1, s.d, s.k))
		for _, m := range decompose.Methods() {
			if s.k > 10 && m.Name != "auto" && m.Name != "sidiwo" {
				continue
			}
			b.Run(fmt.Sprintf("%s/d=%d/k=%d", m.Name, s.d, s.k), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Method(context.Background(), src, s.k, decompose.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
