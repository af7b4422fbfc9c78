package parquet

// footer returns the bytes that tell what is in the file.
func (w *Writer) footer() []byte {
	e := &encoder{}
	e.begin()
	e.i32(1, 2) // the version of the format
	w.schema(e)
	rows := int64(0)
	for _, g := range w.groups {
		rows += g.rows
	}
	e.i64(3, rows)
	e.list(4, wireStruct, len(w.groups))
	for _, g := range w.groups {
		w.group(e, g)
	}
	e.list(5, wireStruct, 1)
	e.begin()
	e.str(1, "generator")
	e.str(2, w.mark)
	e.end()
	e.str(6, "moiety")
	e.end()
	return e.b
}

// schema writes the tree of columns: a list is a group of a group of values.
func (w *Writer) schema(e *encoder) {
	entries := 1
	for _, c := range w.columns {
		entries += len(c.Path)
	}
	e.list(2, wireStruct, entries)
	e.begin()
	e.str(4, w.name)
	e.i32(5, int64(len(w.columns)))
	e.end()
	for _, c := range w.columns {
		if c.MaxRep > 0 {
			e.begin()
			e.i32(3, 0)
			e.str(4, c.Path[0])
			e.i32(5, 1)
			e.i32(6, 3) // a list, as files from before 2018 say it
			e.sub(10)
			e.empty(3)
			e.end()
			e.end()
			e.begin()
			e.i32(3, repeated)
			e.str(4, c.Path[1])
			e.i32(5, 1)
			e.end()
		}
		e.leaf(&c.Column)
	}
}

// leaf writes the entry of a column.
func (e *encoder) leaf(c *Column) {
	e.begin()
	e.i32(1, int64(c.Type))
	e.i32(3, int64(c.MaxDef-c.MaxRep))
	e.str(4, c.Path[len(c.Path)-1])
	if c.Meaning == Text {
		e.i32(6, 0)
		e.sub(10)
		e.empty(1)
		e.end()
	}
	e.end()
}

func (w *Writer) group(e *encoder, g writtenGroup) {
	size := int64(0)
	e.begin()
	e.list(1, wireStruct, len(g.chunks))
	for i, c := range g.chunks {
		size += c.bytes
		e.chunk(&w.columns[i].Column, c)
	}
	e.i64(2, size)
	e.i64(3, g.rows)
	e.end()
}

func (e *encoder) chunk(col *Column, c writtenChunk) {
	e.begin()
	e.i64(2, 0)
	e.sub(3)
	e.i32(1, int64(col.Type))
	as := []encoding{plain, runLengths}
	if c.dict > 0 {
		as = append(as, indexed)
	}
	e.list(2, wireInt32, len(as))
	for _, a := range as {
		e.zigzag(int64(a))
	}
	e.list(3, wireBinary, len(col.Path))
	for _, name := range col.Path {
		e.text(name)
	}
	e.i32(4, int64(uncompressed))
	e.i64(5, c.values)
	e.i64(6, c.bytes)
	e.i64(7, c.bytes)
	e.i64(9, c.data)
	if c.dict > 0 {
		e.i64(11, c.dict)
	}
	e.end()
	e.end()
}
