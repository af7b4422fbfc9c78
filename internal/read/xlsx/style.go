package xlsx

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

// style is what the format of a cell says about its number.
type style struct {
	date  bool
	zeros int // digits that are shown at least: a format such as 00000
}

// readStyles reads the formats of cells.
func (b *Book) readStyles(ctx context.Context) error {
	custom := make(map[string]style)
	inCells := false
	return b.each(ctx, "xl/styles.xml", func(t *tag) error {
		switch {
		case t.is("numFmt"):
			custom[t.attr("numFmtId")] = styleOf(t.attr("formatCode"))
		case t.is("cellXfs"):
			inCells = true
		case t.isEnd("cellXfs"):
			inCells = false
		case t.is("xf") && inCells:
			id := t.attr("numFmtId")
			s, ok := custom[id]
			if n, err := strconv.Atoi(id); !ok && err == nil {
				s.date = builtInDate(n)
			}
			b.styles = append(b.styles, s)
		}
		return nil
	})
}

// builtInDate reports the formats of dates and times that have a number only.
func builtInDate(n int) bool {
	return n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
}

var (
	literal  = pattern.New(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)
	zeroCode = pattern.New(`^0{2,}(-0+)*$`)
	dateCode = pattern.New(`(?i)[ydhs]|m{1,5}`)
)

// styleOf reads the code of a format.
func styleOf(code string) style {
	code, _, _ = strings.Cut(code, ";")
	code = literal.ReplaceAllString(code, "")
	switch {
	case zeroCode.MatchString(code):
		return style{zeros: strings.Count(code, "0")}
	case strings.EqualFold(code, "general"), strings.ContainsAny(code, "0#?@"):
		return style{}
	}
	return style{date: dateCode.MatchString(code)}
}

// number words the stored number of a cell as its format means it.
func (b *Book) number(text, styleNumber string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	var s style
	if n, err := strconv.Atoi(styleNumber); err == nil && n >= 0 && n < len(b.styles) {
		s = b.styles[n]
	}
	if s.date {
		if d, ok := b.date(x); ok {
			return d
		}
	}
	out := string(source.Number(nil, x, 64))
	if x >= 0 && x == math.Trunc(x) {
		for len(out) < s.zeros && s.zeros < 32 {
			out = "0" + out
		}
	}
	return out
}

// date words a day counted from 1900 (or 1904), with the time of day behind
// the point. The day before the first of March 1900 that never was is left out
// of account, as everywhere.
func (b *Book) date(x float64) (string, bool) {
	const last = 2958466 // the end of the year 9999
	if x < 0 || x >= last {
		return "", false
	}
	day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if b.epoch1904 {
		day = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	days := math.Floor(x)
	seconds := math.Round((x - days) * 86400)
	at := day.AddDate(0, 0, int(days)).Add(time.Duration(seconds) * time.Second)
	switch {
	case days == 0:
		return at.Format(time.TimeOnly), true
	case seconds == 0:
		return at.Format(time.DateOnly), true
	}
	return at.Format("2006-01-02T15:04:05"), true
}
