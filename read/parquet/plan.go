package parquet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"github.com/moiety-go/moiety/record"
)

type shape int

const (
	long shape = iota
	list
	wide
	text
)

// column is a leaf of the file that can be read: a flat column or a list.
type column struct {
	name     string
	index    int
	repeated bool
	kind     pq.Kind
}

func (c *column) numeric() bool {
	switch c.kind {
	case pq.Boolean, pq.Int32, pq.Int64, pq.Float, pq.Double:
		return !c.repeated
	default:
		return false
	}
}

// plan says which columns play which part; nil: none.
type plan struct {
	shape                 shape
	id, code, count, text *column
	side, numbers         []*column
	notes                 []string
}

// equal reports whether two files have the same parts by name and kind.
func (p plan) equal(q plan) bool {
	return p.shape == q.shape && slices.EqualFunc(p.all(), q.all(), func(a, b *column) bool {
		return a == nil && b == nil || a != nil && b != nil && a.name == b.name && a.kind == b.kind && a.repeated == b.repeated
	})
}

func (p plan) all() []*column {
	return append(append([]*column{p.id, p.code, p.count, p.text}, p.side...), p.numbers...)
}

// Names by which columns are guessed, compared in lower case.
var (
	idNames = regexp.MustCompile(`^((patient|subject|person|member|beneficiary|hadm|stay|visit|visit_occurrence|encounter|admission|record|row|doc|document|desynpuf)_?id|id|patient|subject|person|encounter|patientid|docno)$`)
	coNames = regexp.MustCompile(`^(codes?|icd.*|dx|diagnos[ie]s(_codes?)?|diag(_codes?)?|(.*_)?concept_ids?|concepts?|.*_source_value|terms?|words?|tokens?|features?|items?)$`)
	nNames  = regexp.MustCompile(`^(n|counts?|freq(uency)?|quantity|occurrences)$`)
	txNames = regexp.MustCompile(`^(text|notes?|body|content|abstract|document|description|comment|message)$`)
)

// plan chooses the columns of a file.
func (r *reader) plan(f *file) (plan, error) {
	columns, err := f.columns(r.o.Limits)
	if err != nil {
		return plan{}, err
	}
	c := chooser{file: f.name, columns: columns, used: make(map[*column]bool)}
	var p plan
	p.id = c.named(r.o.ID)
	p.code, p.count, p.text = c.named(r.o.Code), c.named(r.o.Count), c.named(r.o.Text)
	for _, name := range r.o.Side {
		p.side = append(p.side, c.named(name))
	}
	for _, name := range r.o.Columns {
		p.numbers = append(p.numbers, c.named(name))
	}
	if c.err != nil {
		return plan{}, c.err
	}
	c.guess(&p)
	return p, c.check(&p)
}

type chooser struct {
	file    string
	columns []*column
	used    map[*column]bool
	err     error
}

// named finds a column that the options name.
func (c *chooser) named(name string) *column {
	if name == "" {
		return nil
	}
	for _, col := range c.columns {
		if col.name == name {
			c.used[col] = true
			return col
		}
	}
	if c.err == nil {
		var have []string
		for _, col := range c.columns[:min(len(c.columns), 12)] {
			have = append(have, col.name)
		}
		c.err = record.NoColumn("%s has no column %q that can be read; it has %s", c.file, name, strings.Join(have, ", "))
	}
	return nil
}

// match finds the first unused column by a pattern of names.
func (c *chooser) match(names *regexp.Regexp, ok func(*column) bool) *column {
	for _, col := range c.columns {
		if !c.used[col] && names.MatchString(strings.ToLower(col.name)) && ok(col) {
			c.used[col] = true
			return col
		}
	}
	return nil
}

// guess fills the parts that the options leave open.
func (c *chooser) guess(p *plan) {
	flat := func(col *column) bool { return !col.repeated }
	if p.id == nil {
		p.id = c.match(idNames, flat)
	}
	if len(p.numbers) == 0 && p.text == nil && p.code == nil {
		if p.code = c.match(coNames, func(*column) bool { return true }); p.code == nil {
			p.code = c.onlyList()
		}
		if p.code == nil {
			p.text = c.match(txNames, func(col *column) bool { return flat(col) && col.kind == pq.ByteArray })
		}
	}
	switch {
	case p.text != nil:
		p.shape = text
	case p.code != nil && p.code.repeated:
		p.shape = list
	case p.code != nil:
		p.shape = long
		if p.count == nil {
			p.count = c.match(nNames, (*column).numeric)
		}
	default:
		p.shape = wide
		c.numbers(p)
	}
}

// onlyList returns the list column when there is exactly one.
func (c *chooser) onlyList() *column {
	var found *column
	for _, col := range c.columns {
		if col.repeated && !c.used[col] {
			if found != nil {
				return nil
			}
			found = col
		}
	}
	return found
}

// numbers takes all numeric columns that are left.
func (c *chooser) numbers(p *plan) {
	if len(p.numbers) > 0 {
		return
	}
	var left []string
	for _, col := range c.columns {
		switch {
		case c.used[col]:
		case col.numeric():
			p.numbers = append(p.numbers, col)
		default:
			left = append(left, col.name)
		}
	}
	if len(left) > 0 && len(p.numbers) > 0 {
		p.notes = append(p.notes, fmt.Sprintf("columns that are not numbers were left out: %s", strings.Join(left, ", ")))
	}
}

// check reports parts that cannot play their role.
func (c *chooser) check(p *plan) error {
	switch {
	case p.shape == wide && len(p.numbers) == 0:
		return &record.ParseError{File: c.file, Msg: "no column of codes, of text or of numbers is recognised; name one with --code or --text"}
	case p.shape == long && p.id == nil:
		return &record.ParseError{File: c.file, Msg: fmt.Sprintf("the column %q holds one code a row, but no column of ids is recognised; name it with --id", p.code.name)}
	}
	for _, col := range append([]*column{p.id, p.count, p.text}, append(p.side, p.numbers...)...) {
		if col != nil && col.repeated {
			return fmt.Errorf("%s: the column %q holds lists, single values are needed here", c.file, col.name)
		}
	}
	for _, col := range append([]*column{p.count}, p.numbers...) {
		if col != nil && !col.numeric() {
			return fmt.Errorf("%s: the column %q does not hold numbers", c.file, col.name)
		}
	}
	return nil
}
