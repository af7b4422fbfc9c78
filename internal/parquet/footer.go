package parquet

import "errors"

// group is a row group.
type group struct {
	rows   int64
	chunks []chunk // one a column
}

// chunk is what the footer says of one column of a row group.
type chunk struct {
	kind       Type
	codec      codec
	values     int64 // nulls included
	bytes      int64 // stored, with the headers of pages
	data, dict int64 // where data pages and the dictionary begin; no dictionary: 0
	elsewhere  bool  // the pages are in another file
	locked     bool
}

// start is where the pages begin: some writers name the dictionary, others let
// the data begin with it.
func (c *chunk) start() int64 {
	if c.dict > 0 && c.dict < c.data {
		return c.dict
	}
	return c.data
}

// element is an entry of the schema: a column or a group of them.
type element struct {
	kind       int64 // -1: a group
	size       int32
	repetition int32
	children   int32
	name       string
	converted  int64
	note       annotation
}

// decode reads the footer: the schema, and then row groups with the same columns.
func (f *File) decode(b []byte) error {
	d, rows, locked := &decoder{b: b}, int64(-1), false
	d.structure(wireStruct, func(id int64, w wire) {
		switch id {
		case 2:
			f.Columns = d.schema(w, f.limits.Columns)
		case 3:
			rows = d.int(w)
		case 4:
			d.list(w, func(w wire) {
				f.groups = append(f.groups, d.group(w, f.Columns))
				if len(f.groups) > f.limits.RowGroups {
					d.fail(tooLarge("more than %d row groups", f.limits.RowGroups))
				}
			})
		case 8:
			locked = true
			d.skip(w)
		default:
			d.skip(w)
		}
	})
	e := (*Error)(nil)
	switch {
	case errors.As(d.err, &e):
		return e
	case d.err != nil || rows < 0 || rows > 0 && len(f.groups) == 0:
		return damaged("its list of columns cannot be read")
	case locked:
		return unread("some of its columns are encrypted; save it without a key")
	}
	return nil
}

// schema reads the tree of columns.
func (d *decoder) schema(w wire, most int) []Column {
	var elements []element
	d.list(w, func(w wire) { elements = append(elements, d.element(w)) })
	columns, err := columnsOf(elements, most)
	if err != nil {
		d.fail(err)
	}
	return columns
}

func (d *decoder) element(w wire) element {
	e := element{kind: -1, converted: -1}
	d.structure(w, func(id int64, w wire) {
		switch id {
		case 1:
			e.kind = d.int(w)
		case 2:
			e.size = d.int32(w)
		case 3:
			e.repetition = d.int32(w)
		case 4:
			e.name = d.string(w)
		case 5:
			e.children = d.int32(w)
		case 6:
			e.converted = d.int(w)
		case 7:
			e.note.scale = d.int32(w)
		case 10:
			d.annotation(w, &e.note)
		default:
			d.skip(w)
		}
	})
	return e
}

func (d *decoder) group(w wire, columns []Column) (g group) {
	g.rows = -1
	d.structure(w, func(id int64, w wire) {
		switch id {
		case 1:
			d.list(w, func(w wire) {
				if at := len(g.chunks); at < len(columns) {
					g.chunks = append(g.chunks, d.chunk(w, &columns[at]))
				} else {
					d.fail(damaged("a row group has more than the %d columns of the file", at))
				}
			})
		case 3:
			g.rows = d.int(w)
		default:
			d.skip(w)
		}
	})
	return g
}

// chunk reads what is said of a column. One that says nothing is an error here:
// it would take more memory than bytes.
func (d *decoder) chunk(w wire, col *Column) (c chunk) {
	said := false
	d.structure(w, func(id int64, w wire) {
		switch id {
		case 1:
			c.elsewhere = d.string(w) != ""
		case 3:
			said = true
			d.chunkData(w, &c, col)
		case 8, 9:
			said, c.locked = true, true
			d.skip(w)
		default:
			d.skip(w)
		}
	})
	if !said {
		d.fail(errMalformed)
	}
	return c
}

func (d *decoder) chunkData(w wire, c *chunk, col *Column) {
	c.kind, c.codec, c.values, c.bytes, c.data = -1, -1, -1, -1, -1
	d.structure(w, func(id int64, w wire) {
		switch id {
		case 1:
			c.kind = Type(d.int32(w))
		case 3:
			at := 0
			d.list(w, func(w wire) {
				if name := d.string(w); at >= len(col.Path) || name != col.Path[at] {
					d.fail(damaged("column %s is called %s elsewhere", col.Name(), name))
				}
				at++
			})
		case 4:
			c.codec = codec(d.int32(w))
		case 5:
			c.values = d.int(w)
		case 7:
			c.bytes = d.int(w)
		case 9:
			c.data = d.int(w)
		case 11:
			c.dict = d.int(w)
		default:
			d.skip(w)
		}
	})
}
