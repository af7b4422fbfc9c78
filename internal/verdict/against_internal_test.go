package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// What a feature gives is the density with it over the density without it, record by
// record.
func TestLostIsTheDensityWithout(t *testing.T) {
	r := stream.New(5, "test")
	for _, l := range []*layout{presenceLayout(6), answerLayout(2, 3, 4)} {
		for _, kind := range []continuum{none, oneTrend, twoTrends} {
			m := randomModel(r, l, 3, kind, nil)
			test := newSample(randomRows(r, l, 300), l.cols)
			p := newPath(l, test, 1, 1, "test", nil)
			c := candidate{3, kind, noRepeats}
			p.fits[c] = m
			got, want := make([]float64, len(l.items)), make([]float64, len(l.items))
			f := &fold{path: p, test: test}
			f.lost(c, 1, got)
			for n, it := range l.items {
				for i, count := range test.count {
					want[n] += count * (m.density(test.row(i)) - m.without(it, test.row(i)))
				}
			}
			for n := range want {
				near(t, kind.word(), got[n], want[n], 1e-7*math.Max(1, math.Abs(want[n])))
			}
		}
	}
}

// without is the log density of a row by the formula, with one item left out.
func (m *model) without(it item, row []uint32) float64 {
	other := *m
	lay := *m.lay
	lay.items = nil
	for _, x := range m.lay.items {
		if x != it {
			lay.items = append(lay.items, x)
		}
	}
	other.lay = &lay
	return other.density(row)
}
