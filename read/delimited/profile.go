package delimited

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/read/source"
)

// Column is what the start of a table tells about one of its columns.
type Column struct {
	Name     string
	Rows     int // values that are not missing
	Missing  int
	Distinct int // different values, counted up to distinctLimit
	Binary   int // values that read as 0/1, yes/no, true/false
	Whole    int // values that are whole numbers >= 0
	Numbers  int // values that are numbers
	Times    int // values that are dates
	Zeros    int // values that are 0
	Runs     int // runs of equal values, one below the other
	Letters  int // bytes of all values
	Words    int // blanks inside all values
	Codes    int // values that look like codes: short, with a digit, no blank
	Zeroed   int // whole numbers written with leading zeros
	Width    int // longest value
	sample   map[string]traits
}

// Bounds of a look in advance.
const (
	distinctLimit = 10000
	sampleRows    = 10000
)

// Profile is what the start of a table tells about the whole.
type Profile struct {
	Separator byte
	Decimal   byte
	Header    bool
	Columns   []Column
	Rows      int
	Ragged    int  // rows of the sample with another number of fields
	Complete  bool // the sample is the whole input
	Repeated  []string
	first     []string // the first row, as it stands
}

// Look reads the start of an input and says what kind of table it is.
// Separator, header and decimal sign of o are kept where they are given.
func Look(ctx context.Context, in source.Input, o Options) (*Profile, error) {
	head, err := in.Head(ctx, sampleBytes)
	if err != nil {
		return nil, err
	}
	complete := len(head) < sampleBytes
	head = wholeLines(head, complete)
	d := dialect{sep: o.Separator}
	if d.sep == 0 {
		d.sep = sniffSeparator(head)
	}
	top := table(head, d, 200)
	if len(top) == 0 {
		return nil, fmt.Errorf("%s: no line with content: %w", in.Name, source.ErrEmpty)
	}
	d.decimal = o.Decimal
	if d.decimal == 0 {
		d.decimal = sniffDecimal(top, d.sep)
	}
	switch o.Header {
	case SniffHeader:
		d.header = sniffHeader(top, d.decimal)
	case WithHeader:
		d.header = true
	}
	return profile(head, top, d, complete, o.Names), nil
}

func profile(head []byte, top [][]string, d dialect, complete bool, given []string) *Profile {
	p := &Profile{Separator: d.sep, Decimal: d.decimal, Header: d.header, Complete: complete, first: top[0]}
	width := tableWidth(top, d.header)
	var header []string
	if d.header {
		header = top[0]
		// R writes no name above its row names.
		if len(header) == width-1 {
			header = append([]string{"row"}, header...)
		}
	} else if len(given) == width {
		header = given
	}
	names, repeated := columnNames(header, width)
	p.Repeated = repeated
	p.Columns = make([]Column, width)
	for i := range p.Columns {
		p.Columns[i].Name = names[i]
		p.Columns[i].sample = map[string]traits{}
	}
	p.count(head, d)
	return p
}

// tableWidth is the number of columns: what most rows of the body have.
func tableWidth(top [][]string, header bool) int {
	body := top
	if header && len(top) > 1 {
		body = top[1:]
	}
	counts := map[int]int{}
	width := 0
	for _, row := range body {
		counts[len(row)]++
		if c, b := counts[len(row)], counts[width]; c > b || c == b && len(row) > width {
			width = len(row)
		}
	}
	if header && len(top) > 1 && len(top[0]) > width && emptyTail(top[0], width) {
		return width
	}
	if header && len(top[0]) > width {
		return len(top[0])
	}
	return width
}

func emptyTail(row []string, from int) bool {
	for _, f := range row[from:] {
		if f != "" {
			return false
		}
	}
	return true
}

// count fills the columns from the rows of the sample. Without quotes it need
// not look through all of the sample for rows.
func (p *Profile) count(head []byte, d dialect) {
	var r rows
	quotes := !d.noQuotes && bytes.IndexByte(head, quote) >= 0
	size := portionSize
	if quotes {
		size = len(head)
	}
	header := d.header
	last := make([][]byte, len(p.Columns))
	for len(head) > 0 && p.Rows < sampleRows {
		n := portion(head, size)
		r.begin(head[:n], 1, d, quotes)
		head = head[n:]
		if header {
			header = !r.next()
		}
		for p.Rows < sampleRows && r.next() {
			p.countRow(&r, d, last)
		}
	}
}

// countRow counts a row; last has the fields of the one before.
func (p *Profile) countRow(r *rows, d dialect, last [][]byte) {
	if r.width(len(p.Columns)) != len(p.Columns) {
		p.Ragged++
		return
	}
	p.Rows++
	for i := range p.Columns {
		f := r.field(i)
		if p.Rows == 1 || !bytes.Equal(f, last[i]) {
			p.Columns[i].Runs++
			last[i] = append(last[i][:0], f...)
		}
		p.Columns[i].add(f, d.decimal)
	}
}

// add counts a value. Most values come again: each is judged once.
func (c *Column) add(f []byte, decimal byte) {
	if missing(f) {
		c.Missing++
		return
	}
	c.Rows++
	t, known := c.sample[string(f)]
	if !known {
		t = traitsOf(f, decimal)
		if len(c.sample) < distinctLimit {
			c.sample[string(f)] = t
			c.Distinct = len(c.sample)
		}
	}
	c.Binary += t.has(isBinary)
	c.Numbers += t.has(isNumber)
	c.Zeros += t.has(isZero)
	c.Whole += t.has(isWhole)
	c.Zeroed += t.has(isZeroed)
	c.Times += t.has(isTime)
	c.Codes += t.has(isCode)
	c.Letters += len(f)
	c.Words += t.words
	c.Width = max(c.Width, len(f))
}

// traits are what a value may be, as bits, and its blanks.
type traits struct {
	bits  uint8
	words int
}

const (
	isBinary = 1 << iota
	isNumber
	isZero
	isWhole
	isZeroed
	isTime
	isCode
)

// has returns 1 for a trait that is there.
func (t traits) has(bit uint8) int {
	if t.bits&bit != 0 {
		return 1
	}
	return 0
}

func traitsOf(f []byte, decimal byte) traits {
	t := traits{words: bytes.Count(f, []byte{' '})}
	set := func(bit uint8, ok bool) {
		if ok {
			t.bits |= bit
		}
	}
	_, ok := binaryValue(f)
	set(isBinary, ok)
	if x, ok := number(f, decimal); ok {
		_, whole := count(f, decimal)
		set(isNumber, true)
		set(isZero, x == 0)
		set(isWhole, whole)
		set(isZeroed, len(f) > 1 && f[0] == '0' && f[1] != decimal)
	} else {
		_, ok := timeKey(f, decimal)
		set(isTime, ok)
	}
	set(isCode, len(f) <= 10 && t.words == 0 && bytes.ContainsAny(f, "0123456789"))
	return t
}

// share returns n as a share of the values that are not missing.
func (c *Column) share(n int) float64 { return float64(n) / float64(max(c.Rows, 1)) }

// mostly reports that nearly all values are counted by n.
func (c *Column) mostly(n int) bool { return c.Rows > 0 && c.share(n) >= 0.98 }

// Unique reports that no value of the sample comes twice.
func (c *Column) Unique() bool {
	return c.Rows > 1 && c.Missing == 0 && (c.Distinct == c.Rows || c.Distinct == distinctLimit && c.Runs == c.Rows)
}

// Repeats reports that most values come again: the mark of an id in a long
// table.
func (c *Column) Repeats() bool {
	return c.Rows > 1 && c.Missing*50 <= c.Rows && c.Distinct < c.Rows && c.Distinct > 1
}

// words reports running text.
func (c *Column) words() bool {
	return c.Rows > 0 && c.Letters/c.Rows >= 25 && c.Words/c.Rows >= 4
}

// names of all columns, for messages.
func (p *Profile) names() string {
	var b strings.Builder
	for i, c := range p.Columns {
		if i == 12 {
			fmt.Fprintf(&b, ", … (%d in all)", len(p.Columns))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.Name)
	}
	return b.String()
}
