package explain

import (
	"math"

	"github.com/moiety-go/moiety/report"
)

// stricter returns the stricter of two rings that are both shared or both not.
func stricter(a, b report.Ring) report.Ring {
	if a == report.Open {
		return b
	}
	return a
}

// rounding is how counts are rounded. The zero value leaves them as they are.
//
// Counts become multiples of unit, which is a thousandth of all; large ones are
// rounded further, to a fixed part of themselves. A record that comes or goes
// changes as many counts as it has features, in every node above it, and each is
// another chance that a rounded number turns: what is common is reported to two
// digits, so that it seldom does.
type rounding struct {
	unit int // of small counts; 0 leaves all as they are
}

// Parts of a count that it is rounded to, where that is more than the unit.
const (
	partOfSizes    = 50 // of groups and of all records
	partOfFeatures = 10 // of the records with a feature
)

// leastUnit is the least rounding of shared counts.
const leastUnit = 10

// roundingFor returns the rounding of counts among n records, or entries: to a
// thousandth of them, given in one digit, and to ten at least. A digit holds
// from somewhat before its number on, so that it is not the one record that a
// round number of records is short of that changes all roundings.
func roundingFor(n int) rounding {
	const thousandth, early = 1000, 0.95
	want := early * float64(n) / thousandth
	if want <= leastUnit {
		return rounding{leastUnit}
	}
	ten := math.Pow(10, math.Floor(math.Log10(want)))
	return rounding{int(math.Ceil(want/ten) * ten)}
}

// at returns the unit for a count of about n.
func (r rounding) at(n float64, part int) float64 {
	unit := float64(r.unit)
	if r.unit == 0 {
		return 1
	}
	for step := unit; ; step *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if digit*step > n/float64(part) {
				return unit
			}
			unit = digit * step
		}
	}
}

// near returns n rounded.
func (r rounding) near(n float64, part int) float64 {
	if r.unit == 0 {
		return n
	}
	unit := r.at(n, part)
	return math.Floor(n/unit+0.5) * unit
}

// low and high return the least and the largest whole number that are rounded
// to n.
func (r rounding) low(n float64, part int) float64 {
	if r.unit == 0 || n == 0 {
		return n
	}
	// The number below may be rounded to a finer unit.
	unit := r.at(math.Nextafter(n, 0), part)
	return math.Ceil(n - unit/2)
}

func (r rounding) high(n float64, part int) float64 {
	if r.unit == 0 {
		return n
	}
	return math.Ceil(n+r.at(n, part)/2) - 1
}

// size rounds the number of records of a group, count that of the records with
// a feature.
func (r rounding) size(n int) int  { return int(r.near(float64(n), partOfSizes)) }
func (r rounding) count(n int) int { return int(r.near(float64(n), partOfFeatures)) }

// reaches reports whether every number that is rounded to n reaches the limit.
func (r rounding) reaches(n float64, part, limit int) bool {
	return r.low(n, part) >= float64(limit)
}
