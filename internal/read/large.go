package read

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/turned"
	"github.com/moiety-go/moiety/record"
)

// openLarge reads a table of numbers on its side that is too large to be held: its
// names first, then its numbers in as many goes as memory asks for.
func openLarge(ctx context.Context, in source.Input, o Options, p *record.Problems) (record.Source, error) {
	t := o.large
	m := turned.Matrix{Format: t.form.shape(), MaxEntries: int(o.MaxMemory / entryBytes), Twice: func(n int) {
		p.Repaired("feature names that are empty or come twice, told apart by their number", n)
	}}
	width := 0
	err := t.lines(ctx, in, o.SkipLines, func(number int, row []string) error {
		if number == 0 {
			m.Records = slices.Clone(row)
			return nil
		}
		if number == 1 {
			if len(m.Records) == len(row) {
				m.Records = m.Records[1:]
			}
			width = numbersTo(row)
			m.Records = m.Records[:min(len(m.Records), width-1)]
		}
		m.Features = append(m.Features, strings.Clone(row[0]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.Entries = func(ctx context.Context, add func(i, j int, v float64) error) error {
		return t.lines(ctx, in, o.SkipLines, func(number int, row []string) error {
			if number == 0 {
				return nil
			}
			if len(row) < width {
				return &record.ParseError{File: in.Name, Line: number + 1, Msg: fmt.Sprintf("%d cells where %d are wanted", len(row), width)}
			}
			for i, cell := range row[1:width] {
				if cell == "0" {
					continue
				}
				x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
				if err != nil {
					return &record.ParseError{File: in.Name, Line: number + 1, Column: i + 2, Text: cell, Msg: "not a number; tables on their side beyond " + strconv.Itoa(mostTurned>>20) + " MB are read where all cells are: turn it round before"}
				}
				if x != 0 {
					if err := add(i, number-1, x); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return o.described(turned.New(m), nil)
}

// entryBytes is what an entry takes in memory.
const entryBytes = 12

// shape is the word for what a table on its side holds.
func (s sideways) shape() string {
	if s == counted {
		return "counts"
	}
	return "real"
}

// lines hands over the line of names, number 0, and those of the features.
func (t *turnable) lines(ctx context.Context, in source.Input, skip int, yield func(number int, row []string) error) error {
	text, err := in.Text(ctx, nil)
	if err != nil {
		return err
	}
	defer text.Close()
	next := rowsOf(text, t.sep)
	for number := -max(t.head, skip); ; number++ {
		row, err := next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w: line %d cannot be parted into cells", in.Name, source.ErrUnfit, number+1)
		case ctx.Err() != nil:
			return ctx.Err()
		case number < 0:
			continue
		}
		if err := yield(number, row); err != nil {
			return err
		}
	}
}
