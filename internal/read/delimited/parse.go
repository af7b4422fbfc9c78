package delimited

import (
	"bytes"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// parser turns chunks into parts. Every worker has its own.
type parser struct {
	source  *Source
	plan    *plan // of the file at hand
	file    string
	chunk   source.Chunk
	rows    rows // numbered from 0 on in each chunk
	scratch []byte
	cellBuf []byte
	part    *part
	open    bool    // the last run may be continued
	order   float64 // of the file among all files, in the keys of steps without time
	ids     []uint64
	codes   []uint64 // short ids and codes of many rows
}

// parse reads the rows of one chunk into out, in portions that stay in the first
// cache from finding the fields to using them. Where there are no quotes a chunk
// may be cut at any line end; from the first portion with quotes on it is not.
func (ps *parser) parse(ch piece, out *part) {
	ps.plan, ps.file, ps.part, ps.open = ch.plan, ch.file, out, false
	ps.order = ch.order
	ps.chunk, ps.rows.blank = ch.Chunk, 0
	head, line := ch.head, 0
	for data := ch.Data; len(data) > 0; {
		n, quotes := nextPortion(data, ps.plan.dialect)
		ps.rows.begin(data[:n], line, ps.plan.dialect, quotes)
		for head > 0 && ps.rows.next() {
			head--
			ps.rows.blank = 0 // above the table
		}
		ps.portion(ch.width)
		data, line = data[n:], ps.rows.next0
	}
	if ps.plan.group {
		if out.order = out.ids.order(); !out.order.rises() || ps.source.lookedUp.Load() {
			out.hash()
		}
	}
}

// line is the number of the row in its file.
func (ps *parser) line() int { return ps.chunk.Line + ps.rows.line }

const portionSize = 32 << 10

// portion returns the length of a run of whole lines, of about size bytes.
func portion(data []byte, size int) int {
	if len(data) <= size {
		return len(data)
	}
	if n := bytes.LastIndexByte(data[:size], '\n'); n >= 0 {
		return n + 1
	}
	if n := bytes.IndexByte(data[size:], '\n'); n >= 0 {
		return size + n + 1
	}
	return len(data)
}

// nextPortion returns the length of the portion that data begin with, and whether it
// has quotes: it is all there is then.
func nextPortion(data []byte, d dialect) (n int, quotes bool) {
	n = portion(data, portionSize)
	if quotes = !d.noQuotes && bytes.IndexByte(data[:n], quote) >= 0; quotes {
		n = len(data)
	}
	return n, quotes
}

// portion reads the rows of one portion.
func (ps *parser) portion(width int) {
	pl := ps.plan
	guarded := pl.dialect.ours && bytes.IndexByte(ps.rows.data, '\'') >= 0
	if pl.shape == Long && pl.group && !ps.rows.quotes && !guarded && pl.count == none && pl.version == none && pl.dialect.sep != ' ' && !pl.parted() {
		ps.fastLong(width)
		return
	}
	row := ps.rowParser()
	for ps.rows.next() {
		ps.leaveOut(ps.rows.blank)
		runs, remarks := ps.part.runs(), ps.part.remarks()
		if ps.goodWidth(width) {
			row()
		}
		if ps.part.runs() == runs && ps.part.remarks() == remarks {
			ps.leaveOut(1)
		}
	}
	ps.leaveOut(ps.rows.blank)
}

// leaveOut notes rows that became no records. Where records have ids nobody asks for them.
func (ps *parser) leaveOut(n int) {
	ps.rows.blank = 0
	if ps.plan.id != none || ps.plan.group {
		return
	}
	for range n {
		ps.part.gaps = append(ps.part.gaps, ps.part.runs())
	}
}

// goodWidth reports rows with too many fields, and passes over lines that are
// no records. Cells that a row lacks at its end are missing.
func (ps *parser) goodWidth(width int) bool {
	if why := ps.rows.aside(width); why != isRecord {
		ps.part.asides[why]++
		return false
	}
	if ps.rows.n != width {
		if w := ps.rows.width(width); w > width || w < width && ps.plan.strict {
			ps.part.malformed(ps, none, fmt.Sprintf("%d fields where the table has %d", ps.rows.n, width))
			return false
		} else if w < width {
			ps.part.lacking++
		}
	}
	return !ps.rows.quotes || !ps.stray(width)
}

// stray refuses rows with a quote that is opened and not closed.
func (ps *parser) stray(width int) bool {
	for i := range min(width, ps.rows.n) {
		if ps.rows.unclosed(i) {
			ps.part.malformed(ps, i, "a quote is opened and not closed")
			return true
		}
	}
	return false
}

func (ps *parser) rowParser() func() {
	switch pl := ps.plan; {
	case pl.shape == Long, pl.shape == Sequences && pl.code != none:
		return ps.longRow
	case pl.shape == List:
		return ps.listRow
	case pl.shape == Text:
		return ps.textRow
	case pl.shape == Sequences && pl.sign != "":
		return ps.symbolsRow
	case pl.shape == Sequences && pl.perStep == 0:
		return ps.statesRow
	case pl.shape == Digits:
		return ps.digitsRow
	default:
		return ps.wideRow
	}
}

// begin opens a run for the row, or continues the last one when the plan
// groups rows and the id is the same. It is false when the id is missing.
func (ps *parser) begin() bool {
	pl, p := ps.plan, ps.part
	if pl.id == none {
		ps.sides()
		return true
	}
	id := ps.rows.field(pl.id)
	if pl.group {
		if ps.open && bytes.Equal(p.ids.at(p.ids.len()-1), id) {
			p.ptr = p.ptr[:len(p.ptr)-1]
			return true
		}
		if len(id) == 0 {
			p.malformed(ps, pl.id, "the id is empty")
			return false
		}
	}
	p.ids.add(id)
	ps.sides()
	ps.open = true
	return true
}

// end closes the run at the entries there are now.
func (ps *parser) end() {
	ps.part.rows++
	ps.part.ptr = append(ps.part.ptr, len(ps.part.feature))
}

func (ps *parser) sides() {
	for _, c := range ps.plan.side {
		f := ps.rows.field(c)
		if missing(f) {
			f = nil
		}
		ps.part.side.add(f)
	}
}

// longRow is id, code[, count][, time].
func (ps *parser) longRow() {
	pl, p := ps.plan, ps.part
	v, key := 1.0, 0.0
	ok := true
	if pl.count != none {
		if v, ok = ps.countOf(pl.count); !ok {
			return
		}
	}
	if pl.steps {
		if key, ok = ps.keyOf(); !ok {
			return
		}
	}
	code := ps.rows.field(pl.code)
	if !ps.begin() {
		return
	}
	switch {
	case missing(code):
		p.empty++
		if pl.steps {
			p.entry(hole, 1)
			p.key = append(p.key, key)
		}
	case v > 0 && pl.parted() && !pl.steps:
		ps.eachCode(code, func(code []byte, n float64) { p.entry(ps.name(code), v*n) })
	case v > 0:
		p.entry(ps.name(code), v)
		if pl.steps {
			p.key = append(p.key, key)
		}
	}
	ps.end()
}

// countOf reads the count of a row; a missing one counts once.
func (ps *parser) countOf(column int) (float64, bool) {
	f := ps.rows.field(column)
	if missing(f) {
		return 1, true
	}
	v, ok := count(f, ps.plan.dialect.decimal)
	if !ok {
		ps.part.malformed(ps, column, "the count is not a whole number")
	}
	return v, ok
}

// keyOf reads the time of a step; without a time column steps come in the
// order of the rows.
func (ps *parser) keyOf() (float64, bool) {
	if ps.plan.time == none {
		return ps.order + float64(ps.line()), true
	}
	f := ps.rows.field(ps.plan.time)
	key, ok := timeKey(f, ps.plan.dialect.decimal)
	if !ok {
		ps.part.malformed(ps, ps.plan.time, "the time is not a number or a date like 2008-12-31")
	}
	return key, ok
}

// name returns the number of a code, with its version in front if the table
// has one.
func (ps *parser) name(code []byte) uint32 {
	if ps.plan.version != none {
		ps.scratch = append(appendVersion(ps.scratch[:0], ps.rows.field(ps.plan.version)), code...)
		code = ps.scratch
	}
	return ps.number(code, none)
}

func (ps *parser) number(name []byte, owner int) uint32 {
	p := ps.part
	n, fresh := p.local.number(name)
	if fresh {
		p.owner = append(p.owner, owner)
	}
	return uint32(ps.plan.static) + n
}

// appendVersion writes "9:" for 9, ICD9, ICD-9-CM, and likewise "10:"; other
// systems keep their name.
func appendVersion(dst, v []byte) []byte {
	switch {
	case len(v) == 0:
		return dst
	case bytes.Contains(v, []byte("10")):
		return append(dst, "10:"...)
	case bytes.IndexByte(v, '9') >= 0:
		return append(dst, "9:"...)
	default:
		return append(append(dst, v...), ':')
	}
}

// listRow is id, dx1..dxN.
func (ps *parser) listRow() {
	if !ps.begin() {
		return
	}
	before := len(ps.part.feature)
	for _, f := range ps.plan.features {
		if code := ps.rows.field(f.column); missing(code) {
			continue
		} else if ps.plan.parted() {
			ps.eachCode(code, func(code []byte, n float64) { ps.part.entry(ps.name(code), n) })
		} else {
			ps.part.entry(ps.name(code), 1)
		}
	}
	if len(ps.part.feature) == before {
		ps.part.empty++
	}
	ps.end()
}

// statesRow is id, t1..tT: a step a column. Missing values before and after
// the observed time are no steps.
func (ps *parser) statesRow() {
	p := ps.part
	if !ps.begin() {
		return
	}
	seen, last := false, len(p.feature)
	for step, f := range ps.plan.features {
		state := ps.rows.field(f.column)
		switch {
		case !missing(state):
			p.entry(ps.number(state, none), 1)
			seen, last = true, len(p.feature)
		case seen:
			p.entry(hole, 1)
		default:
			continue
		}
		p.key = append(p.key, float64(step))
		if !missing(state) {
			last = len(p.feature)
		}
	}
	p.drop(last)
	ps.end()
}

// textRow is a row with running text.
func (ps *parser) textRow() {
	if ps.begin() {
		ps.part.text.add(ps.rows.field(ps.plan.text))
		ps.end()
	}
}

// wideRow is a row with one column a feature.
func (ps *parser) wideRow() {
	p := ps.part
	n, key, ok := len(p.feature), 0.0, true
	if ps.plan.steps {
		if key, ok = ps.keyOf(); !ok {
			return
		}
	}
	for i := range ps.plan.features {
		f := &ps.plan.features[i]
		if msg := ps.cell(f); msg != "" {
			p.malformed(ps, f.column, msg)
			p.contradicted++
			p.drop(n)
			return
		}
	}
	if !ps.begin() {
		p.drop(n)
		return
	}
	if ps.plan.steps {
		for range len(p.feature) - n {
			p.key = append(p.key, key)
		}
	}
	ps.end()
}

// cell adds the entry of one cell and returns what is wrong with it.
func (ps *parser) cell(f *feature) string {
	p, b := ps.part, ps.rows.field(f.column)
	if missing(b) || f.marks != nil && f.isMark(b) {
		if f.ticked {
			return ""
		}
		if f.kind != record.Categorical {
			p.entry(f.number, math.NaN())
		}
		return ""
	}
	switch f.kind {
	case record.Presence:
		one, pairs := binaryValue(b)
		if f.ticked {
			one, pairs = true, pairDigits
		}
		if pairs == 0 {
			return ps.unfit(f, "not 0 or 1, yes or no, true or false")
		}
		if one {
			p.entry(f.number, 1)
		}
	case record.Counts:
		v, ok := count(b, ps.plan.dialect.decimal)
		if !ok {
			return ps.unfit(f, "not a count (a whole number, 0 or more)")
		}
		if v > 0 {
			p.entry(f.number, v)
		}
	case record.Real:
		v, _, ok := anyNumber(b, ps.plan.dialect.decimal)
		if !ok && f.unit {
			v, _, ok = cutUnit(b, ps.plan.dialect.decimal)
		}
		if !ok {
			return ps.unfit(f, "not a number")
		}
		p.entry(f.number, v)
	default:
		ps.scratch = append(append(append(ps.scratch[:0], f.name...), '='), b...)
		p.entry(ps.number(ps.scratch, f.shown), 1)
	}
	return ""
}

// unfit takes a cell that does not fit its column as missing where the kind of
// the column was found by looking; where it was asked for, it returns what is
// wrong.
func (ps *parser) unfit(f *feature, what string) string {
	if !ps.plan.guessed {
		return what
	}
	ps.part.entry(f.number, math.NaN())
	return ""
}

// digitsRow is a line with one digit a feature.
func (ps *parser) digitsRow() {
	p, b := ps.part, ps.rows.field(0)
	if len(b) != ps.plan.static {
		p.malformed(ps, none, fmt.Sprintf("%d digits where the first line has %d", len(b), ps.plan.static))
		return
	}
	n := len(p.feature)
	for i, c := range b {
		switch {
		case c == '?' || c == '.' || c == '-':
			p.entry(uint32(i), math.NaN())
		case c < '0' || c > '9':
			p.malformed(ps, none, fmt.Sprintf("%q at place %d is not a digit", c, i+1))
			p.drop(n)
			return
		case c > '0':
			p.entry(uint32(i), float64(c-'0'))
		}
	}
	if ps.begin() {
		ps.end()
	}
}
