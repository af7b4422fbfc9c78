package verdict

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/pass"
)

// Counts that scatter more than chance (bursts, lost counts, a negative binomial
// law) have a variance of μ(1+δμ) for a mean of μ. A mixture of laws that know
// only chance cuts such a population into slices. So counts are divided by 1+δμ,
// after which their variance is near their mean again; δ is what is left inside a
// few components, the middle one over features, so that features which differ
// between groups do not count.

// pilotGroups is the number of components inside which scatter is measured.
const pilotGroups = 8

// Scattered looks for k groups of counts that scatter more than chance. It returns
// them, and what a count of every feature weighs; nil where counts do not scatter so, or
// there are too few records to tell. All is done by sums, as in Mix.
func Scattered(ctx context.Context, run pass.Runner, k int, s Settings) (*Found, []float64, error) {
	d, err := drawBag(ctx, run, 0, newStrand(ctx, run))
	if err != nil {
		return nil, nil, err
	}
	if d.cols < 2 || d.all() < max(leastRecords, k) {
		return nil, nil, d.places.failed()
	}
	d.calm(d.overall(), max(k, pilotGroups), s.Seed)
	if d.scatter == 0 {
		return nil, nil, d.places.failed()
	}
	m, _ := d.fits(d.overall(), s.Seed, "told").fit(k)
	return &Found{Plain: true, Records: d.record, groups: k, places: d.places, by: bagPlacer{d, m, singly(k)}}, d.weights(), d.places.failed()
}

// weights is what a count of every feature weighs in a record of usual size; nil where
// counts scatter as chance has it.
func (d *drawnBag) weights() []float64 {
	if d.scatter == 0 {
		return nil
	}
	out := make([]float64, len(d.mean))
	for j, m := range d.mean {
		out[j] = 1 / (1 + d.scatter*m)
	}
	return out
}

// calm measures the scatter inside so many components and divides the counts by it.
func (d *drawnBag) calm(base []float64, groups int, seed uint64) {
	if d.trials > 0 {
		return
	}
	k := min(groups, max(1, d.all()/40))
	m, share := d.fits(base, seed, "pilot").fit(k)
	labels := make([]int, d.n())
	for i := range labels {
		row := share[i*k:][:k]
		for j, v := range row {
			if v > row[labels[i]] {
				labels[i] = j
			}
		}
	}
	d.scatter, d.base = d.excess(m, labels), base
	if d.scatter == 0 {
		return
	}
	out := &bag{cols: d.cols, ptr: []int{0}, places: d.places}
	for i := range d.n() {
		index, value := d.row(i)
		out.add(index, d.calmed(index, value))
	}
	d.bag = *out
}

// calmed returns the counts of a record divided by their scatter.
func (d *drawnBag) calmed(index []uint32, value []float32) []float32 {
	if d.scatter == 0 {
		return value
	}
	total := 0.0
	for _, v := range value {
		total += float64(v)
	}
	out := make([]float32, len(value))
	for e, v := range value {
		out[e] = float32(float64(v) / (1 + d.scatter*total*d.base[index[e]]))
	}
	return out
}

// excess returns δ: the middle over the more frequent features of how much more
// than chance the counts of a component scatter.
func (d *drawnBag) excess(m *bagMix, labels []int) float64 {
	const least, calm, steep = .2, .02, 5
	square, mean := make([]float64, d.cols), make([]float64, d.cols)
	for i, c := range labels {
		index, value := d.row(i)
		for j := range mean {
			mu := d.size[i] * m.prob[j*m.k+c]
			mean[j] += mu
			square[j] += mu // (0−μ)²/μ
		}
		for e, j := range index {
			x, mu := float64(value[e]), d.size[i]*m.prob[int(j)*m.k+c]
			square[j] += (x-mu)*(x-mu)/mu - mu
		}
	}
	n := []float64{float64(d.n())}
	d.places.add(square, mean, n)
	free := n[0] - float64(m.k)
	type one struct{ mean, delta float64 }
	var list []one
	for j := range mean {
		mu := mean[j] / n[0]
		list = append(list, one{mu, (square[j]/free - 1) / mu})
	}
	slices.SortFunc(list, func(a, b one) int {
		if a.mean > b.mean {
			return -1
		}
		return 1
	})
	end := 0
	for end < len(list) && (list[end].mean >= least || end < min(5, len(list))) {
		end++
	}
	deltas := make([]float64, end)
	for i, o := range list[:end] {
		deltas[i] = o.delta
	}
	slices.Sort(deltas)
	delta := deltas[end/2]
	if delta*list[end/2].mean < calm || math.IsNaN(delta) {
		return 0
	}
	return min(delta, steep)
}
