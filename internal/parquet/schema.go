package parquet

import "strings"

// Type is how a value is stored.
type Type int32

// Types, as they are numbered in files.
const (
	Boolean Type = iota
	Int32
	Int64
	Int96 // twelve bytes: a time, as the first writers stored it
	Float
	Double
	ByteArray
	FixedByteArray
)

// isBytes reports whether values are kept as bytes, not as 64 bits.
func (t Type) isBytes() bool { return t == Int96 || t == ByteArray || t == FixedByteArray }

// Meaning is what a value is, where that is more than how it is stored.
type Meaning uint8

// Meanings. An annotation that does not fit the type of its column is dropped.
const (
	Stored    Meaning = iota // what the type says; bytes without annotation are text too
	Text                     // UTF-8, one of a list of words, JSON
	Decimal                  // a whole number with Scale digits behind the point
	Date                     // days from 1970
	Time                     // of the day, in Unit nanoseconds
	Timestamp                // from 1970, in Unit nanoseconds
	Unsigned                 // a number without sign
	UUID                     // sixteen bytes
	Half                     // a floating-point number of two bytes
)

// Column is a leaf of the schema.
type Column struct {
	Path    []string
	Type    Type
	Size    int // bytes of a FixedByteArray or Int96
	Meaning Meaning
	Scale   int   // digits of a Decimal behind the point
	Unit    int64 // nanoseconds of a Time or Timestamp

	// A value is there where the definition level is MaxDef. A row begins where
	// the repetition level is 0; MaxRep is the number of lists around a value.
	MaxDef, MaxRep uint8
	// Columns with the same List, the entry of the schema that repeats, have the
	// same elements one beside the other, and Path[:ListAt] is what leads to it; one
	// exists from level ListDef on. Columns without a list have 0.
	List, ListAt int
	ListDef      uint8
}

// width is the number of bytes of a value that is not packed; 0 where they differ.
func (c *Column) width() int {
	switch c.Type {
	case Boolean, ByteArray:
		return 0
	case Int32, Float:
		return 4
	case Int64, Double:
		return 8
	}
	return c.Size
}

// Name is the path with points.
func (c *Column) Name() string { return strings.Join(c.Path, ".") }

// annotation is what an entry of the schema says of its values.
type annotation struct {
	meaning Meaning
	scale   int32
	unit    int64
}

const (
	milli = 1e6 // nanoseconds
	micro = 1e3
	nano  = 1
)

// annotation reads a logical type: a union, of which one field is set.
func (d *decoder) annotation(w wire, a *annotation) {
	d.structure(w, func(id int64, w wire) {
		switch id {
		case 1, 4, 12:
			a.meaning = Text
		case 5:
			a.meaning = Decimal
			d.structure(w, func(id int64, w wire) {
				if id == 1 {
					a.scale = d.int32(w)
				} else {
					d.skip(w)
				}
			})
			return
		case 6:
			a.meaning = Date
		case 7, 8:
			a.meaning = Time
			if id == 8 {
				a.meaning = Timestamp
			}
			d.unit(w, a)
			return
		case 10:
			d.structure(w, func(id int64, w wire) {
				if id == 2 && !d.bool(w) {
					a.meaning = Unsigned
				} else if id != 2 {
					d.skip(w)
				}
			})
			return
		case 14:
			a.meaning = UUID
		case 15:
			a.meaning = Half
		}
		d.skip(w)
	})
}

// unit reads the unit of a time, again a union.
func (d *decoder) unit(w wire, a *annotation) {
	d.structure(w, func(id int64, w wire) {
		if id != 2 {
			d.skip(w)
			return
		}
		d.structure(w, func(id int64, w wire) {
			switch id {
			case 1:
				a.unit = milli
			case 2:
				a.unit = micro
			case 3:
				a.unit = nano
			}
			d.skip(w)
		})
	})
}

// older are the annotations of files from before 2018, by their numbers.
func older(converted int64) annotation {
	switch converted {
	case 0, 4, 19:
		return annotation{meaning: Text}
	case 5:
		return annotation{meaning: Decimal}
	case 6:
		return annotation{meaning: Date}
	case 7:
		return annotation{meaning: Time, unit: milli}
	case 8:
		return annotation{meaning: Time, unit: micro}
	case 9:
		return annotation{meaning: Timestamp, unit: milli}
	case 10:
		return annotation{meaning: Timestamp, unit: micro}
	case 11, 12, 13, 14:
		return annotation{meaning: Unsigned}
	}
	return annotation{}
}

// fits reports whether values of a type and size can have a meaning.
func (a annotation) fits(t Type, size int) bool {
	switch a.meaning {
	case Text:
		return t == ByteArray
	case Decimal:
		return t == Int32 || t == Int64 || t == ByteArray || t == FixedByteArray
	case Date:
		return t == Int32
	case Time, Unsigned:
		return (t == Int32 || t == Int64) && (a.unit > 0 || a.meaning == Unsigned)
	case Timestamp:
		return t == Int64 && a.unit > 0
	case UUID:
		return t == FixedByteArray && size == 16
	case Half:
		return t == FixedByteArray && size == 2
	}
	return true
}

// Repetitions of an entry of the schema; 0 is a value that is always there.
const (
	optional = 1
	repeated = 2
)

// walker lists the leaves of a schema, which is a tree written from its root on,
// every entry before its children.
type walker struct {
	elements []element
	next     int
	most     int
	out      []Column
}

// columnsOf returns the columns of a schema, of which there are at most so many.
func columnsOf(elements []element, most int) ([]Column, error) {
	if len(elements) == 0 || elements[0].children <= 0 {
		return nil, damaged("it has no list of columns")
	}
	w := &walker{elements: elements, next: 1, most: most}
	for range elements[0].children {
		if err := w.walk(Column{}); err != nil {
			return nil, err
		}
	}
	if w.next != len(elements) {
		return nil, damaged("its list of columns is no tree")
	}
	return w.out, nil
}

// walk adds the leaves from the next entry on; c is what stands above it.
func (w *walker) walk(c Column) error {
	if w.next >= len(w.elements) || len(c.Path) >= maxNesting {
		return damaged("its list of columns is no tree")
	}
	e := &w.elements[w.next]
	w.next++
	c.Path = append(c.Path[:len(c.Path):len(c.Path)], e.name)
	if e.repetition == optional || e.repetition == repeated {
		c.MaxDef++
	}
	if e.repetition == repeated {
		c.MaxRep++
		c.List, c.ListAt, c.ListDef = w.next, len(c.Path)-1, c.MaxDef
	}
	if e.kind >= 0 {
		return w.leaf(e, c)
	}
	if e.children < 0 {
		return damaged("its list of columns is no tree")
	}
	for range e.children {
		if err := w.walk(c); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) leaf(e *element, c Column) error {
	if e.kind > int64(FixedByteArray) || e.children > 0 || Type(e.kind) == FixedByteArray && e.size <= 0 {
		return damaged("column %s is of no known type", c.Name())
	}
	if len(w.out) >= w.most {
		return tooLarge("more than %d columns", w.most)
	}
	c.Type = Type(e.kind)
	switch c.Type {
	case Int96:
		c.Size = 12
	case FixedByteArray:
		c.Size = int(e.size)
	}
	note := e.note
	if note.meaning == Stored {
		note = older(e.converted)
		note.scale = e.note.scale
	}
	if note.fits(c.Type, c.Size) {
		c.Meaning, c.Scale, c.Unit = note.meaning, int(note.scale), note.unit
	}
	w.out = append(w.out, c)
	return nil
}
