package explain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// moment is a value of a column of times: a day, or no more than its month or
// year.
type moment struct {
	year, month, day int // month and day from 1, 0 where they are not reported
}

// Forms of dates with the month in words or the order known from the signs.
var dateLayouts = []string{
	"2.1.2006", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "Jan 2 2006", "January 2006", "Jan 2006",
	time.RFC1123, time.RFC1123Z, time.RFC822, time.RFC822Z, time.RFC850, time.ANSIC, time.UnixDate,
}

// momentOf reads a time. Of days with slashes, whose order nobody knows, it
// tells the year.
func momentOf(v string) (moment, bool) {
	v = strings.TrimSpace(v)
	head := v[:min(len(v), len(time.DateOnly))]
	for _, layout := range []string{time.DateOnly, "2006/01/02", "20060102", "2006-01", "2006/01", "2006"} {
		at, err := time.Parse(layout, head)
		if err != nil || len(v) > len(head) && !strings.ContainsAny(v[len(head):][:1], "T ") {
			continue
		}
		m := moment{year: at.Year()}
		if len(layout) > len("2006") {
			m.month = int(at.Month())
		}
		if len(layout) > len("2006-01") {
			m.day = at.Day()
		}
		return m, m.year > 0
	}
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, v); err == nil {
			m := moment{at.Year(), int(at.Month()), at.Day()}
			if layout == "January 2006" || layout == "Jan 2006" {
				m.day = 0
			}
			return m, m.year > 0
		}
	}
	day, _, _ := strings.Cut(v, " ")
	if parts := strings.Split(day, "/"); len(parts) == 3 && len(parts[2]) == 4 {
		y, err := strconv.Atoi(parts[2])
		return moment{year: y}, err == nil && y > 0
	}
	return moment{}, false
}

// interval is a way to cut time into periods of equal length: days, months or years,
// so many at a time.
type interval struct {
	days, months, years int
	words               string
}

// intervals go from fine to coarse.
var intervals = []interval{
	{days: 1, words: "day"},
	{months: 1, words: "month"},
	{months: 3, words: "quarter"},
	{years: 1, words: "year"},
	{years: 2, words: "two years"},
	{years: 5, words: "five years"},
	{years: 10, words: "ten years"},
	{years: 20, words: "twenty years"},
	{years: 50, words: "fifty years"},
	{years: 100, words: "hundred years"},
}

const secondsADay = 24 * 60 * 60

// place is the number of the period of a moment.
func (c interval) place(m moment) int {
	switch {
	case c.days > 0:
		day := time.Date(m.year, time.Month(m.month), m.day, 0, 0, 0, 0, time.UTC).Unix() / secondsADay
		return int(math.Floor(float64(day) / float64(c.days)))
	case c.months > 0:
		return (12*m.year + m.month - 1) / c.months
	}
	return m.year / c.years
}

// name tells a period.
func (c interval) name(place int) string {
	switch {
	case c.days > 0:
		return time.Unix(int64(place)*int64(c.days)*secondsADay, 0).UTC().Format(time.DateOnly)
	case c.months == 1:
		return fmt.Sprintf("%04d-%02d", place/12, place%12+1)
	case c.months > 1:
		per := 12 / c.months
		return fmt.Sprintf("%04d Q%d", place/per, place%per+1)
	case c.years == 1:
		return strconv.Itoa(place)
	}
	from := place * c.years
	to := strconv.Itoa(from + c.years - 1)
	if c.years < 100 && len(to) == 4 && to[:2] == strconv.Itoa(from)[:2] {
		to = to[2:]
	}
	return fmt.Sprintf("%d–%s", from, to)
}

const (
	mostPeriods = 24 // of one chart
	fewInPeriod = 10 // records a period, on average, below which a coarser cut is taken
	leastTimes  = 0.9
	mostSpan    = 100 // periods, however far times lie apart
)

// periods are the places of the values of a column, -1 where there is none, and
// the names of the places in order.
type periods struct {
	kind, every string
	names       []string
	place       []int
}

// Kinds of trends.
const (
	TrendTime   = "time"
	TrendAnswer = "answer"
	TrendNumber = "number"
)

// timePeriods intervals a column of times into periods: of years and dates by the
// calendar, of other numbers by round steps. It fails where the values are
// neither.
func timePeriods(values []string) (periods, bool) {
	moments, known, read := make([]moment, len(values)), 0, 0
	years := true
	for i, v := range values {
		if v == "" {
			continue
		}
		known++
		m, ok := momentOf(v)
		if ok {
			moments[i], read = m, read+1
		}
		years = years && (!ok || m.month > 0 || m.year >= 1000 && m.year < 3000)
	}
	if known > 0 && years && float64(read) >= leastTimes*float64(known) {
		return calendar(moments, read), true
	}
	numbers, read := numbersOf(values)
	if known > 0 && float64(read) >= leastTimes*float64(known) {
		p := byWidth(numbers)
		p.kind = TrendTime
		return p, len(p.names) > 1
	}
	return periods{}, false
}

func numbersOf(values []string) ([]float64, int) {
	out, read := make([]float64, len(values)), 0
	for i, v := range values {
		x, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			out[i] = math.NaN()
			continue
		}
		out[i] = x
		read++
	}
	return out, read
}

// calendar intervals dates by the finest cut with few enough periods, and records
// enough in each.
func calendar(moments []moment, known int) periods {
	months, days := true, true
	for _, m := range moments {
		if m.year > 0 {
			months, days = months && m.month > 0, days && m.day > 0
		}
	}
	var c interval
	first, n := 0, 0
	for _, x := range intervals {
		if x.days > 0 && !days || x.months > 0 && !months {
			continue
		}
		from, to := math.MaxInt, math.MinInt
		for _, m := range moments {
			if m.year > 0 {
				at := x.place(m)
				from, to = min(from, at), max(to, at)
			}
		}
		if to == from && n > 1 { // coarser than all of the data
			break
		}
		c, first, n = x, from, to-from+1
		if n <= mostPeriods && (known >= fewInPeriod*n || n <= 4) {
			break
		}
	}
	p := periods{kind: TrendTime, every: c.words, place: make([]int, len(moments))}
	for at := first; at < first+min(n, mostSpan); at++ {
		p.names = append(p.names, c.name(at))
	}
	for j, m := range moments {
		if p.place[j] = -1; m.year > 0 {
			p.place[j] = min(c.place(m)-first, mostSpan-1)
		}
	}
	return p
}

// steps intervals numbers into about ten parts of a round width.
func byWidth(numbers []float64) periods {
	low, high, whole := math.Inf(1), math.Inf(-1), true
	for _, x := range numbers {
		if x == x {
			low, high, whole = min(low, x), max(high, x), whole && x == math.Trunc(x)
		}
	}
	p := periods{kind: TrendNumber, place: make([]int, len(numbers))}
	width := roundWidth((high - low) / 10)
	if whole {
		width = max(width, 1)
	}
	if !(high > low) || math.IsInf(width, 0) {
		return p
	}
	first, last := math.Floor(low/width), math.Floor(high/width)
	for at := first; at <= last; at++ {
		from, to := at*width, (at+1)*width
		switch {
		case whole && width == 1:
			p.names = append(p.names, exactly(from))
		case whole:
			p.names = append(p.names, exactly(from)+"–"+exactly(to-1))
		default:
			p.names = append(p.names, exactly(from)+" to "+exactly(to))
		}
	}
	for i, x := range numbers {
		if p.place[i] = -1; x == x {
			p.place[i] = int(math.Floor(x/width) - first)
		}
	}
	return p
}

// roundWidth returns 1, 2 or 5 times a power of ten that is at least v.
func roundWidth(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= v*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// quarters intervals numbers into four parts of about equally many records.
func quarters(numbers []float64) periods {
	var sorted []float64
	for _, x := range numbers {
		if x == x {
			sorted = append(sorted, x)
		}
	}
	slices.Sort(sorted)
	p := periods{kind: TrendNumber, place: make([]int, len(numbers))}
	var ends []float64 // the largest value of each part
	for q := 1; q <= 4 && len(sorted) > 0; q++ {
		if end := sorted[(len(sorted)*q-1)/4]; len(ends) == 0 || end > ends[len(ends)-1] {
			ends = append(ends, end)
		}
	}
	for i, x := range numbers {
		if p.place[i] = -1; x == x {
			p.place[i], _ = slices.BinarySearch(ends, x)
		}
	}
	for q, end := range ends {
		low := sorted[0]
		if q > 0 {
			at, _ := slices.BinarySearchFunc(sorted, ends[q-1], func(a, b float64) int {
				if a <= b {
					return -1
				}
				return 1
			})
			low = sorted[at]
		}
		if low == end {
			p.names = append(p.names, exactly(end))
		} else {
			p.names = append(p.names, exactly(low)+" to "+exactly(end))
		}
	}
	return p
}

// exactly writes a bound of numbers, without the dust of binary fractions.
func exactly(v float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
	if err != nil {
		short = v
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}
