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
	f      Shaped
	p      mixture.Params
	d      int     // features that take part
	labels []int32 // of a partition; nil for the posterior
}

func (s shapedStep) Len() int { return heads + normals.StatsLen(s.p.K(), s.d, s.f.shape) }

func (s shapedStep) Add(state []float64, b pass.Block) error {
	k := s.p.K()
	stats := normals.NewStats(state[heads:], k, s.d, s.f.shape)
	var bad error
	err := s.f.walk(s.p, b, func(lo int, c *clouds, t normals.Table, post, logp []float64) {
		if s.labels == nil {
			state[0] += floats.Sum(logp)
			state[1] += float64(t.N)
			stats.Expect(c.m, t, post)
			return
		}
		if bad == nil {
			bad = s.given(post, b.First+lo)
		}
		t, post = complete(t, post, k)
		state[1] += float64(t.N)
		stats.Add(t, post)
	})
	if err == nil {
		err = bad
	}
	return err
}

// complete returns the rows of which nothing is missing, with their memberships: a
// partition is learned from these alone, before there are covariances to fill in
// the others by.
func complete(t normals.Table, post []float64, k int) (normals.Table, []float64) {
	var list []int
	for i := range t.N {
		if !normals.Blank(t.Row(i)) {
			list = append(list, i)
		}
	}
	if len(list) == t.N {
		return t, post
	}
	var member []float64
	for _, i := range list {
		member = append(member, post[i*k:][:k]...)
	}
	return t.Rows(list), member
}

// given sets memberships to those of the partition.
func (s shapedStep) given(post []float64, first int) error {
	k := s.p.K()
	clear(post)
	for i := range len(post) / k {
		if first+i >= len(s.labels) || s.labels[first+i] < 0 || int(s.labels[first+i]) >= k {
			return fmt.Errorf("gaussian: record %d has no group among %d", first+i+1, k)
		}
		post[i*k+int(s.labels[first+i])] = 1
	}
	return nil
}

// EStep implements family.Family.
func (f Shaped) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return shapedStep{f, p, len(f.frame(p).column), nil}, nil
}

// HardStep implements family.Grouped.
func (f Shaped) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	if labels == nil {
		labels = []int32{}
	}
	return shapedStep{f, p, len(f.frame(p).column), labels}, nil
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
