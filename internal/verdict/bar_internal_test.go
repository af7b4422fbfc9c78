package verdict

import (
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// A model that is as good as the best is never given up; one that is worse by so much on
// every record is behind it by what exceeds five nats.
func TestBar(t *testing.T) {
	rows := [][]uint32{{0}, {1}, {0, 1}, {}, {0}, {0}, {1}, {}, {0, 1}, {0}}
	s := newSample(rows, 2)
	p := newPath(presenceLayout(2), s, 2, 1, "test", nil)
	m := p.at(candidate{1, none, noRepeats})
	score := m.score(s, &stats{})
	worse := func(nats float64) *bar {
		b := &bar{test: s}
		for _, v := range score {
			b.score = append(b.score, v+nats/s.n)
		}
		return b
	}
	for _, below := range []float64{0, -50, clearNats - .01, clearNats + .01, clearNats + 3} {
		if got := worse(below).beyond(m); numtest.Off(got, below-clearNats, 1e-6) {
			t.Errorf("%v nats below: beyond the bar by %v", below, got)
		}
	}
	// One record alone that speaks against it is no reason.
	b := worse(0)
	b.score[0] += 40
	if b.beyond(m) > 0 {
		t.Error("given up for one record")
	}
	if (*bar)(nil).beyond(m) > 0 {
		t.Error("given up for nothing")
	}
}
