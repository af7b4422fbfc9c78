package division

import (
	"cmp"
	"math"
	"slices"
)

// What a division gains over any single population, at least.
const (
	clearErrors = 2 // standard errors
	clearNats   = 5
)

// Gains reports that some division of a pool predicts records clearly better than any single
// population does.
func Gains(list []*Division) bool {
	return slices.ContainsFunc(list, func(d *Division) bool { return d.gains() })
}

func (d *Division) gains() bool { return d.Gain >= clearNats && d.Gain >= clearErrors*d.Error }

const (
	closed = .2  // gap below which all are alike: groups may lie in one another, and differ in shape
	ahead  = .15 // of the score by which another division is clearly better
)

// Ahead returns the divisions of a pool that are clearly better than that of one method where their
// number of groups is given, the best first; all where the method found none.
func Ahead(list []*Division, method string) (out []*Division) {
	least := math.Inf(-1)
	for _, d := range list {
		if d.Method == method {
			least = d.toldScore() + ahead
		}
	}
	for _, d := range list {
		if d.Method != method && d.Size >= Smallest && d.toldScore() > least {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *Division) int { return cmp.Compare(b.toldScore(), a.toldScore()) })
	return out
}

func (d *Division) toldScore() float64 {
	e := *d
	e.Gap = max(d.Gap, closed)
	return e.Score()
}
