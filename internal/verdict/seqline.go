package verdict

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
)

// A line without states: every step lies somewhere on one line, and what it shows
// depends on the place by degrees. Sequences pass it each at its own pace, or wander on
// it little by little. Hidden states describe such sequences as well, and more of them
// the longer one looks: they are slices of the line (state space models, Durbin and
// Koopman 2012; latent curves, Bollen and Curran 2006; fitted here on a grid).

const (
	linePlaces = 31  // on the line
	lineReach  = 3.2 // of the line to either side
	lineTerms  = 5   // of the curve of a feature along the line
	lineRidge  = 1   // precision of its slope; that of the j-th term is j² times as high
	lineSteps  = 25  // of EM
	lineTrial  = 5   // of them before the better start is taken
)

// place is the middle of a place of the line.
func place(g int) float64 { return lineReach * (2*float64(g)/(linePlaces-1) - 1) }

// placeAt is the place that a point lies in.
func placeAt(z float64) int {
	g := int(math.Round((z/lineReach + 1) / 2 * (linePlaces - 1)))
	return min(max(g, 0), linePlaces-1)
}

// ground is what sequences pass: a line, or a circle on which they go round.
type ground struct {
	term [linePlaces][lineTerms]float64
}

// open is a line: curves along it are polynomials (of Hermite).
func open() *ground {
	var g ground
	for i := range g.term {
		z := place(i)
		g.term[i] = [...]float64{1, z, (z*z - 1) / math.Sqrt2, (z*z*z - 3*z) / math.Sqrt(6), (z*z*z*z - 6*z*z + 3) / math.Sqrt(24)}
	}
	return &g
}

// closed is a circle: curves along it are waves, once and twice a round.
func closed() *ground {
	var g ground
	for i := range g.term {
		z := 2 * math.Pi * float64(i) / linePlaces
		g.term[i] = [...]float64{1, math.Cos(z), math.Sin(z), math.Cos(2 * z), math.Sin(2 * z)}
	}
	return &g
}

// stiffness is the precision of a term.
func stiffness(term int) float64 {
	if term == 0 {
		return 1e-6
	}
	return lineRidge * float64(term*term)
}

// lined are the steps of sequences as a line sees them: the features of a step and how
// much of each. Measurements are in units of the sequences that were learned from.
type lined struct {
	kind  stepKind
	dim   int
	steps []int // of sequence i: steps[i] to steps[i+1]
	first []int // of a step: its entries
	h     []int32
	x     []float64
	own   []float64 // of a step: the part of its log density that no place changes
	seen  []bool

	// What learning asks of all sequences, wherever they lie.
	sites *strand       // nil where all are here
	many  [2]float64    // sequences, steps
	outer *mat.SymDense // measured: the sum of x·xᵀ

	*pulse // ends learning when nobody waits for it any more
}

// toLearn returns the steps for learning from those of all sites.
func (d *lined) toLearn(sites *strand) *lined {
	d.sites, d.many = sites, [2]float64{float64(len(d.steps) - 1), float64(len(d.seen))}
	d.outer = mat.NewSymDense(d.dim, nil)
	for t := 0; t < len(d.seen) && d.kind == measured; t++ {
		if x := d.x[d.first[t]:d.first[t+1]]; len(x) > 0 {
			d.outer.SymRankOne(d.outer, 1, mat.NewVecDense(len(x), x))
		}
	}
	sites.add(d.many[:], d.outer.RawSymmetric().Data)
	return d
}

// on returns the same steps on another strand.
func (d *lined) on(own *strand) *lined {
	out := *d
	out.sites = own
	return &out
}

func newLined(w *walks, kind stepKind, use []int, unit [][2]float64) *lined {
	d := &lined{kind: kind, dim: w.rows.Dim, steps: w.steps, first: []int{0}, pulse: w.pulse}
	if kind == measured {
		d.dim = len(use)
	}
	var y []float64
	for t := range w.rows.N() {
		own, seen := 0.0, false
		if kind == measured {
			if y = seenValues(w, t, use, y); y != nil {
				seen = true
				for e, v := range y {
					d.h, d.x = append(d.h, int32(e)), append(d.x, (v-unit[e][0])/unit[e][1])
					own -= math.Log(unit[e][1])
				}
			}
		} else {
			w.rows.Each(t, func(h int, x float64) {
				if x == 0 {
					return
				}
				seen = true
				d.h, d.x = append(d.h, int32(h)), append(d.x, x)
				if kind == counted {
					lg, _ := math.Lgamma(x + 1)
					own -= lg
				}
			})
		}
		d.first, d.own, d.seen = append(d.first, len(d.h)), append(d.own, own), append(d.seen, seen)
	}
	return d
}

// unitsOf are the means and deviations of measurements.
func unitsOf(w *walks, use []int) [][2]float64 {
	out := make([][2]float64, len(use))
	var y []float64
	for pass := range 2 {
		n, total := []float64{0}, make([]float64, len(use))
		for t := range w.rows.N() {
			if y = seenValues(w, t, use, y); y == nil {
				continue
			}
			n[0]++
			for e, v := range y {
				if pass == 0 {
					total[e] += v
				} else {
					total[e] += (v - out[e][0]) * (v - out[e][0])
				}
			}
		}
		w.places.add(n, total)
		for e, v := range total {
			out[e][pass] = v / max(n[0], 1)
		}
	}
	for e := range out {
		out[e][1] = math.Sqrt(max(out[e][1], 1e-300))
	}
	return out
}

// passage is a law of the places that a sequence takes.
type passage interface {
	// follow sets chance (steps×places) from the log densities of the steps of a
	// sequence, gathers what the law is learned from, and returns the log density of all;
	// chance nil: that alone.
	follow(density, chance []float64) float64
	// gathered is that: sums over sequences.
	gathered() [][]float64
	// relearn sets the law by it.
	relearn()
}

// onLine is a law of sequences on a line.
type onLine struct {
	shown *shownAt
	moves passage
}

// step is a step of EM; it returns the log density of all sequences before it.
func (m *onLine) step(d *lined) float64 {
	sums := newLineSums(d)
	all := []float64{0}
	var density, chance []float64
	for i := range len(d.steps) - 1 {
		lo, hi := d.steps[i], d.steps[i+1]
		density, chance = grown(density, (hi-lo)*linePlaces), grown(chance, (hi-lo)*linePlaces)
		for t := lo; t < hi; t++ {
			m.shown.densities(d, t, density[(t-lo)*linePlaces:][:linePlaces])
		}
		all[0] += m.moves.follow(density, chance)
		for t := lo; t < hi; t++ {
			sums.add(d, t, chance[(t-lo)*linePlaces:][:linePlaces])
		}
	}
	d.sites.add(append(m.moves.gathered(), sums.n, sums.s, all)...)
	m.shown = learnShown(m.shown.on, d, sums, m.shown)
	m.moves.relearn()
	return all[0]
}

func grown(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// scores returns the log density of every sequence.
func (m *onLine) scores(d *lined) []float64 {
	out := make([]float64, len(d.steps)-1)
	var density []float64
	for i := range out {
		lo, hi := d.steps[i], d.steps[i+1]
		density = grown(density, (hi-lo)*linePlaces)
		for t := lo; t < hi; t++ {
			m.shown.densities(d, t, density[(t-lo)*linePlaces:][:linePlaces])
		}
		out[i] = m.moves.follow(density, nil)
	}
	return out
}

// learnLine fits a line from every start, a few steps each, and goes on from the best.
func learnLine(d *lined, starts [][]float64, moves func(d *lined, start []float64) passage) *onLine {
	list, last := make([]*onLine, len(starts)), make([]float64, len(starts))
	d.sites.each(len(starts), func(i int, own *strand) {
		d := d.on(own)
		sums := newLineSums(d)
		chance := make([]float64, linePlaces)
		for t, v := range starts[i] {
			clear(chance)
			chance[placeAt(v)] = 1
			sums.add(d, t, chance)
		}
		d.sites.add(sums.n, sums.s)
		list[i] = &onLine{learnShown(open(), d, sums, nil), moves(d, starts[i])}
		for range lineTrial {
			if !d.beat() {
				return
			}
			last[i] = list[i].step(d)
		}
	})
	best := 0
	for i, v := range last {
		if v > last[best] {
			best = i
		}
	}
	return list[best].goOn(d, last[best])
}

// goOn takes the other steps of EM.
func (m *onLine) goOn(d *lined, top float64) *onLine {
	const least = 1e-5
	for range lineSteps - lineTrial {
		if !d.beat() {
			break
		}
		now := m.step(d)
		if now-top < least*math.Abs(top) {
			break
		}
		top = now
	}
	return m
}

// lineStarts are points for every step: by time, and by what goes on from step to step.
func lineStarts(d *lined) [][]float64 {
	n := len(d.seen)
	time := make([]float64, n)
	for i := range len(d.steps) - 1 {
		for t := d.steps[i]; t < d.steps[i+1]; t++ {
			time[t] = float64(t - d.steps[i])
		}
	}
	return [][]float64{d.standard(time), d.standard(lasting(d))}
}

// standard returns a number of every step in deviations from the mean.
func (d *lined) standard(x []float64) []float64 {
	mean := d.sites.one(sum(x)) / d.many[1]
	square := 0.0
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	sd := math.Sqrt(max(d.sites.one(square)/d.many[1], 1e-300))
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = (v - mean) / sd
	}
	return out
}

// lasting scores steps by the features that go on together from step to step: the
// leading direction of what a step and those around it share.
func lasting(d *lined) []float64 {
	const again, around = 15, 3
	r := stream.New(1, "verdict/line")
	w := make([]float64, d.dim)
	for h := range w {
		w[h] = r.NormFloat64()
	}
	mean, n := make([]float64, d.dim), []float64{0}
	for t, ok := range d.seen {
		if !ok {
			continue
		}
		n[0]++
		for e := d.first[t]; e < d.first[t+1]; e++ {
			mean[d.h[e]] += d.x[e]
		}
	}
	d.sites.add(mean, n)
	times(mean, 1/max(n[0], 1))
	raw, out := make([]float64, len(d.seen)), make([]float64, len(d.seen))
	for range again {
		shift := 0.0
		for h, v := range mean {
			shift += v * w[h]
		}
		for t, ok := range d.seen {
			raw[t] = 0
			if !ok {
				continue
			}
			for e := d.first[t]; e < d.first[t+1]; e++ {
				raw[t] += d.x[e] * w[d.h[e]]
			}
			raw[t] -= shift
		}
		clear(w)
		all := []float64{0}
		for i := range len(d.steps) - 1 {
			lo, hi := d.steps[i], d.steps[i+1]
			for t := lo; t < hi; t++ {
				v, many := 0.0, 0.0
				for u := max(lo, t-around); u < min(hi, t+around+1); u++ {
					v += raw[u]
					many++
				}
				out[t] = v / many
				if d.seen[t] {
					all[0] += out[t]
					for e := d.first[t]; e < d.first[t+1]; e++ {
						w[d.h[e]] += d.x[e] * out[t]
					}
				}
			}
		}
		d.sites.add(w, all)
		size := 0.0
		for h := range w {
			w[h] -= mean[h] * all[0]
			size += w[h] * w[h]
		}
		if size <= 0 {
			return out
		}
		times(w, 1/math.Sqrt(size))
	}
	return out
}

// mostLined are the features up to which sites add up what lines show.
const mostLined = 500

// lineRivals scores lines without states.
func lineRivals(train, test *walks, kind stepKind) map[memory][]float64 {
	if train.places != nil && train.rows.Dim > mostLined {
		return nil
	}
	var use []int
	var unit [][2]float64
	if kind == measured {
		if use = varying(train); len(use) == 0 || len(use) > fullForecast {
			return nil
		}
		unit = unitsOf(train, use)
	}
	from, to := newLined(train, kind, use, unit).toLearn(train.places), newLined(test, kind, use, unit)
	starts := lineStarts(from)
	return train.rivals(
		func(train *walks, score scoring) {
			score(onward, learnLine(from.on(train.places), starts, newPaced).scores(to))
		},
		func(train *walks, score scoring) {
			score(astray, learnLine(from.on(train.places), starts, newWandering).scores(to))
		},
		func(train *walks, score scoring) {
			if c := learnCircle(from.on(train.places), starts[1]); c != nil {
				score(rounds, c.scores(to))
			}
		},
	)
}

// times multiplies x by a number.
func times(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}
