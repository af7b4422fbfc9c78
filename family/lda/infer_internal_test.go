package lda

import (
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/synth"
)

func BenchmarkEStep(b *testing.B) {
	set := synth.LDADocuments(1, 1000, 1000, 10, 1, .05, 100)
	e, err := newEngine(set.Truth)
	if err != nil {
		b.Fatal(err)
	}
	sum := eStep{e}
	state := make([]float64, sum.Len())
	b.ResetTimer()
	for b.Loop() {
		if err := sum.Add(state, pass.Block{Rows: set.Rows}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(set.Rows.NNZ())/1000, "words/doc")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/doc")
}
