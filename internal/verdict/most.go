package verdict

import (
	"cmp"
	"math"
	"slices"
)

// most returns the sum of the largest of the spots, of so many records by their
// weights; one of them may count in part. Over several places the border above
// which they lie is found by counting spots in bins, again and again in the bin
// where it lies, until that is too small to matter.
func (a *strand) most(list []spot, records float64) float64 {
	if a != nil {
		return a.binnedMost(list, records)
	}
	slices.SortStableFunc(list, func(x, y spot) int { return cmp.Compare(y.at, x.at) })
	total := 0.0
	for _, p := range list {
		out := min(records, p.weight)
		records -= out
		total += p.at * out
	}
	return total
}

func (a *strand) binnedMost(list []spot, records float64) float64 {
	const rounds, bins, reach = 3, 4096, 64
	whole := make([]float64, 3)
	for _, p := range list {
		whole[0] += p.weight
		whole[1] += p.weight * p.at
		whole[2] += p.weight * p.at * p.at
	}
	a.add(whole)
	mean := whole[1] / max(whole[0], tiny)
	sd := math.Sqrt(max(whole[2]/max(whole[0], tiny)-mean*mean, 0))
	lo, hi := mean-reach*sd, mean+reach*sd // nothing of so many records lies farther
	above, value := 0.0, 0.0
	for range rounds {
		weight, part := make([]float64, bins+1), make([]float64, bins+1)
		width := (hi - lo) / bins
		for _, p := range list {
			switch {
			case p.at >= hi:
				weight[bins] += p.weight
				part[bins] += p.weight * p.at
			case p.at >= lo:
				bin := min(int((p.at-lo)/max(width, math.SmallestNonzeroFloat64)), bins-1)
				weight[bin] += p.weight
				part[bin] += p.weight * p.at
			}
		}
		a.add(weight, part)
		above, value = weight[bins], part[bins]
		bin := bins - 1
		for ; bin > 0 && above+weight[bin] < records; bin-- {
			above += weight[bin]
			value += part[bin]
		}
		lo, hi = lo+float64(bin)*width, lo+float64(bin+1)*width
	}
	return value + max(records-above, 0)*lo
}
