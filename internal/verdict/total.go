package verdict

import (
	"context"
	"math"
)

// Records with the same number of features each, three diagnoses a stay, say,
// have features that exclude each other: who has one has room for two others
// only. Groups without a continuum describe a part of that, and would be claimed
// for it. The rival is the same groups, given the number of features of a
// record, and these numbers in one heap:
//
//	p(x) = q(|x|)·p(x | |x|), p(x | |x|) = Σ_k π_k p_k(x) / Σ_k π_k P_k(|x|)
//
// where P_k is the law of a sum of independent presences. It needs no fit of its
// own. In two heaps, as five tests that most of the ill pass and hardly one of the
// healthy, q would describe any two groups that differ in all features alike, and call
// them one population.

// byTotals returns the flat fit of so many groups with the numbers of features
// of the sample, in one heap.
func (p *path) byTotals(groups int) *model {
	flat := p.at(candidate{groups, none, noRepeats})
	if flat == nil || !p.lay.presence {
		return nil
	}
	m := flat.copied()
	m.totals = make([]float64, p.lay.cols+1)
	for i, n := range p.s.count {
		m.totals[len(p.s.row(i))] += n
	}
	p.places.add(m.totals)
	m.ready()
	most := len(m.totals) - 1
	for most > 0 && m.totals[most] == 0 {
		most--
	}
	copy(m.totals, risen(m.totals[:most+1]))
	expected := m.lawOfTotals()
	for t, v := range m.totals {
		q := (v*p.s.n + half) / (p.s.n + half*float64(len(m.totals)))
		m.totals[t] = math.Log(q) - math.Log(max(expected[t], 1e-300))
	}
	return m
}

// lawOfTotals returns the law of the number of features of a record of a model
// without a continuum, from its probabilities.
func (m *model) lawOfTotals() []float64 {
	out := make([]float64, m.lay.cols+1)
	law := make([]float64, m.lay.cols+1)
	for k, weight := range m.pi {
		clear(law)
		law[0] = 1
		for j := range m.lay.cols {
			p := m.p[j*m.groups+k]
			for t := j + 1; t > 0; t-- {
				law[t] += p * (law[t-1] - law[t])
			}
			law[0] *= 1 - p
		}
		for t, v := range law {
			out[t] += weight * v
		}
	}
	return out
}

// totals tries groups given the number of features of a record, where that
// describes one population better than any continuum does.
func (j *judge) totals(ctx context.Context) error {
	one := candidate{1, sameTotal, noRepeats}
	other, _ := j.best(func(c candidate) bool { return c.groups == 1 && c.kind != sameTotal })
	if j.scores[one] == nil || !j.against(one, other).clear() {
		return nil
	}
	for _, c := range j.tried() {
		if isFlat(c) {
			if _, err := j.try(ctx, candidate{c.groups, sameTotal, noRepeats}); err != nil {
				return err
			}
		}
	}
	return nil
}
