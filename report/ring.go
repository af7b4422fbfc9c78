package report

import "fmt"

// Ring says for whom an output is. Every output of records of people stands in
// one of two; what each promises is in docs/privacy.md.
type Ring string

// Rings.
const (
	// Open is the ring of data that are not of people: everything is reported.
	Open Ring = ""
	// Inside is for those who may see the records: counts and features below the
	// limit, and what would give them away, are left out; the others are exact.
	Inside Ring = "inside"
	// Shared is for everybody: besides, nothing tells which data it is of, and
	// counts are rounded, with all that is worked out from them.
	Shared Ring = "shared"
)

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
