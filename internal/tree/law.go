package tree

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/mixture"
)

// law is what a hierarchy from below must know of a family: how much the records
// of a group differ, given the mean of every feature.
type law struct {
	// entropy is that of a record of a group in nats, up to what adds up the same
	// over groups that are joined.
	entropy func(center []float64) float64
	// variance is that of feature h with this mean.
	variance func(h int, mean float64) float64
}

func plogp(p float64) float64 {
	if p <= 0 {
		return 0
	}
	return p * math.Log(p)
}

// plogps is the sum of plogp over numbers, which logarithms of many at a time are quick for.
func plogps(list []float64) float64 {
	var logs [64]float64
	sum := 0.0
	for len(list) > 0 {
		n := min(len(list), len(logs))
		for i, p := range list[:n] {
			logs[i] = max(p, leastNormal)
		}
		kernel.Logs(logs[:n])
		for i, p := range list[:n] {
			sum += max(p, 0) * logs[i]
		}
		list = list[n:]
	}
	return sum
}

const leastNormal = 0x1p-1022

// lawOf returns the law of groups p.
func lawOf(f family.Family, p mixture.Params) law {
	info := f.Info()
	if m, ok := f.(family.Spreader); ok {
		return measured(p, m.Spread(p), info.Unit)
	}
	trials := info.In(family.Trials)
	switch {
	case info.Tree.Binary:
		return copies(1)
	case trials != "":
		if m, ok := p.Extra[trials]; ok {
			return copies(m.At(0, 0))
		}
		return copies(2)
	case info.Is(family.WordShare), info.Is(family.Average):
		return counts(info.Is(family.WordShare))
	}
	return law{ // of answers, one-hot: each counts for itself
		func(center []float64) float64 { return -plogps(center) },
		func(_ int, p float64) float64 { return max(p*(1-p), 0) },
	}
}

// copies is the law of features that are there or not, m times.
func copies(m float64) law {
	return law{
		func(center []float64) float64 {
			both := make([]float64, 0, 2*len(center))
			for _, c := range center {
				both = append(both, c/m, 1-c/m)
			}
			return -m * plogps(both)
		},
		func(_ int, c float64) float64 { return max(c*(1-c/m), 0) },
	}
}

// counts is the law of counts, given their total or not.
func counts(given bool) law {
	return law{func(center []float64) float64 {
		e := -plogps(center)
		if given {
			e += plogp(floats.Sum(center))
		}
		return e
	}, func(_ int, c float64) float64 { return max(c, 0) }}
}

// measured is the law of measurements that have these standard deviations inside
// groups, by the squared distance from the middle of the centers; features of
// other units keep their own laws.
func measured(p mixture.Params, sd []float64, unit func(int) family.Unit) law {
	middle := make([]float64, len(sd))
	for h := range middle {
		middle[h] = floats.Sum(p.Centers.RawRowView(h)) / float64(p.K())
	}
	return law{func(center []float64) float64 {
		e := 0.0
		for h, v := range center {
			switch {
			case sd[h] > 0:
				v = (v - middle[h]) / sd[h]
				e -= v * v / 2
			case unit(h) == family.Share:
				e -= plogp(v) + plogp(1-v)
			case unit(h) == family.Average:
				e -= plogp(v)
			}
		}
		return e
	}, func(h int, mean float64) float64 {
		switch {
		case sd[h] > 0:
			return sd[h] * sd[h]
		case unit(h) == family.Share:
			return max(mean*(1-mean), 0)
		}
		return max(mean, 0)
	}}
}
