package delimited

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// timed reports sequences whose steps have times of their own.
func (pl *plan) timed() bool { return pl.steps && pl.time != none }

// appendTime writes the time of a step behind those before it: what timeKey made a
// number, as record.StepTimes has it.
func (pl *plan) appendTime(b []byte, key float64) []byte {
	if !pl.timed() {
		return b
	}
	if len(b) > 0 {
		b = append(b, ' ')
	}
	if !pl.dated {
		return strconv.AppendFloat(b, key, 'g', -1, 64)
	}
	t := time.Unix(int64(math.Round(key*86400)), 0).UTC()
	if key == math.Trunc(key) {
		return t.AppendFormat(b, time.DateOnly)
	}
	return t.AppendFormat(b, "2006-01-02T15:04:05")
}

// layouts of times that sort as text does; the day comes last, so that no
// guess between 3/4 and 4/3 is needed.
var layouts = []string{
	"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339Nano,
	"2006-01-02 15:04", "2006-01-02T15:04", "2006/01/02", "2006-01", "2006/01/02 15:04:05",
	"2006-01-02 15:04:05.999999999", "15:04", "15:04:05",
}

// timeKey turns a time into a number that sorts in time: numbers as they are
// (20081231 too), dates as days since 1970.
func timeKey(b []byte, decimal byte) (float64, bool) {
	if x, ok := number(b, decimal); ok {
		return x, true
	}
	if d, ok := isoDay(b); ok {
		return d, true
	}
	if len(b) < 4 || len(b) > 40 || b[0] < '0' || b[0] > '9' || !bytes.ContainsAny(b, "-/:") {
		return 0, false
	}
	s := string(b)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.Unix())/86400 + float64(t.Nanosecond())/86400e9, true
		}
	}
	return 0, false
}

// isoDay reads 2008-12-31 without allocation.
func isoDay(b []byte) (float64, bool) {
	if len(b) != 10 || b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	y, ok1 := digits(b[:4])
	m, ok2 := digits(b[5:7])
	d, ok3 := digits(b[8:])
	if !ok1 || !ok2 || !ok3 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	if d > 28 {
		t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		if t.Day() != d {
			return 0, false
		}
	}
	return float64(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Unix()) / 86400, true
}

func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// dayFirst reports a date such as 31.12.2008, 31/12/08 or 12-31-2008, with or
// without a time; which of its numbers is the day cannot be known.
func dayFirst(b []byte) bool {
	if len(b) < 6 || len(b) > 30 || b[0]-'0' > 9 {
		return false
	}
	day, _, _ := bytes.Cut(b, []byte{' '})
	for _, sign := range []byte("./-") {
		parts := bytes.Split(day, []byte{sign})
		if len(parts) != 3 {
			continue
		}
		a, ok1 := digits(parts[0])
		m, ok2 := digits(parts[1])
		_, ok3 := digits(parts[2])
		n := len(parts[2])
		return ok1 && ok2 && ok3 && a >= 1 && m >= 1 && min(a, m) <= 12 && max(a, m) <= 31 && (n == 2 || n == 4)
	}
	return false
}

// monthWords are the first letters of the months, as English, German, Dutch, French,
// Spanish, Portuguese, Catalan and Italian have them.
var monthWords = map[string]bool{
	"jan": true, "feb": true, "mar": true, "apr": true, "may": true, "jun": true, "jul": true, "aug": true, "sep": true, "oct": true, "nov": true, "dec": true,
	"mär": true, "mrz": true, "mai": true, "okt": true, "dez": true, "maa": true, "mei": true, "mrt": true,
	"fév": true, "fev": true, "avr": true, "jui": true, "aoû": true, "aou": true, "déc": true,
	"ene": true, "abr": true, "ago": true, "dic": true, "set": true, "out": true, "gen": true, "mag": true, "giu": true, "lug": true, "ott": true,
}

// monthNamed reports a date with the name of its month, such as 3-Mar-2010, Mar 3, 2010
// or 3. März 2010 14:05.
func monthNamed(b []byte) bool {
	if len(b) < 5 || len(b) > 40 || !bytes.ContainsAny(b, " -/.,") {
		return false
	}
	months, numbers := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(string(b)), func(r rune) bool { return strings.ContainsRune(" -/.,", r) }) {
		_, number := digits([]byte(word))
		switch letters := []rune(word); {
		case strings.Contains(word, ":") || word == "am" || word == "pm" || word == "de" || word == "del":
		case number && len(word) <= 4:
			numbers++
		case len(letters) >= 3 && len(letters) <= 10 && monthWords[string(letters[:3])] && !strings.ContainsAny(word, "0123456789"):
			months++
		default:
			return false
		}
	}
	return months == 1 && (numbers == 1 || numbers == 2)
}

// clock reports a time of day as 3:04 PM.
func clock(b []byte) bool {
	if len(b) == 0 || b[len(b)-1]|0x20 != 'm' {
		return false
	}
	text := strings.ToLower(string(b[:len(b)-1]))
	if len(text) < 5 || len(text) > 11 || text[len(text)-1] != 'a' && text[len(text)-1] != 'p' {
		return false
	}
	text = strings.TrimSpace(text[:len(text)-1])
	for _, layout := range []string{"3:04", "3:04:05"} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
