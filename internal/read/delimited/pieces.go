package delimited

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// piece is a chunk with the plan of its file.
type piece struct {
	source.Chunk
	plan  *plan
	file  string
	width int
	order float64
	head  int // rows that are not of the table: titles and the names of the columns
}

// pieces gives the chunks of all inputs one after the other.
type pieces struct {
	ctx      context.Context
	s        *Source
	at       int // input at hand
	text     io.ReadCloser
	cutter   *source.Cutter
	next0    piece
	problems []*record.Problems // what the decoders reported, one an input
}

func (s *Source) pieces(ctx context.Context) *pieces { return &pieces{ctx: ctx, s: s} }

func (ps *pieces) next() (piece, error) {
	for {
		if ps.cutter == nil {
			if ps.at == len(ps.s.inputs) {
				return piece{}, io.EOF
			}
			if err := ps.open(ps.s.inputs[ps.at]); err != nil {
				return piece{}, err
			}
		}
		ch, err := ps.cutter.Next()
		if err == nil {
			p := ps.next0
			if p.head > 0 {
				ps.next0.head -= upTo(p.head, ch.Data, p.plan.dialect)
			}
			p.Chunk = ch
			return p, nil
		}
		if err != io.EOF {
			return piece{}, err
		}
		ps.close()
		ps.at++
	}
}

// upTo counts rows that are not blank, n of them at most: what stands above the
// records may fill several chunks. It looks no further than it must, for all cores wait.
func upTo(n int, data []byte, d dialect) (found int) {
	var w walk
	w.over(data, 1, d)
	for found < n && w.next() {
		found++
	}
	return found
}

func (ps *pieces) open(in source.Input) error {
	pl, width, header := ps.s.plan, len(ps.s.plan.names), ps.s.plan.dialect.header
	head := pl.dialect.skip
	if pl.shape == Digits {
		width = 1
	}
	p := new(record.Problems)
	ps.problems = append(ps.problems, p)
	if ps.at > 0 && header {
		var err error
		if pl, width, head, err = ps.s.layout(ps.ctx, in, p); err != nil {
			return err
		}
	} else if header {
		head += 1 + pl.dialect.below
	}
	text, err := in.Text(ps.ctx, p)
	if err != nil {
		return err
	}
	ps.text = text
	ps.cutter = source.NewCutter(in.Name, text, ps.s.options.ChunkSize, ps.s.options.MaxLine)
	if !pl.dialect.noQuotes {
		ps.cutter.Split = wholeRecords(pl.dialect)
	}
	ps.next0 = piece{plan: pl, file: in.Name, width: width, order: float64(ps.at) * 1e11, head: head}
	return nil
}

// close ends the input at hand; it may be called again.
func (ps *pieces) close() {
	if ps.text != nil {
		ps.text.Close()
	}
	ps.text, ps.cutter = nil, nil
}

// layout finds the columns of a further input by its header, and how many rows
// stand above its records. An input without the header that has the right number
// of columns is a continuation.
func (s *Source) layout(ctx context.Context, in source.Input, p *record.Problems) (pl *plan, width, above int, err error) {
	head, _, err := sample(ctx, in)
	if err != nil {
		return nil, 0, 0, err
	}
	d := s.plan.dialect
	top := table(head, d, d.skip+sampleLines)
	top = top[min(d.skip, len(top)):]
	if len(top) == 0 {
		return nil, 0, 0, fmt.Errorf("%s: no line with content: %w", in.Name, source.ErrEmpty)
	}
	top[0] = top[0][:max(1, len(top[0])-emptyEnd(top[0], len(s.plan.names)))]
	above = d.skip + 1
	if d.below > 0 {
		above += describing(top, d.decimal)
	}
	names, _ := columnNames(top[0], len(top[0]))
	width = len(names)
	place := map[string]int{}
	for i, n := range names {
		place[n] = i
	}
	at, known, same := make([]int, len(s.plan.names)), 0, len(names) == len(s.plan.names)
	var lost []string
	for c, name := range s.plan.names {
		i, ok := place[name]
		if !ok {
			lost, same = append(lost, name), false
			continue
		}
		at[c] = i
		known++
		same = same && i == c
	}
	switch {
	case same:
		return s.plan, width, above, nil
	case known == 0 && len(names) == len(s.plan.names):
		return s.plan, width, 0, nil
	case len(lost) > 0:
		return nil, 0, 0, &record.ParseError{
			File: in.Name, Line: 1, Text: lost[0],
			Msg: fmt.Sprintf("a column of %s is missing; read tables of different columns one by one", s.inputs[0].Name),
		}
	}
	if more := slices.DeleteFunc(names, func(n string) bool { return slices.Contains(s.plan.names, n) }); len(more) > 0 {
		p.Aside("%s has columns that %s does not have, and they were left out: %s", in.Name, s.inputs[0].Name, strings.Join(more, ", "))
	}
	return s.plan.remap(at), width, above, nil
}

// emptyEnd counts the empty fields beyond the given width.
func emptyEnd(row []string, width int) (n int) {
	for len(row)-n > width && row[len(row)-1-n] == "" {
		n++
	}
	return n
}

// report hands what the decoders found to the problems of the source.
func (ps *pieces) report() {
	if ps.s.noted {
		return
	}
	ps.s.noted = true
	for _, p := range ps.problems {
		ps.s.problems.Notes = append(ps.s.problems.Notes, p.Notes...)
		for what, n := range p.Repairs {
			ps.s.problems.Repaired(what, n)
		}
	}
}

// errTooMany is the bound on memory for ids and names.
func errTooMany(what string, n int, memory int64) error {
	return fmt.Errorf("%w: %d different %s do not fit in %d MB; raise ‹max-memory› or sort the table by id",
		source.ErrTooLarge, n, what, memory>>20)
}

// errEndless says that rows belong to too few records.
func errEndless(rows, records int64) error {
	of := fmt.Sprintf("only %d records", records)
	if records == 1 {
		of = "one record"
	}
	return fmt.Errorf("%w: more than %d million rows belong to %s: either lines are repeated, or another column holds the ids (name it with ‹id›)",
		source.ErrTooLarge, rows/1_000_000, of)
}

// errRestart asks for another way of reading after the first one filled the
// memory.
var errRestart = errors.New("restart")
