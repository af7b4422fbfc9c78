package triplets

import (
	"fmt"
	"strconv"

	"github.com/moiety-go/moiety/record"
)

// maxNamed is the number of columns that are all named in advance when there
// is no list of names; of wider matrices only the columns that are used are.
const maxNamed = 1 << 20

// Columns numbers the columns of one matrix in a dictionary that several
// matrices may share.
type Columns struct {
	dict   *record.Dict
	first  int               // number of the first column as written in the file: 0 or 1
	table  []uint32          // feature of a column, when all are named in advance
	same   bool              // table[i] == i
	sparse map[uint32]uint32 // features of the columns that were not named in advance
}

// NewColumns enters names into dict. Names that are empty or come twice are
// told apart by their number, and counted in renamed. Columns behind the names,
// up to width, are named by their number when they are used.
func NewColumns(dict *record.Dict, names []string, width int) (c *Columns, renamed int) {
	c = &Columns{dict: dict, first: 1, table: make([]uint32, len(names)), same: len(names) >= width}
	if !c.same {
		c.sparse = make(map[uint32]uint32)
	}
	taken := make([]bool, 0, len(names)) // by feature: it is a column of this matrix
	for i, name := range names {
		f, fresh := uint32(0), false
		if name != "" {
			f, fresh = take(dict, &taken, name)
		}
		if !fresh {
			renamed++
			for name = fmt.Sprintf("%s (column %d)", name, i+1); !fresh; name += "'" {
				f, fresh = take(dict, &taken, name)
			}
		}
		c.table[i] = f
		c.same = c.same && f == uint32(i)
	}
	return c, renamed
}

// take enters a name and reports whether no column of the matrix had it.
func take(dict *record.Dict, taken *[]bool, name string) (f uint32, fresh bool) {
	f = dict.Add(name)
	for len(*taken) <= int(f) {
		*taken = append(*taken, false)
	}
	fresh = !(*taken)[f]
	(*taken)[f] = true
	return f, fresh
}

// NewNumbered names the columns by their numbers, which start at first (0 or
// 1). Columns that are not used are named too unless there are very many.
func NewNumbered(dict *record.Dict, width, first int) *Columns {
	c := &Columns{dict: dict, first: first}
	if width > maxNamed {
		c.sparse = make(map[uint32]uint32)
		return c
	}
	c.table, c.same = make([]uint32, width), true
	for i := range c.table {
		c.table[i] = dict.Add(strconv.Itoa(i + first))
		c.same = c.same && c.table[i] == uint32(i)
	}
	return c
}

// Map replaces the columns (from 0) of a block by features.
func (c *Columns) Map(b *Block) {
	switch {
	case c.sparse != nil:
		for e, f := range b.Feature {
			if int(f) < len(c.table) {
				b.Feature[e] = c.table[f]
			} else {
				b.Feature[e] = c.find(f)
			}
		}
	case !c.same:
		for e, f := range b.Feature {
			b.Feature[e] = c.table[f]
		}
	default:
		return
	}
	b.Ascending = false
}

func (c *Columns) find(column uint32) uint32 {
	f, ok := c.sparse[column]
	if !ok {
		f = c.dict.Add(strconv.FormatUint(uint64(column)+uint64(c.first), 10))
		c.sparse[column] = f
	}
	return f
}
