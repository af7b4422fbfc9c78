package explain

import (
	"fmt"
	"math"
)

// Ring says for whom an output is. Every output of records of people stands in
// one of two; what each promises is in docs/privacy.md.
type Ring string

// Rings.
const (
	// Open is the ring of data that are not of people: everything is told.
	Open Ring = ""
	// Inside is for those who may see the records: counts and features below the
	// limit, and what would give them away, are left out; the others are exact.
	Inside Ring = "inside"
	// Shared is for everybody: besides, nothing tells which data it is of, and
	// counts are rounded, with all that is worked out from them.
	Shared Ring = "shared"
)

// ring returns the ring of the settings.
func (s Settings) ring() Ring {
	switch {
	case s.Share:
		return Shared
	case s.limit() > 0 || s.Health:
		return Inside
	}
	return Open
}

// stricter returns the stricter of two rings that are both shared or both not.
func stricter(a, b Ring) Ring {
	if a == Open {
		return b
	}
	return a
}

// RingWords says in which ring an output stands, in one sentence; "" for data
// that are not of people. unit is the least rounding of counts, 0 for none.
func RingWords(ring Ring, limit, unit int) string {
	switch {
	case ring == Shared:
		return fmt.Sprintf("Counts below %d are left out, the others rounded to %s or more; may be shared.", limit, Thousands(unit))
	case ring == Inside && limit > 0:
		return fmt.Sprintf("Counts below %d are left out, and what would give them away; for inside the house.", limit)
	case ring == Inside:
		return "No count is left out, however small; for inside the house."
	}
	return ""
}

// RingWords says in which ring the report stands; "" for data that are not of
// people.
func (r *Report) RingWords() string { return RingWords(r.Ring, r.Limit, r.Rounded) }

// rounding is how counts are rounded. The zero value leaves them as they are.
//
// Counts become multiples of unit, which is a thousandth of all; large ones are
// rounded further, to a fixed part of themselves. A record that comes or goes
// changes as many counts as it has features, in every node above it, and each is
// another chance that a rounded number turns: what is common is told to two
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

// tells reports whether every number that is rounded to n reaches the limit.
func (r rounding) tells(n float64, part, limit int) bool {
	return r.low(n, part) >= float64(limit)
}
