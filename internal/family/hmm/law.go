package hmm

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Law is a family of a log-linear density, what a state then emits: a visit is a
// set of codes (Bernoulli) or has a count of each (Poisson).
type Law interface {
	family.Family
	Density() loglinear.Density
}

// lawful are emissions of such a law. Statistics: those of its table.
type lawful struct {
	d    loglinear.Density
	p    mixture.Params // centers alone, all weights equal
	t    *loglinear.Table
	even float64 // log of the weight of a state
}

// alone returns centers as the parameters of a mixture of equal weights.
func alone(p mixture.Params) mixture.Params {
	w := make([]float64, p.K())
	for j := range w {
		w[j] = 1 / float64(len(w))
	}
	return mixture.New(p.Centers, w)
}

func newLawful(law Law, p mixture.Params) *lawful {
	l := &lawful{d: law.Density(), p: alone(p), even: math.Log(1 / float64(p.K()))}
	l.t = l.d.Table(l.p)
	return l
}

// blank reports a row that has not been observed: nothing is in it, or something
// is missing.
func blank(rows sparse.Rows, i int) bool {
	any := false
	missing := false
	rows.Each(i, func(_ int, x float64) {
		any = any || x != 0
		missing = missing || math.IsNaN(x)
	})
	return !any || missing
}

func (l *lawful) scores(b pass.Block, out []float64) error {
	k := l.t.K
	l.t.Scores(b.Rows, out)
	for i := range b.Rows.N() {
		row := out[i*k:][:k]
		if blank(b.Rows, i) {
			clear(row)
			continue
		}
		if err := l.d.Legal(l.p, b.Rows, i); err != nil {
			return stepError(b, i, err)
		}
		base := l.d.Base(l.p, b.Rows, i) - l.even
		for j := range row {
			row[j] += base
		}
	}
	return nil
}

func (l *lawful) size() int { return 2 + l.t.K + l.t.D*l.t.K }

func (l *lawful) gather(state []float64, rows sparse.Rows, gamma []float64) {
	k := l.t.K
	s := l.t.Stats(state)
	for i := range rows.N() {
		if blank(rows, i) {
			continue
		}
		state[1]++
		g := gamma[i*k:][:k]
		for j, v := range g {
			s.Count[j] += v
		}
		rows.Each(i, func(h int, x float64) {
			to := s.Sum.RawRowView(h)
			for j, v := range g {
				to[j] += v * x
			}
		})
	}
}

func (l *lawful) maximise(state []float64, p mixture.Params, pseudo float64) mixture.Params {
	s := l.t.Stats(state)
	if !(s.N > 0) {
		return p
	}
	if learned, err := l.d.Learn(s, l.p, pseudo); err == nil {
		p.Centers = learned.Centers
	}
	return p
}

func (l *lawful) prior(state []float64, p mixture.Params) float64 {
	s := l.t.Stats(state)
	if !(s.N > 0) {
		return 0
	}
	return l.d.Prior(s, alone(p), 1)
}

// startLaw keeps centers of a decomposition inside the legal range: at least a
// little of the mean, and of shares at most nearly all.
func startLaw(m *mat.Dense, mean []float64, shares bool) *mat.Dense {
	out := mat.DenseCopyOf(m)
	out.Apply(func(h, _ int, v float64) float64 {
		v = math.Max(v, math.Max(startShare*mean[h], startLeast))
		if shares {
			v = math.Min(v, 1-startShare*(1-math.Min(mean[h], 1))-startLeast)
		}
		return v
	}, out)
	return out
}

// startLeast is the least probability or mean of a start.
const startLeast = 1e-4

// sampleLaw draws a row for every state.
func (f Family) sampleLaw(p mixture.Params, r *rand.Rand, states []int) (sparse.Rows, error) {
	one := make([]mixture.Params, p.K())
	for j := range one {
		one[j] = mixture.New(mixture.Columns(p.Centers, []int{j}), []float64{1})
	}
	parts := make([]sparse.Rows, len(states))
	for i, j := range states {
		draw, err := f.o.Of.Sample(one[j], r, 1, family.Shape{})
		if err != nil {
			return sparse.Rows{}, err
		}
		parts[i] = draw.Rows
	}
	return sparse.Join(p.Dim(), parts), nil
}
