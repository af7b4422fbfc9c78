package delimited

import (
	"bytes"
	"strings"
)

// isUnitWord reports a unit of measurement as it stands behind a number; any
// other letters make a code of it.
func isUnitWord(word string) bool {
	switch strings.ToLower(word) {
	case "kg", "g", "mg", "µg", "μg", "ug", "lb", "lbs", "oz", "st", "km", "m", "cm", "mm", "µm", "nm", "in", "ft", "mi",
		"°c", "°f", "° c", "° f", "°", "c°", "mmhg", "kpa", "hpa", "pa", "bar", "psi", "bpm", "hz", "khz", "mhz",
		"l", "dl", "ml", "µl", "l/min", "ml/min", "mg/dl", "mg/l", "g/dl", "g/l", "µg/l", "ng/ml", "pg/ml", "mmol/l", "µmol/l", "umol/l", "meq/l",
		"iu", "iu/l", "u/l", "miu/l", "kcal", "kj", "w", "kw", "kwh", "v", "mv", "ma", "ppm", "m/s", "km/h", "mph", "kg/m2", "kg/m²",
		"s", "sec", "secs", "ms", "min", "mins", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "week", "weeks", "month", "months", "yr", "yrs", "year", "years",
		"usd", "eur", "gbp", "chf", "jahre", "tage", "stunden", "días", "dias", "años", "anni", "giorni", "ans", "jours":
		return true
	}
	return false
}

// cutUnit reads a number with a unit behind it.
func cutUnit(b []byte, decimal byte) (x float64, unit string, ok bool) {
	const longest = 32
	if len(b) < 2 || len(b) > longest || b[0] > '9' || b[len(b)-1]-'0' <= 9 && b[len(b)-1] != '2' {
		return 0, "", false
	}
	end := bytes.LastIndexAny(b[:len(b)-1], "0123456789") + 1
	if end == 0 {
		return 0, "", false
	}
	unit = string(bytes.TrimLeft(b[end:], " \u00a0\u202f"))
	if !isUnitWord(unit) {
		return 0, "", false
	}
	x, _, ok = anyNumber(b[:end], decimal)
	return x, unit, ok
}

// haveUnit notes the unit of a value.
func (c *Column) haveUnit(unit string) {
	switch {
	case unit == "" || unit == c.unit:
	case c.unit == "":
		c.unit = unit
	default:
		c.mixed = true
	}
}

// measured reports a column of numbers with one unit.
func (c *Column) measured() bool {
	return c.united > 0 && !c.mixed && float64(c.united+c.Numbers) >= numeric*float64(c.Rows)
}
