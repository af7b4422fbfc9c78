package verdict

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// drawnSets draws sequences of sets of ten features: chance is asked step by step.
func drawnSets(n int, begin func(r *rand.Rand) func(t, h int) float64) *walks {
	const d, steps = 10, 20
	r := stream.New(3, "test/line")
	b, w := sparse.NewBuilder(d, true), &walks{steps: []int{0}}
	for i := range n {
		chance := begin(r)
		for t := range steps {
			var set []uint32
			for h := range d {
				if r.Float64() < chance(t, h) {
					set = append(set, uint32(h))
				}
			}
			_ = b.Add(set, nil)
		}
		w.steps = append(w.steps, w.steps[i]+steps)
	}
	w.rows = b.Rows()
	return w
}

func oddsOf(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Each way along a line or circle is found by its own law, ahead of the others.
func TestWaysAlongALine(t *testing.T) {
	slope := func(h int) float64 { return float64(h-5) / 2.5 }
	cases := map[memory]func(r *rand.Rand) func(t, h int) float64{
		onward: func(r *rand.Rand) func(t, h int) float64 {
			from, pace := r.NormFloat64()-1, .3*r.Float64()
			return func(t, h int) float64 { return oddsOf(-1 + slope(h)*(from+pace*float64(t))) }
		},
		astray: func(r *rand.Rand) func(t, h int) float64 {
			z, now := r.NormFloat64(), 0
			return func(t, h int) float64 {
				if t > now {
					z, now = .8*z+.6*r.NormFloat64(), t
				}
				return oddsOf(-1 + 1.5*slope(h)*z)
			}
		},
		rounds: func(r *rand.Rand) func(t, h int) float64 {
			begin := 8 * r.Float64()
			return func(t, h int) float64 {
				return oddsOf(-1 + 1.5*slope(h)*math.Sin(2*math.Pi*(float64(t)+begin)/8))
			}
		},
	}
	for want, begin := range cases {
		all := drawnSets(numtest.Scale(45, 90, 90), begin)
		var train, test []int
		for i := range all.n() {
			if i%3 == 0 {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		got := lineRivals(all.pick(train, len(train)), all.pick(test, len(test)), sets)
		for other, scores := range got {
			if e := difference(got[want], scores); other != want && e.Nats < e.Error {
				t.Errorf("%s: %s is as good (%.1f ± %.1f nats)", want.word(), other.word(), e.Nats, e.Error)
			}
		}
		if testing.Short() && want != astray {
			continue
		}
		bySites(t, all, func(w *walks) [][]float64 {
			got := lineRivals(w, w, sets)
			return [][]float64{got[onward], got[astray], got[rounds]}
		})
	}
}

// bySites has scores learned from sequences that lie at three uneven sites, one of them
// empty, and compares them with those learned where all are in one.
func bySites(t *testing.T, all *walks, scores func(*walks) [][]float64) {
	t.Helper()
	n := all.n()
	want := scores(all)
	err := passtest.SplitAt(all.rows, all.steps, []int{n * 6 / 10, n * 6 / 10, n}, 1).Each(t.Context(), func(ctx context.Context, _ int, r pass.Runner) error {
		first, own := r.Can().First, r.Can().Own
		var here []int
		for i := range own {
			here = append(here, first+i)
		}
		w := all.pick(here, n)
		w.places, w.all = strandOf(ctx, r), n
		for e, list := range scores(w) {
			for i, v := range list {
				if x := want[e][first+i]; numtest.Off(v, x, 1e-6*(1+math.Abs(x))) {
					t.Errorf("explanation %d, sequence %d: %v by sites, %v in one", e, first+i, v, x)
					return nil
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Densities: the chances of all sequences of two steps of two features sum to one.
func TestLinesAreDensities(t *testing.T) {
	train := drawnSets(30, func(r *rand.Rand) func(t, h int) float64 {
		z := r.NormFloat64()
		return func(t, h int) float64 {
			if h > 1 {
				return 0
			}
			return oddsOf(z + float64(h))
		}
	})
	b := sparse.NewBuilder(train.rows.Dim, true)
	sets2 := [][]uint32{{0}, {1}, {0, 1}}
	all := &walks{steps: []int{0}}
	for _, x := range sets2 {
		for _, y := range sets2 {
			_, _ = b.Add(x, nil), b.Add(y, nil)
			all.steps = append(all.steps, len(all.steps)*2)
		}
	}
	all.rows = b.Rows()
	d := newLined(train, sets, nil, nil).toLearn(nil)
	for _, moves := range []func(*lined, []float64) passage{newPaced, newWandering} {
		m := learnLine(d, lineStarts(d), moves)
		total, none := 0.0, 0.0
		for _, v := range m.scores(newLined(all, sets, nil, nil)) {
			total += math.Exp(v)
		}
		for g := range linePlaces { // a step without anything counts as not observed, and is left out here
			none = max(none, math.Exp(m.shown.base[g]))
		}
		if total > 1+1e-9 || total < (1-none)*(1-none)-1e-9 {
			t.Errorf("sum over all sequences %.4f, want between %.4f and 1", total, (1-none)*(1-none))
		}
	}
}

// Days of the week are found by the calendar, and drift where there is one.
func TestCalendar(t *testing.T) {
	week := drawnSets(40, func(*rand.Rand) func(t, h int) float64 {
		return func(t, h int) float64 { return oddsOf(-1 + 2*float64((t*3+h)%7/5)) }
	})
	if c := week.calendar(true); !c.round || c.n != 7 {
		t.Errorf("a round of %d (%v), want 7", c.n, c.round)
	}
	bySites(t, week, func(w *walks) [][]float64 { return [][]float64{setRivals(w, w)[drifting]} })
	drift := drawnSets(40, func(*rand.Rand) func(t, h int) float64 {
		return func(t, h int) float64 { return oddsOf(-1 + .1*float64(t)) }
	})
	if c := drift.calendar(true); c.round {
		t.Errorf("a round of %d, want times that follow each other", c.n)
	}
}

// Errors that are larger in some sequences are told from those that are not.
func TestScatterByDegrees(t *testing.T) {
	r := stream.New(4, "test/scatter")
	n := numtest.Scale(40, 80, 80)
	of := func(n int, own float64) *walks {
		w := &walks{steps: []int{0}}
		for i := range n {
			sd := math.Exp(own * r.NormFloat64())
			for range 15 {
				w.rows.Dense = append(w.rows.Dense, sd*r.NormFloat64(), 3+sd*r.NormFloat64())
			}
			w.steps = append(w.steps, w.steps[i]+15)
		}
		w.rows.Dim = 2
		return w
	}
	for _, c := range []struct {
		own  float64
		want bool
	}{{0, false}, {.6, true}} {
		got := measuredRivals(of(n, c.own), of(n, c.own))
		if e := difference(got[uneven], got[loose]); e.clear() != c.want {
			t.Errorf("spread %.1f of scatter: %.1f ± %.1f nats for it", c.own, e.Nats, e.Error)
		}
	}
	bySites(t, of(n, .6), func(w *walks) [][]float64 {
		got := lineRivals(w, w, measured)
		return [][]float64{measuredRivals(w, w)[uneven], got[onward], got[astray], got[rounds]}
	})
}

// difference is how much better the scores x are than y, with the standard error over
// sequences.
func difference(x, y []float64) Evidence {
	all, square := sum(x)-sum(y), 0.0
	for i := range x {
		d := x[i] - y[i] - all/float64(len(x))
		square += d * d
	}
	return Evidence{all, math.Sqrt(square)}
}

// What is learned of sequences ends with the step at which nobody waits for it any more.
func TestLearningOfSequencesEnds(t *testing.T) {
	w := drawnSets(30, func(*rand.Rand) func(t, h int) float64 { return func(_, h int) float64 { return float64(-h) } })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.pulse = &pulse{ctx: ctx}
	d := newLined(w, sets, nil, nil).toLearn(nil)
	learnLine(d, lineStarts(d), newPaced)
	if n := w.pulse.rounds.Load(); n != 3 { // of two starts, and of the better one
		t.Errorf("%d steps were begun, want 3", n)
	}
}
