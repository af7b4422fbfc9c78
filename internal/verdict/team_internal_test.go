package verdict

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// Steps of EM have the same bits for any number of cores, and the sums of lanes are those
// of all records one after another.
func TestStepsOnSeveralCores(t *testing.T) {
	defer func(least int) { leastPart = least }(leastPart)
	leastPart = 1
	wide := presenceLayout(40)
	pair := rooted(append([][]int{{1, 2}, {0}, {0}}, make([][]int, 37)...), slices.Repeat([]float64{4}, 40))
	for _, c := range []struct {
		name string
		l    *layout
		f    *forest
	}{{"presences", wide, nil}, {"repeated features", wide, pair}, {"answers", answerLayout(2, 3, 5, 4, 4, 3), nil}} {
		for _, kind := range append(kindsOfModels(), ownLine) {
			if c.f != nil && kind.own() {
				continue
			}
			t.Run(fmt.Sprintf("%s, %d", c.name, kind), func(t *testing.T) {
				r := stream.New(5, "test")
				s := newSample(randomRows(r, c.l, 2100), c.l.cols)
				first := randomModel(r, c.l, 3, kind, c.f)
				pr := prior{2, c.l.overall(s, nil)}
				if c.f != nil {
					s = c.f.with(s, c.l.cols)
				}
				if c.l == wide && s.lanes() < 2 {
					t.Fatalf("%d lane of %d rows, want several", s.lanes(), s.rows())
				}
				var want *model
				for _, cores := range []team{1, 3, 8} {
					m, st := first.copied(), &stats{team: cores}
					for range 2 {
						m.estep(s, st)
						m.maximise(st, pr)
					}
					if want == nil {
						want = m
					}
					if !slices.Equal(m.b, want.b) || !slices.Equal(m.a, want.a) || !slices.Equal(m.pi, want.pi) || !slices.Equal(m.g, want.g) {
						t.Errorf("%d cores give other bits than one", cores)
					}
				}
				var lanes, one stats
				first.estep(s, &lanes)
				one.few = lanes.few
				first.addTo(&one, s, 0, s.rows())
				near(t, "log-likelihood", lanes.loglik, one.loglik, 1e-9*math.Abs(one.loglik))
				for i, v := range one.s {
					near(t, "sums", lanes.s[i], v, 1e-9)
				}
			})
		}
	}
}

// A team starts no more cores than its work is worth.
func TestTeamsOfLittleWork(t *testing.T) {
	for _, c := range []struct{ cost, want int }{{0, 1}, {leastPart, 1}, {3 * leastPart, 3}, {100 * leastPart, 8}} {
		var parts atomic.Int64
		team(8).parts(800, c.cost, func(lo, hi int) { parts.Add(1) })
		if int(parts.Load()) != c.want {
			t.Errorf("work of %d ns is cut into %d parts, want %d", c.cost, parts.Load(), c.want)
		}
	}
}
