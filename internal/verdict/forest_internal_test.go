package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// Features that repeat others leave a model a density, steep as it may be: over all records
// that there are it comes to one. It came to more where a parent's share was added to log-odds
// that are cut off.
func TestRepeatsLeaveADensity(t *testing.T) {
	const d = 6
	l := presenceLayout(d)
	next := [][]int{{1}, {0, 2}, {1}, {4}, {3}, {}}
	f := rooted(next, []float64{6, 5, 4, 3, 2, 1})
	var all [][]uint32
	for code := range 1 << d {
		var row []uint32
		for j := range d {
			if code>>j&1 == 1 {
				row = append(row, uint32(j))
			}
		}
		all = append(all, row)
	}
	s := newSample(all, d)
	for _, times := range []float64{1, 10, 40} {
		for _, kind := range []continuum{none, amount, oneTrend, bentTrend} {
			m := randomModel(stream.New(7, "test"), l, 2, kind, f)
			for _, list := range [][]float64{m.b, m.a, m.g} {
				for i := range list {
					list[i] *= times
				}
			}
			sum := 0.0
			for _, v := range m.score(f.with(s, d), &stats{}) {
				sum += math.Exp(v)
			}
			near(t, kind.word(), sum, 1, 1e-9)
		}
	}
}
