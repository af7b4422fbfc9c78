package verdict

import "testing"

// A model that is as good as the best is never given up; one that is worse by so much on
// every record is, from five nats beyond what it may still gain on.
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
	for _, c := range []struct {
		below, gain float64
		want        bool
	}{{0, 0, false}, {-50, 0, false}, {clearNats - .01, 0, false}, {clearNats + .01, 0, true}, {clearNats + 3, 4, false}, {clearNats + 3, 2, true}, {clearNats + .01, -9, true}} {
		if got := worse(c.below).beyond(m, c.gain); got != c.want {
			t.Errorf("%v nats below, %v to gain: %v", c.below, c.gain, got)
		}
	}
	// One record alone that speaks against it is no reason.
	b := worse(0)
	b.score[0] += 40
	if b.beyond(m, 0) {
		t.Error("given up for one record")
	}
	if (*bar)(nil).beyond(m, 0) {
		t.Error("given up for nothing")
	}
}
