package delimited

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
)

// Profile is what the start of a table tells about the whole.
type Profile struct {
	Separator byte
	Decimal   byte
	Header    bool
	Columns   []Column
	Rows      int
	Ragged    int  // rows of the sample with another number of fields
	Complete  bool // the sample is the whole of the first input
	Whole     bool // all rows of all inputs were counted: see Survey
	Repeated  []string
	Quoted    bool // fields stand in quotes
	Skip      int  // rows above the header: titles and comments
	Below     int  // rows below the header that describe the columns
	edge      edge
	first     []string   // the first row, as it stands
	top       [][]string // the first rows below the header
	quoting   quoting
	kinds     []kind // what the columns are, made by judge
}

// Survey reads the start of an input and says what kind of table it is.
// Separator, header and decimal sign of o are kept where they are given.
func Survey(ctx context.Context, in source.Input, o Options) (*Profile, error) {
	head, complete, err := sample(ctx, in)
	if err != nil {
		return nil, err
	}
	sep, skip := o.Separator, 0
	if named := statedSeparator(head); named != 0 && sep == 0 {
		sep, skip = named, 1
	}
	if sep == 0 && cells.Marked(head) {
		sep = ','
	}
	if sep == 0 {
		sep = sniffSeparator(head)
	}
	d := withSeparator(sep, head)
	top := table(head, d, 200)
	if len(top) == 0 {
		return nil, fmt.Errorf("%s: no line with content: %w", in.Name, source.ErrEmpty)
	}
	if o.SkipLines > 0 {
		skip = linesAbove(head, o.SkipLines)
	} else if o.Header != NoHeader && !d.ours {
		skip += preamble(top[skip:], '.')
	}
	if skip >= len(top) {
		return nil, fmt.Errorf("%s: no line with content below the %d that are left out: %w", in.Name, skip, source.ErrEmpty)
	}
	top, d.skip = top[skip:], skip
	top = slices.DeleteFunc(top, func(row []string) bool { return filled(row) == 0 })
	if len(top) == 0 {
		return nil, fmt.Errorf("%s: no line with content: %w", in.Name, source.ErrEmpty)
	}
	d.decimal = o.Decimal
	if d.decimal == 0 {
		d.decimal = sniffDecimal(top, d.sep)
	}
	switch o.Header {
	case SniffHeader:
		d.header = d.ours || sniffHeader(top, d.decimal)
	case WithHeader:
		d.header = true
	}
	if d.header && !d.ours {
		d.below = describing(top, d.decimal)
		d.edge = edgeOf(top[1+d.below:])
		d.edge.heading = lineOf(head, d, skip)
	}
	p := profile(in, head, top, d, complete, o)
	return p, p.declare(o)
}

// Bounds of a sample of long lines: tables of many thousand columns have headers
// of megabytes.
const (
	sampleLines = 20
	mostSample  = 64 << 20
)

// sample returns the first lines of an input, and whether they are all of it.
func sample(ctx context.Context, in source.Input) (head []byte, complete bool, err error) {
	for size := sampleBytes; ; size *= 4 {
		if head, err = in.Head(ctx, size); err != nil {
			return nil, false, err
		}
		complete = len(head) < size
		if complete || size >= mostSample || bytes.Count(head, []byte{'\n'})+bytes.Count(head, []byte{'\r'}) >= sampleLines {
			return wholeLines(head, complete), complete, nil
		}
	}
}

// statedSeparator reads the line "sep=;" that spreadsheets write.
func statedSeparator(head []byte) byte {
	if len(head) < 6 || !bytes.EqualFold(head[:4], []byte("sep=")) || head[5] != '\n' && head[5] != '\r' {
		return 0
	}
	return head[4]
}

// linesAbove returns the number of rows in the first n lines.
func linesAbove(head []byte, n int) (rows int) {
	for line := range bytes.Lines(head) {
		if n--; n < 0 {
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			rows++
		}
	}
	return rows
}

// lineOf returns row n of a sample as it stands, nil where it goes over several
// lines.
func lineOf(head []byte, d dialect, n int) []byte {
	var r walk
	r.over(head[:endOfLines(head, n+sampleLines)], 1, d)
	for range n + 1 {
		if !r.next() {
			return nil
		}
	}
	line := bytes.TrimRight(r.data[r.start:r.ends[r.lo+r.n-1]], "\r")
	if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
		return nil
	}
	return bytes.Clone(line)
}

func profile(in source.Input, head []byte, top [][]string, d dialect, complete bool, o Options) *Profile {
	p := &Profile{
		Separator: d.sep, Decimal: d.decimal, Header: d.header, Complete: complete,
		Skip: d.skip, Below: d.below, edge: d.edge, first: top[0], quoting: d.quoting, top: top,
		Quoted: bytes.IndexByte(head, quote) >= 0,
	}
	if d.header {
		p.top = top[1+d.below:]
		top = append(top[:1:1], p.top...)
	}
	width := tableWidth(top, d.header)
	var header []string
	if d.header {
		header = top[0]
		// R writes no name above its row names.
		if len(header) == width-1 {
			header = append([]string{"row"}, header...)
		}
	} else if len(o.Names) == width {
		header = o.Names
	}
	names, repeated := columnNames(header, width)
	p.Repeated = repeated
	p.Columns = newColumns(names)
	p.look(head, d, in.Name, o.Workers)
	return p
}

// look counts the first rows, some of the columns on each core: what one tells does not
// depend on the others.
func (p *Profile) look(head []byte, d dialect, name string, workers int) {
	parts := min(par.Workers(workers), len(p.Columns))
	_ = par.Do(context.Background(), parts, parts, func(i int) error { // nothing fails
		c := p.counter(i*len(p.Columns)/parts, (i+1)*len(p.Columns)/parts)
		c.rows(head, d, spot{file: name, line: 1}, nil, sampleRows)
		c.finish(p)
		return nil
	})
}

// Tapers reports a few rows of several fields, none of which is longer than the
// first.
func (p *Profile) Tapers() bool {
	const few = 3
	if len(p.first) < 2 || len(p.top) == 0 || len(p.top) > few {
		return false
	}
	for _, row := range p.top {
		if len(row) < 2 || len(row) > len(p.first) {
			return false
		}
	}
	return true
}

// dialect is how the table is written.
func (p *Profile) dialect() dialect {
	return dialect{sep: p.Separator, decimal: p.Decimal, header: p.Header, skip: p.Skip, below: p.Below, edge: p.edge, quoting: p.quoting}
}

// tableWidth is the number of columns: what most rows of the body have, without
// fields at the end that no row fills.
func tableWidth(top [][]string, header bool) int {
	body := top
	if header && len(top) > 1 {
		body = top[1:]
	}
	counts := map[int]int{}
	width := 0
	for _, row := range body {
		if filled(row) <= 1 && len(body) > 1 && len(row) <= 1 {
			continue // a title or a note
		}
		counts[len(row)]++
		if c, b := counts[len(row)], counts[width]; c > b || c == b && len(row) > width {
			width = len(row)
		}
	}
	if width == 0 {
		width = 1
	}
	if header && len(top) > 1 && len(top[0]) > width && emptyTail(top[0], width) {
		return width
	}
	if header && len(top[0]) > width {
		return len(top[0])
	}
	for width > 1 && (!header || len(top[0]) < width || top[0][width-1] == "") && emptyColumn(body, width-1) {
		width--
	}
	return width
}

// emptyColumn reports that no row fills column i.
func emptyColumn(body [][]string, i int) bool {
	for _, row := range body {
		if i < len(row) && row[i] != "" {
			return false
		}
	}
	return len(body) > 0
}

func emptyTail(row []string, from int) bool {
	for _, f := range row[from:] {
		if f != "" {
			return false
		}
	}
	return true
}

// share returns n as a share of the values that are not missing.
func (c *Column) share(n int) float64 { return float64(n) / float64(max(c.Rows, 1)) }

// all reports that every value is counted by n.
func (c *Column) all(n int) bool { return c.Rows > 0 && n == c.Rows }

// Unique reports that no value of the sample comes twice.
func (c *Column) Unique() bool {
	return c.Rows > 1 && c.Missing == 0 && (c.Distinct == c.Rows || c.full && c.Runs == c.Rows)
}

// Repeats reports that most values come again: the mark of an id in a long
// table.
func (c *Column) Repeats() bool {
	return c.Rows > 1 && c.Missing*50 <= c.Rows && c.Distinct < c.Rows && c.Distinct > 1 && (c.Distinct > 2 || c.Rows <= 20)
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
