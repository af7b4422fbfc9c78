package mtx

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// content tells what the values were.
type content struct {
	other              bool // than 0 and 1
	negative, fraction bool
}

func (c *content) merge(d content) {
	c.other = c.other || d.other
	c.negative = c.negative || d.negative
	c.fraction = c.fraction || d.fraction
}

func (c *content) add(v float64) {
	if v != 1 && v != 0 {
		c.other = true
	}
	if v < 0 {
		c.negative = true
	}
	if v != math.Trunc(v) {
		c.fraction = true
	}
}

// part is what one chunk gives: entries of a coordinate file, or the values of
// an array file, whose places only the counting of all values before tells.
type part struct {
	block  triplets.Block
	values []float64
	lines  int
	bad    []*record.ParseError
	more   int
	last   int
	seen   content
}

// keepBad is the number of malformed lines of a chunk that are kept with text.
const keepBad = 20

type parser struct {
	name string
	head header
	out  part
	row  int // record of the current run, -1 at first
	col  uint32
}

func parse(name string, head header, c source.Chunk) part {
	defer c.Release()
	if head.plain() {
		return parsePlain(name, head, c)
	}
	p := parser{name: name, head: head, row: -1}
	p.out.block.Ascending = true
	if !head.array {
		most := bytes.Count(c.Data, []byte{'\n'}) + 1
		p.out.block.Feature = make([]uint32, 0, most)
		if !head.pattern {
			p.out.block.Value = make([]float64, 0, most)
		}
	}
	number := head.lines + c.Line
	for rest := c.Data; len(rest) > 0; number++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		p.line(line, number)
	}
	p.out.last = number - 1
	return p.out
}

// plain reports matrices whose entries are "row column value" with whole values,
// each a record, a feature and a count.
func (h header) plain() bool {
	return !h.array && !h.pattern && h.integer && h.symmetry == general && !h.transpose
}

// parsePlain takes lines of three whole numbers many at a time; others go
// through a parser of their own.
func parsePlain(name string, head header, c source.Chunk) part {
	p := parser{name: name, head: head}
	l := &triplets.Lines{Records: head.rows, Features: head.cols}
	l.Other = func(line []byte, number int) {
		one := &p.out.block
		*one, p.row = triplets.Block{Ascending: true}, -1
		p.line(line, head.lines+c.Line+number)
		for e, col := range one.Feature {
			l.Add(one.Runs[0].Record, col, one.Value[e])
		}
	}
	p.out.last = head.lines + c.Line + l.Scan(c.Data, c.Ends) - 1
	p.out.lines += l.Taken
	p.out.block = l.Block
	for _, v := range l.Block.Small {
		if v != 1 {
			p.out.seen.other = true
			break
		}
	}
	p.out.seen.other = p.out.seen.other || l.Block.Value != nil // some value is beyond a byte
	return p.out
}

func (p *parser) line(line []byte, number int) {
	s := scanner{line}
	if s.blank() {
		return
	}
	p.out.lines++
	msg := ""
	if p.head.array {
		msg = p.value(&s)
	} else {
		msg = p.entry(&s)
	}
	switch {
	case msg == "":
	case len(p.out.bad) == keepBad:
		p.out.more++
	default:
		p.out.bad = append(p.out.bad, &record.ParseError{File: p.name, Line: number, Text: string(line[:min(len(line), 200)]), Msg: msg})
	}
	if msg != "" && p.head.array {
		// A value in its place keeps the others in theirs.
		p.out.values = append(p.out.values, 0)
	}
}

// value reads a line of an array file.
func (p *parser) value(s *scanner) string {
	v, msg := p.number(s.field())
	if msg == "" && !s.blank() {
		msg = "expected one value"
	}
	if msg == "" {
		p.out.seen.add(v)
		p.out.values = append(p.out.values, v)
	}
	return msg
}

// entry reads "row column [value]".
func (p *parser) entry(s *scanner) string {
	i, ok := whole(s.field())
	if !ok || i < 1 || i > p.head.rows {
		return fmt.Sprintf("the row must be a whole number from 1 to %d", p.head.rows)
	}
	j, ok := whole(s.field())
	if !ok || j < 1 || j > p.head.cols {
		return fmt.Sprintf("the column must be a whole number from 1 to %d", p.head.cols)
	}
	v := 1.0
	if !p.head.pattern {
		var msg string
		if v, msg = p.number(s.field()); msg != "" {
			return msg
		}
		p.out.seen.add(v)
	}
	if !s.blank() {
		return "too many fields"
	}
	p.add(i-1, j-1, v)
	if i != j && p.head.symmetry != general {
		if p.head.symmetry == skew {
			v = -v
			p.out.seen.add(v)
		}
		p.add(j-1, i-1, v)
	}
	return ""
}

// add appends an entry; stored zeros are dropped.
func (p *parser) add(row, col int, v float64) {
	if v == 0 {
		return
	}
	if p.head.transpose {
		row, col = col, row
	}
	out := &p.out.block
	if row != p.row {
		out.Runs = append(out.Runs, triplets.Run{Record: uint32(row), Start: len(out.Feature)})
		p.row = row
	} else if uint32(col) <= p.col {
		out.Ascending = false
	}
	p.col = uint32(col)
	out.Feature = append(out.Feature, uint32(col))
	if !p.head.pattern {
		out.Value = append(out.Value, v)
	}
}

// number reads a finite value.
func (p *parser) number(field []byte) (float64, string) {
	if n, ok := whole(field); ok {
		return float64(n), ""
	}
	v, err := strconv.ParseFloat(string(field), 64)
	if at := bytes.IndexAny(field, "dD"); err != nil && at > 0 {
		field = bytes.Clone(field)
		field[at] = 'e' // as Fortran writes exponents
		v, err = strconv.ParseFloat(string(field), 64)
	}
	switch {
	case err != nil:
		return 0, "the value is not a number"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, "the value must be finite"
	case p.head.integer && v != math.Trunc(v):
		return 0, "the value must be whole, as the first line says integer"
	}
	return v, ""
}

// whole reads up to 15 digits.
func whole(field []byte) (int, bool) {
	if len(field) == 0 || len(field) > 15 {
		return 0, false
	}
	n := 0
	for _, c := range field {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + int(c)
	}
	return n, true
}

// scanner takes fields off a line.
type scanner struct{ rest []byte }

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// blank drops white space and reports whether nothing is left.
func (s *scanner) blank() bool {
	for len(s.rest) > 0 && space(s.rest[0]) {
		s.rest = s.rest[1:]
	}
	return len(s.rest) == 0
}

// field returns the next field, empty at the end of the line.
func (s *scanner) field() []byte {
	s.blank()
	n := 0
	for n < len(s.rest) && !space(s.rest[n]) {
		n++
	}
	f := s.rest[:n]
	s.rest = s.rest[n:]
	return f
}
