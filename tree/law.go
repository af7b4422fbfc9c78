package tree

import (
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
)

// law is what a hierarchy from below must know of a family: how much the records
// of a group differ, given the mean of every feature.
type law struct {
	// entropy is that of a record of a group in nats, up to what adds up the same
	// over groups that are joined.
	entropy func(center []float64) float64
	// variance is that of a feature with this mean.
	variance func(mean float64) float64
}

func plogp(p float64) float64 {
	if p <= 0 {
		return 0
	}
	return p * math.Log(p)
}

// lawOf returns the law of groups p.
func lawOf(f family.Family, p mixture.Params) law {
	info := f.Info()
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
	return law{each(plogp), func(p float64) float64 { return max(p*(1-p), 0) }}
}

// each is less the sum of f over the features; for answers, one-hot, each counts
// for itself.
func each(f func(float64) float64) func([]float64) float64 {
	return func(center []float64) float64 {
		e := 0.0
		for _, p := range center {
			e -= f(p)
		}
		return e
	}
}

// copies is the law of features that are there or not, m times.
func copies(m float64) law {
	return law{
		each(func(c float64) float64 { return m * (plogp(c/m) + plogp(1-c/m)) }),
		func(c float64) float64 { return max(c*(1-c/m), 0) },
	}
}

// counts is the law of counts, given their total or not.
func counts(given bool) law {
	return law{func(center []float64) float64 {
		e, total := 0.0, 0.0
		for _, c := range center {
			e -= plogp(c)
			total += c
		}
		if given {
			e += plogp(total)
		}
		return e
	}, func(c float64) float64 { return max(c, 0) }}
}
