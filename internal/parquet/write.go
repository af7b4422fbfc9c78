package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// A row group ends at so many rows, or once its values take so many bytes: that
// is what a writer holds in memory.
const (
	groupRows  = 1 << 17
	groupBytes = 32 << 20
)

// TextColumn, NumberColumn and WholeColumn describe columns of words, of
// floating-point and of whole numbers that every row has.
func TextColumn(name string) Column {
	return Column{Path: []string{name}, Type: ByteArray, Meaning: Text}
}

// NumberColumn describes a column of floating-point numbers.
func NumberColumn(name string) Column { return Column{Path: []string{name}, Type: Double} }

// WholeColumn describes a column of whole numbers.
func WholeColumn(name string) Column { return Column{Path: []string{name}, Type: Int64} }

// Optional returns a column that may have nulls.
func (c Column) Optional() Column {
	c.MaxDef = 1
	return c
}

// Lists returns a column of lists of such values.
func (c Column) Lists() Column {
	c.Path, c.MaxDef, c.MaxRep = []string{c.Path[0], "list", "element"}, 1, 1
	return c
}

// Writer writes rows: for each, every column gets its value, its list or a null,
// and EndRow closes it. The bytes depend on nothing but what is written. Values
// are not packed: what packs differs from machine to machine.
type Writer struct {
	to      io.Writer
	at      int64
	name    string
	mark    string
	columns []*columnWriter
	rows    int64
	size    int
	groups  []writtenGroup
}

type writtenGroup struct {
	rows   int64
	chunks []writtenChunk
}

type writtenChunk struct {
	values, data, dict, bytes int64
}

// columnWriter collects the values of a column of a row group.
type columnWriter struct {
	Column
	rows     int64
	rep, def []uint8
	numbers  []int64
	index    []uint32 // of each value among the words
	words    []string
	places   map[string]uint32
	long     int // bytes of all values as they would stand in a page
}

// NewWriter begins a file: its name for the root of the schema, and a mark that
// says who wrote it. Columns are of single values or of lists of them.
func NewWriter(to io.Writer, name, mark string, columns []Column) *Writer {
	w := &Writer{to: to, name: name, mark: mark}
	for _, c := range columns {
		w.columns = append(w.columns, &columnWriter{Column: c, places: make(map[string]uint32)})
	}
	return w
}

// Whole writes a whole number.
func (w *Writer) Whole(column int, v int64) { w.value(column, 0).number(w, v) }

// Number writes a floating-point number.
func (w *Writer) Number(column int, v float64) {
	w.value(column, 0).number(w, int64(math.Float64bits(v)))
}

// Text writes words.
func (w *Writer) Text(column int, s string) { w.value(column, 0).text(w, s) }

// Null writes that there is no value.
func (w *Writer) Null(column int) { w.columns[column].entry(0, 0) }

// List writes a list of words.
func (w *Writer) List(column int, list []string) {
	c := w.columns[column]
	if len(list) == 0 {
		c.entry(0, 0)
	}
	for i, s := range list {
		w.value(column, min(i, 1)).text(w, s)
	}
}

// value begins a value: the first of its row (0) or a later one of its list (1).
func (w *Writer) value(column, rep int) *columnWriter {
	c := w.columns[column]
	c.entry(uint8(rep), c.MaxDef)
	return c
}

func (c *columnWriter) entry(rep, def uint8) {
	if rep == 0 {
		c.rows++
	}
	if c.MaxRep > 0 {
		c.rep = append(c.rep, rep)
	}
	if c.MaxDef > 0 {
		c.def = append(c.def, def)
	}
}

func (c *columnWriter) number(w *Writer, v int64) {
	c.numbers = append(c.numbers, v)
	w.size += 8
}

func (c *columnWriter) text(w *Writer, s string) {
	at, known := c.places[s]
	if !known {
		at = uint32(len(c.words))
		c.places[s], c.words = at, append(c.words, s)
	}
	c.index = append(c.index, at)
	c.long += len(s) + 4
	w.size += len(s) + 4
}

// EndRow closes a row.
func (w *Writer) EndRow() error {
	w.rows++
	if w.rows < groupRows && w.size < groupBytes {
		return nil
	}
	return w.flush()
}

// Close writes what is left and the footer.
func (w *Writer) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	b := w.footer()
	return w.write(append(binary.LittleEndian.AppendUint32(b, uint32(len(b))), magic...))
}

func (w *Writer) write(b []byte) error {
	w.at += int64(len(b))
	_, err := w.to.Write(b)
	return err
}

// begin writes the magic at the start.
func (w *Writer) begin() error {
	if w.at > 0 {
		return nil
	}
	return w.write([]byte(magic))
}

// flush writes a row group.
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	g := writtenGroup{rows: w.rows}
	for i, c := range w.columns {
		if c.rows != w.rows {
			return fmt.Errorf("column %s has %d values in %d rows", c.Name(), c.rows, w.rows)
		}
		chunk, err := w.chunk(c)
		if err != nil {
			return err
		}
		g.chunks = append(g.chunks, chunk)
		w.columns[i] = &columnWriter{Column: c.Column, places: make(map[string]uint32)}
	}
	w.groups, w.rows, w.size = append(w.groups, g), 0, 0
	return nil
}
