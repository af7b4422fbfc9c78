package mtx

import (
	"bufio"
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// file is the reading of one matrix.
type file struct {
	in      source.Input
	head    header
	columns *triplets.Columns
	group   *triplets.Grouper
	p       *record.Problems
	lines   int // lines with entries, also malformed ones
	bad     int
	last    int // number of the last line
	seen    content
	i, j    int // the next place of an array file, which goes down the columns
}

// read reads the lines behind the header.
func (f *file) read(ctx context.Context, text *bufio.Reader, workers int) error {
	cutter := source.NewCutter(f.in.Name, text, 0, 0)
	work := func(c source.Chunk) (part, error) { return parse(f.in.Name, f.head, c), nil }
	if err := par.InOrder(ctx, workers, cutter.Next, work, f.take); err != nil {
		return err
	}
	return f.close()
}

// take adds the entries of a chunk.
func (f *file) take(part part) error {
	f.last = part.last
	f.lines += part.lines
	f.seen.merge(part.seen)
	if err := f.report(part); err != nil {
		return err
	}
	if f.head.array {
		part.block = f.place(part.values)
	}
	if err := f.believe(&part.block); err != nil {
		return err
	}
	f.columns.Map(&part.block)
	return f.group.Add(&part.block)
}

func (f *file) report(part part) error {
	f.bad += len(part.bad) + part.more
	for _, bad := range part.bad {
		if err := f.p.Malformed(bad); err != nil {
			return err
		}
	}
	for range part.more {
		if err := f.p.Malformed(&record.ParseError{File: f.in.Name, Msg: "a malformed line among many"}); err != nil {
			return err
		}
	}
	return nil
}

// place gives the values of an array file their rows and columns; values
// beyond the last place are only counted.
func (f *file) place(values []float64) triplets.Block {
	p := parser{head: f.head, row: -1}
	p.out.block.Ascending = true
	for _, v := range values {
		if f.head.symmetry == skew && f.i == f.j {
			f.i++
		}
		if f.i >= f.head.rows {
			f.j++
			f.i = f.first()
		}
		if f.j >= f.head.cols || f.i >= f.head.rows {
			break
		}
		p.add(f.i, f.j, v)
		if f.head.symmetry != general && f.i != f.j {
			if f.head.symmetry == skew {
				v = -v
				f.seen.add(v)
			}
			p.add(f.j, f.i, v)
		}
		f.i++
	}
	return p.out.block
}

// first is the first stored row of column j.
func (f *file) first() int {
	switch f.head.symmetry {
	case symmetric:
		return f.j
	case skew:
		return f.j + 1
	default:
		return 0
	}
}

// believe takes out entries with numbers that would make millions of empty
// records.
func (f *file) believe(b *triplets.Block) error {
	for i := len(b.Runs) - 1; i >= 0; i-- {
		if f.group.Believable(int(b.Runs[i].Record), len(b.Feature)) {
			continue
		}
		if err := f.p.Malformed(&record.ParseError{File: f.in.Name, Msg: fmt.Sprintf(
			"record %d is too far behind the others to be believed", b.Runs[i].Record+1)}); err != nil {
			return err
		}
		b.Remove(i)
	}
	return nil
}

// close ends the records and compares with what the header promised.
func (f *file) close() error {
	if f.lines > 0 && f.bad == f.lines {
		return &record.ParseError{File: f.in.Name, Msg: fmt.Sprintf("none of %d lines is valid", f.lines)}
	}
	believed, err := f.group.Close(f.head.height())
	if err != nil {
		return err
	}
	if n := f.group.Repeated(); n > 0 {
		f.seen.other = true // ones added up are more than one
		f.p.Repaired("entries given twice, values added up", n)
	}
	if !believed {
		return f.p.Malformed(&record.ParseError{File: f.in.Name, Line: f.head.lines, Msg: fmt.Sprintf(
			"the header promises %d records, but the last with entries is number %d; records end there", f.head.height(), f.group.Records())})
	}
	return triplets.Promised(f.p, f.in.Name, max(f.last, f.head.lines), f.lines, f.head.entries)
}
