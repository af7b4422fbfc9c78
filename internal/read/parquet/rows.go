package parquet

import (
	"context"
	"io"

	pq "github.com/moiety-go/moiety/internal/parquet"
)

// cursor gives the values of one column of one row group as text. Without a reader it
// is of a column that is not in the file, and gives the same in every row.
type cursor struct {
	file *file
	read *pq.Reader
	show func(b []byte, v value) []byte
	none []byte // what a null shows
	most uint8  // the level of a value that is there
	rows int64  // of the row group

	batch     *pq.Batch
	at, value int // the next entry of the batch, and the next of its values
	kept      keptWords
}

// value is one value: a number, or bytes.
type value struct {
	n   int64
	raw []byte
}

// next makes sure that there is an entry to take; io.EOF behind the last.
func (c *cursor) next() error {
	if c.read == nil {
		return io.EOF
	}
	for c.batch == nil || c.at == c.batch.N {
		b, err := c.read.Next()
		if err == io.EOF {
			return io.EOF
		} else if err != nil {
			return c.file.said(err)
		}
		c.batch, c.at, c.value = b, 0, 0
	}
	return nil
}

// append takes an entry and appends what it shows.
func (c *cursor) append(b []byte) ([]byte, error) {
	if c.read == nil {
		return append(b, c.none...), nil
	}
	if err := c.next(); err != nil {
		return b, err
	}
	at := c.at
	c.at++
	if c.batch.Def != nil && c.batch.Def[at] != c.most {
		return append(b, c.none...), nil
	}
	i := c.value
	c.value++
	if c.batch.Dict != nil {
		return c.kept.append(b, c, c.batch.Dict, c.batch.Index[i]), nil
	}
	return c.show(b, valueOf(&c.batch.Values, i)), nil
}

func valueOf(v *pq.Values, i int) value {
	if v.Ints != nil {
		return value{n: v.Ints[i]}
	}
	return value{raw: v.Bytes[i]}
}

// keptWords are the words of a dictionary as they are shown.
type keptWords struct {
	of    *pq.Values
	shown [][]byte
}

// Words are kept as they are shown where each of a dictionary comes fewestTimes on
// average, and for mostKept words.
const (
	fewestTimes = 4
	mostKept    = 1 << 14
)

func (k *keptWords) append(b []byte, c *cursor, of *pq.Values, i uint32) []byte {
	words := len(of.Ints) + len(of.Bytes)
	if words > mostKept || int64(words)*fewestTimes > c.rows {
		return c.show(b, valueOf(of, int(i)))
	}
	if k.of != of {
		*k = keptWords{of: of, shown: make([][]byte, words)}
	}
	if k.shown[i] == nil {
		k.shown[i] = c.show([]byte{}, valueOf(of, int(i)))
	}
	return append(b, k.shown[i]...)
}

// startsRow reports whether the next entry is the first of a row, or none is left.
func (c *cursor) startsRow() (bool, error) {
	err := c.next()
	if err != nil {
		return err == io.EOF, ignoreEnd(err)
	}
	return c.batch.Rep == nil || c.batch.Rep[c.at] == 0, nil
}

func ignoreEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// rowsBetweenLooks is how many rows are read between two looks at whether to stop.
const rowsBetweenLooks = 1024

// rows calls each for every row with one cursor for each of the given columns,
// as begin makes them; a nil column has a nil cursor. Each must take exactly one
// row off each cursor.
func (f *file) rows(ctx context.Context, columns []*column, begin func(*column) *cursor, each func([]*cursor) error) error {
	cursors := make([]*cursor, len(columns))
	for g := range f.pq.Groups() {
		for i, col := range columns {
			if col == nil {
				continue
			}
			cursors[i] = begin(col)
			if c := cursors[i]; col.Column != nil {
				c.file, c.read, c.most, c.rows = f, f.pq.Read(g, col.index), col.MaxDef, f.pq.Rows(g)
			}
		}
		if err := rowsOfGroup(ctx, f.pq.Rows(g), cursors, each); err != nil {
			return err
		}
	}
	return nil
}

func rowsOfGroup(ctx context.Context, rows int64, cursors []*cursor, each func([]*cursor) error) error {
	for row := range rows {
		if row%rowsBetweenLooks == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := each(cursors); err != nil {
			return err
		}
	}
	for _, c := range cursors {
		if c == nil {
			continue
		}
		if err := c.next(); ignoreEnd(err) != nil {
			return err
		}
	}
	return nil
}
