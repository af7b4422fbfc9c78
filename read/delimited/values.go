package delimited

import (
	"bytes"
	"math"
	"strconv"
)

// missing reports the usual marks of a missing value.
func missing(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 1:
		return b[0] == '?' || b[0] == '.'
	case 2, 3, 4:
		switch string(b) {
		case "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "NULL", "null", "Null", "#N/A":
			return true
		}
	}
	return false
}

// number reads a number with the given decimal sign; ok is false when b is not
// one. Infinities are not numbers here.
func number(b []byte, decimal byte) (x float64, ok bool) {
	if x, ok = shortNumber(b, decimal); ok {
		return x, true
	}
	if len(b) == 0 || b[0] > '9' {
		return 0, false // no number begins with a letter
	}
	if decimal == ',' {
		b = bytes.Replace(b, []byte{','}, []byte{'.'}, 1)
	}
	if len(b) > 400 || bytes.ContainsAny(b, "_xXpPiInN") {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(b), 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// powers of ten that a float64 holds exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortNumber reads up to 15 digits with at most one decimal sign: the
// quotient of two exact floats is rounded once, hence correctly.
func shortNumber(b []byte, decimal byte) (float64, bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	var m uint64
	digits, point := 0, -1
	for _, c := range b {
		switch {
		case c-'0' <= 9:
			m = m*10 + uint64(c-'0')
			digits++
		case c == decimal && point < 0:
			point = digits
		default:
			return 0, false
		}
	}
	if digits == 0 || digits > 15 {
		return 0, false
	}
	x := float64(m)
	if point >= 0 {
		x /= powers[digits-point]
	}
	if neg {
		x = -x
	}
	return x, true
}

// binaryValue reads 0/1, true/false, yes/no and their short forms.
func binaryValue(b []byte) (one, ok bool) {
	switch len(b) {
	case 1:
		switch b[0] {
		case '1', 'y', 'Y', 't', 'T':
			return true, true
		case '0', 'n', 'N', 'f', 'F':
			return false, true
		}
	case 2:
		if string(b) == "no" || string(b) == "No" || string(b) == "NO" {
			return false, true
		}
	case 3, 4, 5:
		switch string(b) {
		case "yes", "Yes", "YES", "true", "True", "TRUE", "1.0":
			return true, true
		case "false", "False", "FALSE", "0.0":
			return false, true
		}
	}
	return false, false
}

// count reads a whole number >= 0 that a float64 holds exactly.
func count(b []byte, decimal byte) (float64, bool) {
	x, ok := number(b, decimal)
	return x, ok && x >= 0 && x <= 1<<53 && x == math.Trunc(x)
}
