package uci

import (
	"bufio"
	"cmp"
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// file is the reading of one docword file.
type file struct {
	in      source.Input
	head    header
	base    func() base  // waits until it is known
	named   func() error // waits until the columns are there
	columns *triplets.Columns
	group   *triplets.Grouper
	p       *record.Problems
	most    int64 // bytes for records; 0: no limit
	lines   int   // lines with entries, also malformed ones
	valid   int
	last    int // number of the last line
}

// read reads the lines behind the header.
func (f *file) read(ctx context.Context, text *bufio.Reader, workers int) error {
	cutter := source.NewCutter(f.in.Name, text, 0, 0)
	entries := f.room()
	work := func(c source.Chunk) (part, error) { return parse(f.in.Name, f.head, f.base(), entries, c), nil }
	err := par.InOrder(ctx, workers, cutter.Next, work, f.take)
	if err = cmp.Or(f.named(), err); err != nil {
		return err
	}
	return f.close()
}

// room is memory for the entries of all lines: entries that are one list need no second
// one to be put in order.
type room struct {
	feature []uint32
	small   []uint8
}

// room makes memory for all lines where the header is credible, and where so many
// entries are sure to stay in memory.
func (f *file) room() room {
	const (
		shortest = len("1 1 1\n")
		each     = 5 // bytes
		share    = 4 // of the memory for records
	)
	n := f.head.entries
	if int64(n) > f.in.Size()/int64(shortest) || f.most > 0 && int64(n) > f.most/(share*each) {
		return room{}
	}
	return room{pages.Make[uint32](n), pages.Make[uint8](n)}
}

// behind returns the memory for the lines from a line on, which counts from 1.
func (r room) behind(line int) room {
	at := min(line-1, len(r.feature))
	return room{r.feature[at:], r.small[at:]}
}

// take adds the entries of a chunk.
func (f *file) take(part part) error {
	if err := f.named(); err != nil {
		return err
	}
	f.last = part.last
	f.lines += part.lines
	if part.zero != nil && !f.base().sure {
		return part.zero
	}
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
	if err := f.believe(&part.block); err != nil {
		return err
	}
	f.columns.Map(&part.block)
	f.valid += len(part.block.Feature)
	return f.group.Add(&part.block)
}

// close ends the records and compares with what the header promised.
func (f *file) close() error {
	if f.valid == 0 && f.lines > 0 {
		return &record.ParseError{File: f.in.Name, Msg: fmt.Sprintf("none of %d lines is valid, the header may not fit", f.lines)}
	}
	believed, err := f.group.Close(f.head.docs)
	if err != nil {
		return err
	}
	if n := f.group.Repeated(); n > 0 {
		f.p.Repaired("words listed twice in one document, counts added up", n)
	}
	if f.group.Grouped() {
		f.p.Repaired("files not sorted by document, grouped", 1)
	}
	if !believed {
		return f.p.Foremost(&record.ParseError{File: f.in.Name, Line: 1, Msg: fmt.Sprintf(
			"the header promises %d documents, but the last with words is number %d; records end there", f.head.docs, f.group.Records())})
	}
	return triplets.Promised(f.p, f.in.Name, max(f.last, headerLines), f.lines, f.head.entries)
}

// believe takes out the runs with document numbers that would make millions of
// empty records: a number is damaged there.
func (f *file) believe(b *triplets.Block) error {
	for i := len(b.Runs) - 1; i >= 0; i-- {
		if f.group.Believable(int(b.Runs[i].Record), len(b.Feature)) {
			continue
		}
		for range b.End(i) - b.Runs[i].Start {
			if err := f.p.Malformed(&record.ParseError{File: f.in.Name, Msg: fmt.Sprintf(
				"document %d is too far behind the others to be believed", b.Runs[i].Record+1)}); err != nil {
				return err
			}
		}
		b.Remove(i)
	}
	return nil
}
