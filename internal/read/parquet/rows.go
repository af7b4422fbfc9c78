package parquet

import (
	"context"
	"io"

	pq "github.com/parquet-go/parquet-go"
)

// bufferValues is the number of values decoded at once, for each column.
const bufferValues = 1024

// cursor reads the values of one column of one row group.
type cursor struct {
	file  *file
	pages pq.Pages
	page  pq.Page
	read  pq.ValueReader
	buf   [bufferValues]pq.Value
	at, n int
}

func (f *file) cursor(group pq.RowGroup, index int) (*cursor, error) {
	c := &cursor{file: f}
	err := f.safely(func() error {
		c.pages = group.ColumnChunks()[index].Pages()
		return nil
	})
	return c, err
}

func (c *cursor) close() {
	// A damaged column may fail here again; its first error was reported.
	_ = c.file.safely(func() error { return c.pages.Close() })
}

// peek returns the next value without taking it; io.EOF at the end.
func (c *cursor) peek() (pq.Value, error) {
	for c.at == c.n {
		if err := c.file.safely(c.fill); err != nil {
			return pq.Value{}, err
		}
	}
	return c.buf[c.at], nil
}

// fill decodes more values. All values of a page are used up before its memory
// is given back.
func (c *cursor) fill() error {
	c.at, c.n = 0, 0
	if c.page == nil {
		page, err := c.pages.ReadPage()
		if err != nil {
			return err
		}
		c.page, c.read = page, page.Values()
	}
	n, err := c.read.ReadValues(c.buf[:])
	c.n = n
	switch {
	case err == io.EOF && n == 0:
		pq.Release(c.page)
		c.page = nil
		return nil
	case err != nil && err != io.EOF:
		return err
	case n == 0:
		return io.ErrNoProgress
	}
	return nil
}

// next takes the next value.
func (c *cursor) next() (pq.Value, error) {
	v, err := c.peek()
	c.at++
	return v, err
}

// rows calls each for every row with one cursor for each of the given columns;
// a nil column has a nil cursor. Each must take exactly one row off each cursor.
func (f *file) rows(ctx context.Context, columns []*column, each func([]*cursor) error) error {
	for g, group := range f.pq.RowGroups() {
		if group.NumRows() == 0 {
			continue // it has no pages
		}
		if err := f.checkPages(g, columns); err != nil {
			return err
		}
		if err := f.rowsOfGroup(ctx, group, columns, each); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) rowsOfGroup(ctx context.Context, group pq.RowGroup, columns []*column, each func([]*cursor) error) error {
	cursors := make([]*cursor, len(columns))
	for i, col := range columns {
		if col == nil {
			continue
		}
		c, err := f.cursor(group, col.index)
		if err != nil {
			return err
		}
		defer c.close()
		cursors[i] = c
	}
	for row := range group.NumRows() {
		if row%bufferValues == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := each(cursors); err != nil {
			if err == io.EOF {
				return f.damaged("a column ends at row %d of %d", row, group.NumRows())
			}
			return err
		}
	}
	for i, c := range cursors {
		if c == nil {
			continue
		}
		if _, err := c.peek(); err == nil {
			return f.damaged("column %q is longer than its row group", columns[i].name)
		} else if err != io.EOF {
			return err
		}
	}
	return nil
}

// list calls each for every value of one row of a list; null elements are
// left out.
func (c *cursor) list(each func(pq.Value)) error {
	v, err := c.next()
	for {
		if err != nil {
			return err
		}
		if !v.IsNull() {
			each(v)
		}
		if v, err = c.peek(); err == io.EOF || err == nil && v.RepetitionLevel() == 0 {
			return nil
		}
		c.at++
	}
}
