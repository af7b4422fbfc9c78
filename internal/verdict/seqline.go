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
}

func newLined(w *walks, kind stepKind, use []int, unit [][2]float64) *lined {
	d := &lined{kind: kind, dim: w.rows.Dim, steps: w.steps, first: []int{0}}
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
	n := 0.0
	var y []float64
	for pass := range 2 {
		n = 0
		for t := range w.rows.N() {
			if y = seenValues(w, t, use, y); y == nil {
				continue
			}
			n++
			for e, v := range y {
				if pass == 0 {
					out[e][0] += v
				} else {
					out[e][1] += (v - out[e][0]) * (v - out[e][0])
				}
			}
		}
		for e := range out {
			out[e][pass] /= max(n, 1)
		}
	}
	for e := range out {
		out[e][1] = math.Sqrt(max(out[e][1], 1e-300))
	}
	return out
}

// shownAt is what steps show at every place: a log-linear law of every feature whose
// parameter is a curve along the line. Measurements scatter around it in one way.
type shownAt struct {
	on   *ground
	kind stepKind
	dim  int
	coef []float64  // dim×terms
	logs []float64  // place×dim
	base []float64  // place
	form *mat.Dense // measured: the inverse covariance
}

// lineSums is what a step of EM gathers.
type lineSums struct {
	n     []float64 // place: steps
	s     []float64 // place×dim
	outer *mat.SymDense
}

func newLineSums(d *lined) *lineSums {
	out := &lineSums{n: make([]float64, linePlaces), s: make([]float64, linePlaces*d.dim)}
	if d.kind == measured {
		out.outer = mat.NewSymDense(d.dim, nil)
		for t := range d.seen {
			x := d.x[d.first[t]:d.first[t+1]]
			if len(x) > 0 {
				out.outer.SymRankOne(out.outer, 1, mat.NewVecDense(len(x), x))
			}
		}
	}
	return out
}

// add counts a step that lies at the places with these chances.
func (s *lineSums) add(d *lined, t int, chance []float64) {
	if !d.seen[t] {
		return
	}
	for g, c := range chance {
		if c < 1e-12 {
			continue
		}
		s.n[g] += c
		row := s.s[g*d.dim:][:d.dim]
		for e := d.first[t]; e < d.first[t+1]; e++ {
			row[d.h[e]] += c * d.x[e]
		}
	}
}

// learnShown fits the curves to the sums, from those of before.
func learnShown(on *ground, d *lined, s *lineSums, before *shownAt) *shownAt {
	out := &shownAt{on: on, kind: d.kind, dim: d.dim, coef: make([]float64, d.dim*lineTerms)}
	if d.kind == measured {
		out.learnValues(s)
		return out
	}
	if before != nil {
		copy(out.coef, before.coef)
	} else {
		out.level(s)
	}
	offset := make([]float64, linePlaces)
	again := 1
	if d.kind == symbols {
		again = 3
	}
	for range again {
		if d.kind == symbols { // the sum of all chances is one at every place
			for g := range offset {
				offset[g] = -math.Log(max(out.total(g), 1e-300))
			}
		}
		for h := range d.dim {
			if !out.unseen(h) {
				out.climb(s, offset, h)
			}
		}
	}
	out.ready()
	return out
}

// level starts every curve at the mean.
func (o *shownAt) level(s *lineSums) {
	n := sum(s.n)
	for h := range o.dim {
		v := 0.0
		for g := range s.n {
			v += s.s[g*o.dim+h]
		}
		if v == 0 {
			o.coef[h*lineTerms] = neverLog
			continue
		}
		v /= n
		o.coef[h*lineTerms] = math.Log(v)
		if o.kind == sets {
			o.coef[h*lineTerms] = math.Log(v / (1 - min(v, 1-1e-6)))
		}
	}
}

// neverLog is the parameter of what was never seen, as among sets without a line.
const neverLog = -20.7

func (o *shownAt) unseen(h int) bool { return o.coef[h*lineTerms] == neverLog }

// at is the curve of a feature at a place.
func (o *shownAt) at(h, g int) float64 {
	v := 0.0
	for i, t := range o.on.term[g] {
		v += t * o.coef[h*lineTerms+i]
	}
	return min(max(v, -30), 30)
}

func (o *shownAt) total(g int) float64 {
	all := 0.0
	for h := range o.dim {
		all += math.Exp(o.at(h, g))
	}
	return all
}

// climb takes steps of Newton for the curve of one feature.
func (o *shownAt) climb(s *lineSums, offset []float64, h int) {
	const times, stride = 4, 2.
	b := o.coef[h*lineTerms:][:lineTerms]
	for range times {
		var slope [lineTerms]float64
		curve := mat.NewSymDense(lineTerms, nil)
		for i := range b {
			slope[i] = -stiffness(i) * b[i]
			curve.SetSym(i, i, stiffness(i))
		}
		for g, n := range s.n {
			if n < 1e-9 {
				continue
			}
			mean := math.Exp(o.at(h, g) + offset[g])
			spread := mean
			if o.kind == sets {
				mean /= 1 + mean
				spread = mean * (1 - mean)
			}
			term := o.on.term[g]
			for i, x := range term {
				slope[i] += x * (s.s[g*o.dim+h] - n*mean)
				for j := i; j < lineTerms; j++ {
					curve.SetSym(i, j, curve.At(i, j)+n*spread*x*term[j])
				}
			}
		}
		var chol mat.Cholesky
		var move mat.VecDense
		if !chol.Factorize(curve) || chol.SolveVecTo(&move, mat.NewVecDense(lineTerms, slope[:])) != nil {
			return
		}
		far := 0.0
		for i := range b {
			far = max(far, math.Abs(move.AtVec(i)))
		}
		for i := range b {
			b[i] += move.AtVec(i) * min(1, stride/max(far, 1e-300))
		}
		if far < 1e-6 {
			return
		}
	}
}

// learnValues fits the curves of measurements by least squares.
func (o *shownAt) learnValues(s *lineSums) {
	xx := mat.NewSymDense(lineTerms, nil)
	xy := mat.NewDense(lineTerms, o.dim, nil)
	for g, n := range s.n {
		term := o.on.term[g]
		for i, a := range term {
			for j := i; j < lineTerms; j++ {
				xx.SetSym(i, j, xx.At(i, j)+n*a*term[j])
			}
			for h := range o.dim {
				xy.Set(i, h, xy.At(i, h)+a*s.s[g*o.dim+h])
			}
		}
	}
	for i := range lineTerms {
		xx.SetSym(i, i, xx.At(i, i)+stiffness(i))
	}
	var chol mat.Cholesky
	coef := mat.NewDense(lineTerms, o.dim, nil)
	if chol.Factorize(xx) {
		_ = chol.SolveTo(coef, xy)
	}
	for h := range o.dim {
		for i := range lineTerms {
			o.coef[h*lineTerms+i] = coef.At(i, h)
		}
	}
	// Σ (y−f)(y−f)ᵀ from the sums alone.
	n := sum(s.n)
	var fit, both mat.Dense
	fit.Mul(coef.T(), xy)
	both.Mul(xx, coef)
	var square mat.Dense
	square.Mul(coef.T(), &both)
	cov := mat.NewSymDense(o.dim, nil)
	for i := range o.dim {
		for j := i; j < o.dim; j++ {
			v := (s.outer.At(i, j) - fit.At(i, j) - fit.At(j, i) + square.At(i, j)) / max(n, 1)
			if i != j {
				v *= n / (n + float64(o.dim))
			} else {
				v = max(v, 1e-6)
			}
			cov.SetSym(i, j, v)
		}
	}
	o.base, o.logs = make([]float64, linePlaces), make([]float64, linePlaces*o.dim)
	var c mat.Cholesky
	if !c.Factorize(cov) {
		for i := range o.dim {
			for j := i + 1; j < o.dim; j++ {
				cov.SetSym(i, j, 0)
			}
		}
		c.Factorize(cov)
	}
	var inverse mat.SymDense
	_ = c.InverseTo(&inverse)
	o.form = mat.DenseCopyOf(&inverse)
	logDet := c.LogDet()
	mean, by := mat.NewVecDense(o.dim, nil), mat.NewVecDense(o.dim, nil)
	for g := range linePlaces {
		for h := range o.dim {
			mean.SetVec(h, o.at(h, g))
		}
		by.MulVec(o.form, mean)
		copy(o.logs[g*o.dim:], by.RawVector().Data)
		o.base[g] = -(mat.Dot(mean, by) + logDet + float64(o.dim)*math.Log(2*math.Pi)) / 2
	}
}

// ready works out the logarithms of all places.
func (o *shownAt) ready() {
	o.base, o.logs = make([]float64, linePlaces), make([]float64, linePlaces*o.dim)
	for g := range linePlaces {
		all := 0.0
		for h := range o.dim {
			v := o.at(h, g)
			o.logs[g*o.dim+h] = v
			switch o.kind {
			case sets:
				o.base[g] -= math.Log1p(math.Exp(v))
			case counted:
				o.base[g] -= math.Exp(v)
			default:
				all += math.Exp(v)
			}
		}
		if o.kind == symbols {
			for h := range o.dim {
				o.logs[g*o.dim+h] -= math.Log(all)
				if o.unseen(h) {
					o.logs[g*o.dim+h] = impossible
				}
			}
		}
	}
}

// densities sets out to the log density of a step at every place.
func (o *shownAt) densities(d *lined, t int, out []float64) {
	if !d.seen[t] {
		fill(out, 0)
		return
	}
	own := d.own[t]
	x := d.x[d.first[t]:d.first[t+1]]
	if o.form != nil {
		v := mat.NewVecDense(len(x), x)
		own -= mat.Inner(v, o.form, v) / 2
	}
	for g := range out {
		v := o.base[g] + own
		row := o.logs[g*o.dim:][:o.dim]
		for e, h := range d.h[d.first[t]:d.first[t+1]] {
			v += x[e] * row[h]
		}
		out[g] = v
	}
}

// passage is a law of the places that a sequence takes.
type passage interface {
	// follow sets chance (steps×places) from the log densities of the steps of a
	// sequence, gathers what the law is learned from, and returns the log density of all;
	// chance nil: that alone.
	follow(density, chance []float64) float64
	// relearn sets the law by what was gathered.
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
	all := 0.0
	var density, chance []float64
	for i := range len(d.steps) - 1 {
		lo, hi := d.steps[i], d.steps[i+1]
		density, chance = grown(density, (hi-lo)*linePlaces), grown(chance, (hi-lo)*linePlaces)
		for t := lo; t < hi; t++ {
			m.shown.densities(d, t, density[(t-lo)*linePlaces:][:linePlaces])
		}
		all += m.moves.follow(density, chance)
		for t := lo; t < hi; t++ {
			sums.add(d, t, chance[(t-lo)*linePlaces:][:linePlaces])
		}
	}
	m.shown = learnShown(m.shown.on, d, sums, m.shown)
	m.moves.relearn()
	return all
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
func learnLine(d *lined, starts [][]float64, moves func(start []float64) passage) *onLine {
	var best *onLine
	top, on := math.Inf(-1), open()
	for _, z := range starts {
		sums := newLineSums(d)
		chance := make([]float64, linePlaces)
		for t, v := range z {
			clear(chance)
			chance[placeAt(v)] = 1
			sums.add(d, t, chance)
		}
		m := &onLine{learnShown(on, d, sums, nil), moves(z)}
		last := 0.0
		for range lineTrial {
			last = m.step(d)
		}
		if last > top {
			best, top = m, last
		}
	}
	return best.goOn(d, top)
}

// goOn takes the other steps of EM.
func (m *onLine) goOn(d *lined, top float64) *onLine {
	const least = 1e-5
	for range lineSteps - lineTrial {
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
	return [][]float64{standard(time), standard(lasting(d))}
}

// standard returns x in deviations from its mean.
func standard(x []float64) []float64 {
	mean := sum(x) / float64(len(x))
	square := 0.0
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	sd := math.Sqrt(max(square/float64(len(x)), 1e-300))
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
	mean, n := make([]float64, d.dim), 0.0
	for t, ok := range d.seen {
		if !ok {
			continue
		}
		n++
		for e := d.first[t]; e < d.first[t+1]; e++ {
			mean[d.h[e]] += d.x[e]
		}
	}
	times(mean, 1/max(n, 1))
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
		all := 0.0
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
					all += out[t]
					for e := d.first[t]; e < d.first[t+1]; e++ {
						w[d.h[e]] += d.x[e] * out[t]
					}
				}
			}
		}
		size := 0.0
		for h := range w {
			w[h] -= mean[h] * all
			size += w[h] * w[h]
		}
		if size <= 0 {
			return out
		}
		times(w, 1/math.Sqrt(size))
	}
	return out
}

// lineRivals scores lines without states.
func lineRivals(train, test *walks, kind stepKind) map[memory][]float64 {
	var use []int
	var unit [][2]float64
	if kind == measured {
		if use = varying(train); len(use) == 0 || len(use) > fullForecast {
			return nil
		}
		unit = unitsOf(train, use)
	}
	from, to := newLined(train, kind, use, unit), newLined(test, kind, use, unit)
	starts := lineStarts(from)
	out := map[memory][]float64{
		onward: learnLine(from, starts, newPaced(from)).scores(to),
		astray: learnLine(from, starts, newWandering(from)).scores(to),
	}
	if c := learnCircle(from); c != nil {
		out[rounds] = c.scores(to)
	}
	return out
}

// times multiplies x by a number.
func times(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}
