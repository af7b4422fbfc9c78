package report

import (
	"encoding/json"
	"math"
	"strconv"
)

// Count is a number of things, or nothing where it is masked or not known. The
// zero value is no number. A masked count holds no trace of its value.
type Count struct {
	n     int
	known bool
}

// CountOf returns the count n.
func CountOf(n int) Count { return Count{n, true} }

// Value returns the count and whether there is one to be read.
func (c Count) Value() (int, bool) { return c.n, c.known }

// Or returns the count, or def where there is none.
func (c Count) Or(def int) int {
	if c.known {
		return c.n
	}
	return def
}

// Masked reports whether the count is not to be read.
func (c Count) Masked() bool { return !c.known }

// String returns the count with thousands separators, or "" where it is masked.
func (c Count) String() string {
	if !c.known {
		return ""
	}
	return Thousands(c.n)
}

// MarshalJSON writes the number, or null.
func (c Count) MarshalJSON() ([]byte, error) {
	if !c.known {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(c.n), 10), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Count) UnmarshalJSON(b []byte) error {
	*c = Count{}
	if string(b) == "null" {
		return nil
	}
	c.known = true
	return json.Unmarshal(b, &c.n)
}

// Number is a real number, or nothing where it is masked or makes no sense. The
// zero value is no number.
type Number struct {
	v     float64
	known bool
}

// NumberOf returns the number v, or none where v is not finite.
func NumberOf(v float64) Number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Number{}
	}
	return Number{v, true}
}

// Value returns the number and whether there is one to be read.
func (x Number) Value() (float64, bool) { return x.v, x.known }

// Masked reports whether the number is not to be read.
func (x Number) Masked() bool { return !x.known }

// String returns the number with about three significant digits, or "" where it is masked.
func (x Number) String() string {
	if !x.known {
		return ""
	}
	return Amount(x.v)
}

// Or returns the number, or def where there is none.
func (x Number) Or(def float64) float64 {
	if !x.known {
		return def
	}
	return x.v
}

// MarshalJSON writes the number, or null.
func (x Number) MarshalJSON() ([]byte, error) {
	if !x.known {
		return []byte("null"), nil
	}
	return json.Marshal(x.v)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (x *Number) UnmarshalJSON(b []byte) error {
	*x = Number{}
	if string(b) == "null" {
		return nil
	}
	x.known = true
	return json.Unmarshal(b, &x.v)
}
