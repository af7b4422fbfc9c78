package verdict

import "math"

// most periods of time that a drift is looked for in, and the steps of one.
const (
	mostPeriods = 12
	leastPeriod = 200
	mostRound   = 31 // steps of a round that comes again and again
	mostDates   = max(mostPeriods+1, mostRound)
)

// calendar tells the period of a step by its number: times that follow each other, or
// the places of a round that comes again, such as the days of a week.
type calendar struct {
	n     int
	round bool
	of    func(t int) int
}

// calendar returns the periods that describe the steps best, by BIC; one for all where
// nobody asks.
func (w *walks) calendar(asked bool) *calendar {
	if !asked {
		return &calendar{n: 1, of: func(int) int { return 0 }}
	}
	if w.dates != nil {
		return w.dates
	}
	at := w.numbered()
	list := []*calendar{periods(at)}
	for p := 2; p <= min(mostRound, len(at)/2); p++ {
		list = append(list, &calendar{n: p, round: true, of: func(t int) int { return t % p }})
	}
	var tallies []*dated
	var numbers [][]float64
	for _, c := range list {
		t := w.tally(c)
		tallies, numbers = append(tallies, t), append(numbers, t.n, t.s, t.square, t.used)
	}
	w.places.add(numbers...)
	kind, low := w.kind(), math.Inf(1)
	for i, t := range tallies {
		if bic := t.bic(kind); bic < low {
			w.dates, low = list[i], bic
		}
	}
	return w.dates
}

// dated is what the steps of every period come to.
type dated struct {
	n, s         []float64 // period: steps; period×feature: sums
	square, used []float64 // feature: squares; values that are not nought
}

func (w *walks) tally(c *calendar) *dated {
	d := w.rows.Dim
	out := &dated{make([]float64, c.n), make([]float64, c.n*d), make([]float64, d), make([]float64, d)}
	for i := range w.n() {
		for t := w.steps[i]; t < w.steps[i+1]; t++ {
			p, seen := c.of(t-w.steps[i]), w.rows.IsDense()
			w.rows.Each(t, func(h int, x float64) {
				if math.IsNaN(x) {
					return
				}
				seen = seen || x != 0
				out.s[p*d+h] += x
				out.square[h] += x * x
				out.used[h] += boolean(x != 0)
			})
			out.n[p] += boolean(seen)
		}
	}
	return out
}

// bic is that of steps that differ between periods alone.
func (t *dated) bic(kind stepKind) float64 {
	all, bic, used, d := sum(t.n), 0.0, 0.0, len(t.used)
	for _, m := range t.n {
		used += boolean(m > 0)
	}
	for h := range d {
		if t.used[h] == 0 {
			continue
		}
		bic += used * math.Log(max(all, 1))
		between := 0.0
		for p, m := range t.n {
			if m == 0 {
				continue
			}
			v := t.s[p*d+h] / m
			switch {
			case kind == measured:
				between += m * v * v
			case v > 0 && kind == sets && v < 1:
				bic -= 2 * m * (v*math.Log(v) + (1-v)*math.Log(1-v))
			case v > 0 && kind == symbols:
				bic -= 2 * m * v * math.Log(v)
			case v > 0 && kind == counted:
				bic -= 2 * m * (v*math.Log(v) - v)
			}
		}
		if kind == measured {
			bic += all * math.Log(max(t.square[h]-between, 1e-300)/max(all, 1))
		}
	}
	return bic
}

// periods cuts the steps of sequences by their number into periods with about as
// many steps each, of which at counts those of every number.
func periods(at []float64) *calendar {
	share := max(leastPeriod, math.Ceil(sum(at)/mostPeriods))
	period, in, now := make([]int, len(at)), 0.0, 0
	for t, n := range at {
		if in >= share {
			now, in = now+1, 0
		}
		period[t] = now
		in += n
	}
	return &calendar{n: mostPeriods + 1, of: func(t int) int {
		if len(period) == 0 {
			return 0
		}
		return period[min(t, len(period)-1)]
	}}
}
