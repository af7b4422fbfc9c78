package verdict

import (
	"context"
	"math"
)

// tested is the model of one fold with the records that it has not seen.
type tested struct {
	model  *model
	test   *sample
	number []int // of every group of the model: the group of the claim
}

// Evidence says, of every pair of sides, how much worse records kept aside are described
// where the groups of the one and those of the other side are taken for one and the same:
// what tells the two apart is taken from each of their groups, and all else stays. It is
// zero where nothing was kept aside. Pairs are looked at side by side.
func (f *Found) Evidence(ctx context.Context, workers int, pairs [][2][]int) ([]Evidence, error) {
	with, out := make([][]float64, len(f.tests)), make([]Evidence, len(pairs))
	for i, t := range f.tests {
		with[i] = t.model.copied().score(t.test, &stats{})
	}
	err := f.places.beside(ctx, workers, len(pairs), func(i int, own *strand) (err error) {
		out[i], err = f.evidence(pairs[i], with, own)
		return err
	})
	return out, err
}

// evidence is that of one pair; with are the log densities by the models as they are.
func (f *Found) evidence(sides [2][]int, with [][]float64, places *strand) (Evidence, error) {
	var list []spot
	for n, t := range f.tests {
		m := t.model.sameSides(t.sideOf(sides[0]), t.sideOf(sides[1]))
		if m == nil {
			return Evidence{}, nil
		}
		without := m.score(t.test, &stats{})
		for i, c := range t.test.count {
			list = append(list, spot{with[n][i] - without[i], c})
		}
	}
	sums := make([]float64, 3)
	for _, p := range list {
		sums[0] += p.weight * p.at
		sums[1] += p.weight
		sums[2] += p.weight * p.at * p.at
	}
	places.add(sums)
	square := max(sums[2]-sums[0]*sums[0]/max(sums[1], tiny), 0)
	return Evidence{math.Round(sums[0]), math.Round(math.Sqrt(square))}, places.failed()
}

// sideOf returns the groups of the model that stand for groups of the claim.
func (t tested) sideOf(groups []int) []int {
	var out []int
	for own, claimed := range t.number {
		for _, g := range groups {
			if g == claimed {
				out = append(out, own)
			}
		}
	}
	return out
}

// sameSides returns the model without the difference between the means of two
// sets of its groups; nil where one of them is empty.
func (m *model) sameSides(a, b []int) *model {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	out := m.copied()
	var mean [3][]float64 // of a, of b, of both
	for i, side := range [][]int{a, b, append(append([]int(nil), a...), b...)} {
		mean[i] = m.meanOf(side)
	}
	for i, side := range [][]int{a, b} {
		for _, k := range side {
			row := out.group(k)
			for _, it := range m.lay.items {
				from, to := m.lay.free(it)
				for j := from; j < to; j++ {
					row[j] += m.lay.odds(it, j, mean[2]) - m.lay.odds(it, j, mean[i])
				}
			}
		}
	}
	return out
}

// meanOf returns the mean frequency of every column in groups, in the middle of
// their continuum.
func (m *model) meanOf(groups []int) []float64 {
	out := make([]float64, m.lay.cols)
	total := 0.0
	for _, k := range groups {
		total += m.pi[k]
		b := m.group(k)
		for _, it := range m.lay.items {
			if m.lay.presence {
				out[it.first] += m.pi[k] / (1 + math.Exp(-b[it.first]))
				continue
			}
			sum := 0.0
			for j := it.first; j < it.first+it.answers; j++ {
				sum += math.Exp(b[j])
			}
			for j := it.first; j < it.first+it.answers; j++ {
				out[j] += m.pi[k] * math.Exp(b[j]) / sum
			}
		}
	}
	for j := range out {
		out[j] /= total
	}
	return out
}

// odds is the log-odds of a column of an item, against the item's reference.
func (l *layout) odds(it item, j int, p []float64) float64 {
	const least = 1e-9
	ref := p[it.first]
	if l.presence {
		ref = 1 - p[j]
	}
	return math.Log(max(p[j], least) / max(ref, least))
}
