package verdict

import (
	"cmp"
	"math"
	"slices"
)

// spot is a place on a line, with the weight of the record that lies there.
type spot struct{ at, weight float64 }

// twoMeans is how well two means describe what lies below a border and above it,
// less what one mean describes; −Inf where next to nobody lies on one side.
func twoMeans(below, first, total, sum float64) float64 {
	if below <= .01*total+2 || below >= .99*total-2 {
		return math.Inf(-1)
	}
	return first*first/below + (sum-first)*(sum-first)/(total-below)
}

// border returns the place that two means of the spots fit best around. Over
// several places spots are counted in bins: no place of a record is reported.
func (a *strand) border(along []spot) (border float64, ok bool) {
	if a != nil {
		return a.binnedBorder(along)
	}
	total, sum := 0.0, 0.0
	for _, p := range along {
		total += p.weight
		sum += p.weight * p.at
	}
	sortSpots(along)
	below, first, best := 0.0, 0.0, math.Inf(-1)
	for _, p := range along {
		below += p.weight
		first += p.weight * p.at
		if f := twoMeans(below, first, total, sum); f > best {
			best, border = f, p.at
		}
	}
	return border, !math.IsInf(best, -1)
}

// sortSpots puts spots in order, equal ones as they were.
func sortSpots(list []spot) {
	order := make([]placedSpot, len(list))
	for i, p := range list {
		order[i] = placedSpot{p, int32(i)}
	}
	slices.SortFunc(order, func(x, y placedSpot) int {
		switch {
		case x.at < y.at:
			return -1
		case x.at > y.at:
			return 1
		}
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.place, y.place)) // no number is before all
	})
	for i, p := range order {
		list[i] = p.spot
	}
}

type placedSpot struct {
	spot
	place int32
}

// Bins of a border: over four standard deviations to either side.
const (
	borderBins  = 128
	borderReach = 4
)

func (a *strand) binnedBorder(along []spot) (border float64, ok bool) {
	whole := make([]float64, 3)
	for _, p := range along {
		whole[0] += p.weight
		whole[1] += p.weight * p.at
		whole[2] += p.weight * p.at * p.at
	}
	a.add(whole)
	total, sum := whole[0], whole[1]
	mean := sum / max(total, tiny)
	sd := math.Sqrt(max(whole[2]/max(total, tiny)-mean*mean, 0))
	lo, width, best := mean-borderReach*sd, 2*borderReach*sd/borderBins, math.Inf(-1)
	if width <= 0 {
		return 0, false
	}
	// The first entry is what lies below the bins; what lies above counts nowhere.
	weight, first := make([]float64, borderBins+1), make([]float64, borderBins+1)
	for _, p := range along {
		bin := 0
		if p.at > lo {
			bin = int(min(math.Ceil((p.at-lo)/width), borderBins+1))
		}
		if bin <= borderBins {
			weight[bin] += p.weight
			first[bin] += p.weight * p.at
		}
	}
	a.add(weight, first)
	below, part := 0.0, 0.0
	for bin := range weight {
		below += weight[bin]
		part += first[bin]
		if f := twoMeans(below, part, total, sum); f > best {
			best, border = f, lo+float64(bin)*width
		}
	}
	return border, !math.IsInf(best, -1)
}
