package arrow

// Kinds of columns, by the numbers of the format.
const (
	kindNull      = 1
	kindInt       = 2
	kindFloat     = 3
	kindBinary    = 4
	kindText      = 5
	kindBool      = 6
	kindDecimal   = 7
	kindDate      = 8
	kindTime      = 9
	kindStamp     = 10
	kindInterval  = 11
	kindList      = 12
	kindStruct    = 13
	kindFixed     = 15
	kindFixedList = 16
	kindMap       = 17
	kindSpan      = 18
	kindLargeBin  = 19
	kindLargeText = 20
	kindLargeList = 21
	kindBinView   = 23
	kindTextView  = 24
)

// column is what the schema says of a column.
type column struct {
	name     string
	kind     int
	bits     int  // of numbers
	signed   bool // whole numbers
	unit     int  // of times
	scale    int  // of decimals
	width    int  // of fixed lists and bytes
	dict     bool // values are numbers of a dictionary
	dictID   int64
	index    *column // of the numbers of a dictionary
	children []*column
}

// maxDepth bounds columns within columns.
const maxDepth = 16

// readColumn reads a field of the schema.
func readColumn(f *flat, at, depth int) *column {
	c := &column{name: f.text(at, 0), kind: int(f.number(at, 2, 1, 0))}
	c.readType(f, f.table(at, 3))
	if d := f.table(at, 4); d != 0 {
		c.dict, c.dictID = true, f.number(d, 0, 8, 0)
		c.index = &column{kind: kindInt, bits: 32, signed: true}
		if i := f.table(d, 1); i != 0 {
			c.index.readType(f, i)
		}
	}
	list, n := f.list(at, 5, 4)
	for i := 0; i < n && depth < maxDepth && !f.bad; i++ {
		c.children = append(c.children, readColumn(f, f.follow(list+4*i), depth+1))
	}
	return c
}

// readType reads what a kind says further.
func (c *column) readType(f *flat, t int) {
	if t == 0 {
		return
	}
	switch c.kind {
	case kindInt:
		c.bits, c.signed = int(f.number(t, 0, 4, 0)), f.number(t, 1, 1, 0) != 0
	case kindFloat:
		c.bits = 16 << (uint(f.number(t, 0, 2, 0)) & 3)
	case kindDecimal:
		c.scale, c.bits = int(f.number(t, 1, 4, 0)), int(f.number(t, 2, 4, 128))
	case kindDate:
		if c.unit = int(f.number(t, 0, 2, 1)); c.unit == 0 {
			c.bits = 32
		} else {
			c.bits = 64
		}
	case kindTime:
		c.unit, c.bits = int(f.number(t, 0, 2, 1)), int(f.number(t, 1, 4, 32))
	case kindStamp, kindSpan:
		c.unit, c.bits = int(f.number(t, 0, 2, 0)), 64
	case kindInterval:
		c.bits = [...]int{32, 64, 128}[min(max(f.number(t, 0, 2, 0), 0), 2)]
	case kindFixed, kindFixedList:
		c.width = int(f.number(t, 0, 4, 0))
	}
}

// readable reports columns whose values become cells; the others are left out.
func (c *column) readable() bool {
	switch c.kind {
	case kindNull, kindBool, kindText, kindLargeText, kindTextView, kindDate, kindStamp:
		return true
	case kindTime:
		return c.bits == 32 || c.bits == 64
	case kindInt:
		return c.bits == 8 || c.bits == 16 || c.bits == 32 || c.bits == 64
	case kindFloat:
		return c.bits == 16 || c.bits == 32 || c.bits == 64
	case kindDecimal:
		return c.bits == 128 && c.scale >= -38 && c.scale <= 38
	case kindList, kindLargeList:
		return len(c.children) == 1 && c.children[0].kind != kindList && c.children[0].kind != kindLargeList && c.children[0].readable()
	}
	return false
}
