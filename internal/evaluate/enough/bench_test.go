package enough

import (
	"testing"

	"github.com/moiety-go/moiety/pass"
)

// BenchmarkJudge measures the light beside the analysis it judges.
func BenchmarkJudge(b *testing.B) {
	s := presences(10_000, 12)
	run := pass.NewLocal(s.draw(1).Rows, 1)
	b.Run("light", func(b *testing.B) {
		for b.Loop() {
			if _, err := Judge(b.Context(), s.f, run, s.k, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("analysis", func(b *testing.B) {
		for b.Loop() {
			if _, err := (&judge{f: s.f, run: run, k: s.k}).fit(b.Context(), run); err != nil {
				b.Fatal(err)
			}
		}
	})
}
