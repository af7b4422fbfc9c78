package gaussian

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// State of the E-step: log-likelihood, n, then the statistics of the clouds in
// the frame of the parameters.
type shapedStep struct {
	shape normals.Shape
	p     mixture.Params
	c     *clouds
	step  *normals.Step
}

func (s shapedStep) Len() int { return heads + normals.StatsLen(s.p.K(), len(s.c.column), s.shape) }

func (s shapedStep) stats(state []float64) normals.Stats {
	return normals.NewStats(state[heads:], s.p.K(), len(s.c.column), s.shape)
}

func (s shapedStep) Add(state []float64, b pass.Block) error {
	if err := fits(s.p, b); err != nil {
		return err
	}
	stats := s.stats(state)
	p := s.c.walk(b.Rows, s.step, func(_ int, p *normals.Panel) {
		state[0] += floats.Sum(p.Log)
		p.Add(stats)
	})
	p.Settle(stats)
	s.step.Free(p)
	state[1] += float64(b.Rows.N())
	return nil
}

// EStep implements family.Family.
func (f Shaped) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	c := f.clouds(p)
	return shapedStep{f.shape, p, c, c.m.Step()}, nil
}

// shapedHard is the E-step of a partition. It is learned from the records of which nothing is
// missing, before there are covariances to fill in the others by.
type shapedHard struct {
	shapedStep
	labels []int32
}

func (s shapedHard) Add(state []float64, b pass.Block) error {
	if err := fits(s.p, b); err != nil {
		return err
	}
	stats, n := s.stats(state), b.Rows.N()
	t := normals.Table{N: n, D: len(s.c.column), X: make([]float64, n*len(s.c.column))}
	s.c.set(t, b.Rows, make([]float64, n))
	for i := range n {
		record := b.First + i
		if record >= len(s.labels) || s.labels[record] < 0 || int(s.labels[record]) >= stats.K {
			return fmt.Errorf("gaussian: record %d has no group among %d", record+1, stats.K)
		}
		if x := t.Row(i); !normals.Blank(x) {
			state[1]++
			stats.Given(x, int(s.labels[record]))
		}
	}
	return nil
}

// HardStep implements family.Grouped.
func (f Shaped) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return shapedHard{shapedStep{f.shape, p, f.frame(p), nil}, labels}, nil
}

// rows is the weight of the prior, in records of a covariance of 1 in the scaled
// features: so many that no component shrinks to a point.
func (f Shaped) rows(pseudo float64, d int) float64 {
	switch f.shape {
	case normals.Own:
		return pseudo * float64(d+2)
	case normals.Diagonal:
		return 2 * pseudo
	}
	return pseudo
}

// MStep implements family.Family: with S the sum of products around the mean,
// a covariance is (S + ν·I)/(n + ν), ν the weight of the prior.
func (f Shaped) MStep(state []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	n := state[1]
	if !(n > 0) {
		return old, nil, fmt.Errorf("gaussian: no records to learn from")
	}
	c, k := f.frame(old), old.K()
	d := len(c.column)
	stats := normals.NewStats(state[heads:], k, d, f.shape)
	mean, second := stats.Centred()
	centers := mat.DenseCopyOf(old.Centers)
	for j, size := range stats.Size {
		if size <= 0 {
			continue // an emptied component keeps its place
		}
		for i, h := range c.column {
			centers.Set(h, j, c.value(i, mean[j*d+i]))
		}
	}
	before := f.packed(old.Extra[CovarianceOf], d, k)
	f.divide(second, before, stats.Size, n, f.rows(pseudo, d), d)
	p := mixture.New(centers, weighed(stats.Size, n)).With(ScaleOf, old.Extra[ScaleOf])
	return p.With(CovarianceOf, f.unpacked(second, d, k)), loglinear.Emptied(stats.Size), nil
}

// divide turns sums of products into covariances. Those of components without
// records stay as they were before.
func (f Shaped) divide(second, before, size []float64, n, rows float64, d int) {
	if d == 0 {
		return
	}
	each := d
	if f.square() {
		each = d * (d + 1) / 2
	}
	for b := range len(second) / each {
		s, mass := second[b*each:][:each], n
		if f.shape == normals.Own || f.shape == normals.Diagonal {
			mass = size[b]
		}
		if mass+rows <= 0 {
			copy(s, before[b*each:][:each])
			continue
		}
		at := 0
		for i := range d {
			if f.square() {
				for range i {
					s[at] /= mass + rows
					at++
				}
			}
			s[at] = max((s[at]+rows)/(mass+rows), leastVariance)
			at++
		}
	}
}

// Objective adds the logarithm of the prior.
func (f Shaped) Objective(state []float64, p mixture.Params, pseudo float64) float64 {
	if pseudo == 0 {
		return state[0]
	}
	c := f.clouds(p)
	return state[0] + c.m.LogPrior(f.rows(pseudo, len(c.column)))
}
