package dataset

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/record"
)

// Times are those of the steps of sequences.
type Times struct {
	At   []float64 // one a row, NaN where unknown
	Days bool      // the unit is a day; otherwise that of the numbers in the data
}

// TimesOf returns the times of all steps, nil where there are none. Numbers such as
// 20081231 are days.
func TimesOf(ctx context.Context, d Data) (*Times, error) {
	if h := d.Describe(); !h.Sequences || !slices.Contains(h.Side, record.StepTimes) {
		return nil, nil
	}
	out := &Times{At: make([]float64, 0, d.RowCount())}
	days, numbers, known := true, true, 0
	err := d.Each(ctx, func(_ int, part *Dataset) error {
		side, _ := part.SideColumn(record.StepTimes)
		for i, list := range side.Values {
			times := StepTimes(list)
			if len(times) != part.Steps[i+1]-part.Steps[i] { // steps were left out: nobody knows which
				times = slices.Repeat([]string{""}, part.Steps[i+1]-part.Steps[i])
			}
			for _, s := range times {
				at, isDay := timeOf(s)
				if at == at {
					known++
					numbers = numbers && !isDay
					days = days && (isDay || isDate(at))
				}
				out.At = append(out.At, at)
			}
		}
		return ctx.Err()
	})
	switch {
	case err != nil:
		return nil, err
	case known == 0 || !days && !numbers:
		return nil, nil
	}
	out.Days = days
	if days && numbers {
		for i, v := range out.At {
			out.At[i] = dayOf(v)
		}
	}
	return out, nil
}

// StepTimes cuts the times of a record's steps apart.
func StepTimes(list string) []string { return strings.Fields(list) }

// timeOf reads one time: a day since 1970, or a number.
func timeOf(s string) (at float64, isDay bool) {
	if v, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(v, 0) {
		return v, false
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.Unix()) / 86400, true
		}
	}
	return math.NaN(), false
}

// isDate reports a number such as 20081231.
func isDate(v float64) bool { return dayOf(v) == dayOf(v) }

func dayOf(v float64) float64 {
	if v < 1800_01_01 || v > 2200_12_31 || v != math.Trunc(v) {
		return math.NaN()
	}
	y, m, d := int(v)/10000, int(v)/100%100, int(v)%100
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if int(t.Month()) != m || t.Day() != d {
		return math.NaN()
	}
	return float64(t.Unix()) / 86400
}
