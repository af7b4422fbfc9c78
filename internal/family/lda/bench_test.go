package lda_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// BenchmarkEStep infers 1000 documents of 100 words under the true model.
func BenchmarkEStep(b *testing.B) {
	const n = 1000
	set := synth.LDADocuments(1, n, 1000, 10, 1, .05, 100)
	f, err := lda.New(lda.Options{})
	if err != nil {
		b.Fatal(err)
	}
	sum, err := f.EStep(set.Truth, true)
	if err != nil {
		b.Fatal(err)
	}
	state := make([]float64, sum.Len())
	for b.Loop() {
		if err := sum.Add(state, pass.Block{Rows: set.Rows}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/doc")
}
