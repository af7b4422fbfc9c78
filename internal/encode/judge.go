package encode

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/internal/suggest"
)

// truth is true, false, or undecided because a value is missing.
type truth int8

const (
	no truth = iota
	undecided
	yes
)

// node is a part of a condition. judge decides it for record i of the case.
type node interface {
	judge(c *sample, i int) truth
	// walk visits the leaves.
	walk(f func(node) error) error
}

// sample is the batch of records a condition is asked about.
type sample struct {
	side    [][]string // by column, then record
	feature func(i int) []uint32
}

type (
	andNode []node
	orNode  []node
	notNode struct{ a node }
)

// judge is decided as soon as a part is: conditions may have thousands of parts.
func (n andNode) judge(c *sample, i int) truth {
	least := yes
	for _, a := range n {
		if least = min(least, a.judge(c, i)); least == no {
			break
		}
	}
	return least
}

func (n orNode) judge(c *sample, i int) truth {
	most := no
	for _, a := range n {
		if most = max(most, a.judge(c, i)); most == yes {
			break
		}
	}
	return most
}

func (n notNode) judge(c *sample, i int) truth { return yes - n.a.judge(c, i) }

func (n andNode) walk(f func(node) error) error { return walkAll(n, f) }
func (n orNode) walk(f func(node) error) error  { return walkAll(n, f) }
func (n notNode) walk(f func(node) error) error { return n.a.walk(f) }

func walkAll(list []node, f func(node) error) error {
	for _, a := range list {
		if err := a.walk(f); err != nil {
			return err
		}
	}
	return nil
}

// hasNode asks for a feature.
type hasNode struct {
	name string
	hit  []bool // by raw feature, set by bind
}

func (n *hasNode) walk(f func(node) error) error { return f(n) }

func (n *hasNode) judge(c *sample, i int) truth {
	for _, h := range c.feature(i) {
		if n.hit[h] {
			return yes
		}
	}
	return no
}

// compareNode compares a side column with one of some values.
type compareNode struct {
	column string
	at     token
	op     string // = != < <= > >= missing given
	values []literal
	side   int   // number of the side column, set by bind
	style  style // of its values
}

func (n *compareNode) walk(f func(node) error) error { return f(n) }

func (n *compareNode) judge(c *sample, i int) truth {
	value := strings.TrimSpace(c.side[n.side][i])
	switch {
	case n.op == "missing":
		return truthOf(value == "")
	case n.op == "given":
		return truthOf(value != "")
	case value == "":
		return undecided
	}
	result := no
	for _, v := range n.values {
		result = max(result, v.compare(value, n.op, &n.style))
	}
	return result
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

type valueKind int

const (
	textValue valueKind = iota
	numberValue
	dateValue
)

// literal is a value written in a condition.
type literal struct {
	kind   valueKind
	text   string
	number float64 // a date is year·10000 + month·100 + day
}

func newLiteral(text string, quoted bool) literal {
	if d, ok := parseDate(text, false); ok {
		return literal{dateValue, text, d}
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && !quoted {
		return literal{numberValue, text, v}
	}
	return literal{textValue, text, 0}
}

// compare compares a value of a record with the literal. A value that is no
// number or date cannot be ordered: undecided.
func (l literal) compare(value, op string, s *style) truth {
	v, ok := s.read(value, l.kind)
	if !ok {
		switch op {
		case "=":
			return truthOf(strings.EqualFold(value, l.text))
		case "!=":
			return truthOf(!strings.EqualFold(value, l.text))
		}
		return undecided
	}
	switch op {
	case "=":
		return truthOf(v == l.number)
	case "!=":
		return truthOf(v != l.number)
	case "<":
		return truthOf(v < l.number)
	case "<=":
		return truthOf(v <= l.number)
	case ">":
		return truthOf(v > l.number)
	}
	return truthOf(v >= l.number)
}

// parseDate reads the day of a date or a time stamp. Eight digits are a date
// only in data, where the literal beside them says so.
func parseDate(text string, inData bool) (float64, bool) {
	layouts := []string{"2006-01-02", "2006/01/02", "2006.01.02"}
	if len(text) > 10 && (text[10] == ' ' || text[10] == 'T') {
		text = text[:10]
	}
	if inData && len(text) == 8 {
		layouts = []string{"20060102"}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.Year()*10000 + int(t.Month())*100 + t.Day()), true
		}
	}
	return 0, false
}

// bind fits the condition to a source: side columns by name, features by has.
func (w *Where) bind(side []string, features int, has func(name string, raw int) bool) error {
	return w.root.walk(func(leaf node) error {
		switch n := leaf.(type) {
		case *compareNode:
			return n.bind(w, side, features, has)
		case *hasNode:
			n.hit = make([]bool, features)
			for h := range n.hit {
				n.hit[h] = has(n.name, h)
			}
		}
		return nil
	})
}

func (n *compareNode) bind(w *Where, side []string, features int, has func(name string, raw int) bool) error {
	n.side = slices.Index(side, n.column)
	if n.side < 0 {
		n.side = slices.IndexFunc(side, func(s string) bool { return strings.EqualFold(s, n.column) })
	}
	if n.side >= 0 {
		return nil
	}
	p := &parser{text: w.text}
	for h := range features {
		if has(n.column, h) {
			return p.lacks(n.at, "column %q is one of the features, and conditions ask for columns beside them: add ‹label› %s, which keeps it out of the groups", n.column, n.column)
		}
	}
	known := "; the side columns are " + strings.Join(side, ", ")
	if len(side) == 0 {
		known = ": the data have no side columns"
	}
	if len(side) == 0 || strings.EqualFold(n.column, "code") {
		known += "; for records with a code write has code 428"
	}
	return p.lacks(n.at, "there is no column %q%s%s", n.column, suggest.Hint(n.column, side), known)
}
