package encode

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrCompare says that a condition compares what cannot be compared.
var ErrCompare = fmt.Errorf("the values cannot be compared")

// style is how the values of one side column are written, learned from all of
// them.
type style struct {
	decimal    byte
	dayFirst   bool // a value such as 31/12/2010 was seen
	monthFirst bool // or 12/31/2010
	points     bool // dates are written with points, where the day comes first

	n, strange int // values, and those that cannot be compared
	example    string
}

// learn takes note of one value.
func (s *style) learn(value string, kinds []valueKind) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	for _, k := range kinds {
		if k != dateValue {
			continue
		}
		if a, b, _, sign, ok := dateParts(value); ok {
			s.dayFirst, s.monthFirst = s.dayFirst || a > 12, s.monthFirst || b > 12
			s.points = s.points || sign == '.'
		}
	}
}

// test counts a value that cannot be compared with any of the kinds.
func (s *style) test(value string, kinds []valueKind) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	s.n++
	for _, k := range kinds {
		if _, ok := s.read(value, k); ok || k == textValue {
			return
		}
	}
	if s.strange++; s.example == "" {
		s.example = value
	}
}

// read returns a value as a number: of a date year·10000 + month·100 + day.
func (s *style) read(value string, kind valueKind) (float64, bool) {
	switch kind {
	case numberValue:
		return s.number(value)
	case dateValue:
		if d, ok := parseDate(value, true); ok {
			return d, true
		}
		return s.date(value)
	}
	return 0, false
}

// number reads a number with the column's decimal sign, as spreadsheets and
// laboratories write it: 15.041,84, 61 %, <0.2.
func (s *style) number(value string) (float64, bool) {
	if x, err := strconv.ParseFloat(value, 64); err == nil && (s.decimal != ',' || !strings.Contains(value, ".")) {
		return x, true
	}
	value = strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(value, "<>=≤≥ "), "%"))
	sign := cmp.Or(s.decimal, '.')
	if i := strings.IndexByte(value, ','); i >= 0 && strings.Count(value, ",") == 1 && len(value)-i != 4 {
		sign = ',' // 0,5 in a table with points
	}
	whole, rest := value, ""
	if i := strings.IndexByte(value, sign); i >= 0 {
		whole, rest = value[:i], "."+value[i+1:]
	}
	groups := strings.FieldsFunc(strings.TrimPrefix(whole, "-"), func(r rune) bool { return strings.ContainsRune(".,' \u00a0\u202f", r) })
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || len(g) > 3) {
			return 0, false // a date, perhaps
		}
	}
	if strings.HasPrefix(whole, "-") {
		rest = strings.Join(groups, "") + rest
		groups = []string{"-"}
	}
	x, err := strconv.ParseFloat(strings.Join(groups, "")+rest, 64)
	return x, err == nil
}

// date reads a date whose day or month comes first, where all values together
// tell which.
func (s *style) date(value string) (float64, bool) {
	a, b, year, _, ok := dateParts(value)
	if !ok || s.dayFirst && s.monthFirst {
		return 0, false
	}
	day, month := a, b
	switch {
	case s.monthFirst:
		day, month = b, a
	case !s.dayFirst && !s.points:
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day || int(t.Month()) != month {
		return 0, false
	}
	return float64(year*10000 + month*100 + day), true
}

// dateParts parts a date such as 31.12.2010 or 12/31/10, with or without a time.
func dateParts(value string) (a, b, year int, sign byte, ok bool) {
	value, _, _ = strings.Cut(value, " ")
	i := strings.IndexAny(value, "./-")
	if i < 1 || len(value) > 10 {
		return 0, 0, 0, 0, false
	}
	parts := strings.Split(value, value[i:i+1])
	if len(parts) != 3 || len(parts[0]) > 2 || len(parts[1]) > 2 || len(parts[2]) != 2 && len(parts[2]) != 4 {
		return 0, 0, 0, 0, false
	}
	var n [3]int
	for j, p := range parts {
		x, err := strconv.Atoi(p)
		if err != nil || x < 0 {
			return 0, 0, 0, 0, false
		}
		n[j] = x
	}
	if len(parts[2]) == 2 {
		if n[2] += 1900; n[2] < 1950 {
			n[2] += 100
		}
	}
	return n[0], n[1], n[2], value[i], n[0] >= 1 && n[1] >= 1
}

// kinds returns what the values of a comparison are.
func (n *compareNode) kinds() []valueKind {
	out := make([]valueKind, len(n.values))
	for i, v := range n.values {
		out[i] = v.kind
	}
	return out
}

// orders reports a comparison that needs numbers or dates.
func (n *compareNode) orders() bool { return strings.ContainsAny(n.op, "<>") }

// learnStyles reads how the columns of the condition are written, and refuses a
// column of which most values cannot be compared.
func (e *encoder) learnStyles(w *Where) error {
	var nodes []*compareNode
	err := w.root.walk(func(leaf node) error {
		if n, ok := leaf.(*compareNode); ok && len(n.values) > 0 {
			n.style.decimal = e.schema.Decimal
			nodes = append(nodes, n)
		}
		return nil
	})
	if err != nil || len(nodes) == 0 {
		return err
	}
	for _, step := range []func(*style, string, []valueKind){(*style).learn, (*style).test} {
		err := e.buffer.each(func(c *chunk) error {
			c.complete(e.schema)
			for _, n := range nodes {
				kinds := n.kinds()
				for _, value := range c.side[n.side] {
					step(&n.style, value, kinds)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, n := range nodes {
		if s := &n.style; n.orders() && 2*s.strange > s.n {
			return fmt.Errorf("encode: ‹where›: %d of the %d values of column %s are no %s, such as %q: %w",
				s.strange, s.n, n.column, kindWord(n.values[0].kind), s.example, ErrCompare)
		}
	}
	return nil
}

func kindWord(k valueKind) string {
	if k == dateValue {
		return "dates whose day and month can be told apart"
	}
	return "numbers"
}
