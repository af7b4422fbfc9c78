package verdict

import (
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// BenchmarkStep is one step of EM on half of the records of a verdict: 2,000 with about
// nine of 373 features.
func BenchmarkStep(b *testing.B) {
	lay := presenceLayout(373)
	r := stream.New(5, "bench")
	rows := make([][]uint32, 2000)
	for i := range rows {
		for j := range 373 {
			if r.Float64() < 9./373 {
				rows[i] = append(rows[i], uint32(j))
			}
		}
	}
	s := newSample(rows, lay.cols)
	pr := prior{2, lay.overall(s, nil)}
	for _, c := range []candidate{{1, amount, 0}, {1, oneTrend, 0}, {1, twoTrends, 0}, {4, none, 0}, {12, none, 0}, {12, amount, 0}, {12, oneTrend, 0}} {
		b.Run(fmt.Sprintf("%d groups, %s", c.groups, c.kind.word()), func(b *testing.B) {
			m, st := randomModel(r, lay, c.groups, c.kind, nil), &stats{}
			for b.Loop() {
				m.estep(s, st)
				m.maximise(st, pr)
			}
		})
	}
}
