package sparse

import (
	"fmt"
	"math"
	"slices"
)

// Builder collects sparse rows one after another.
type Builder struct {
	rows   Rows
	binary bool
	pairs  []entry
}

type entry struct {
	index uint32
	value float32
}

// NewBuilder returns a builder of rows over dim features; binary rows keep
// presences only.
func NewBuilder(dim int, binary bool) *Builder {
	return &Builder{rows: Rows{Dim: dim, Ptr: []int{0}}, binary: binary}
}

// Add appends a row. Indices may come in any order; the values of an index
// that comes more than once are added up (in a binary row they count once);
// zeros are dropped. A nil value slice means all ones.
func (b *Builder) Add(index []uint32, value []float32) error {
	b.pairs = b.pairs[:0]
	for e, h := range index {
		if int(h) >= b.rows.Dim {
			return fmt.Errorf("sparse: feature %d in a row of %d features", h, b.rows.Dim)
		}
		v := float32(1)
		if value != nil {
			v = value[e]
		}
		if math.IsInf(float64(v), 0) {
			return fmt.Errorf("sparse: value of feature %d is infinite", h)
		}
		b.pairs = append(b.pairs, entry{h, v})
	}
	slices.SortStableFunc(b.pairs, func(x, y entry) int { return int(x.index) - int(y.index) })
	for e := 0; e < len(b.pairs); {
		h, v := b.pairs[e].index, b.pairs[e].value
		for e++; e < len(b.pairs) && b.pairs[e].index == h; e++ {
			v += b.pairs[e].value
		}
		if v == 0 {
			continue
		}
		b.rows.Index = append(b.rows.Index, h)
		if !b.binary {
			b.rows.Value = append(b.rows.Value, v)
		}
	}
	b.rows.Ptr = append(b.rows.Ptr, len(b.rows.Index))
	return nil
}

// N returns the number of rows added so far.
func (b *Builder) N() int { return len(b.rows.Ptr) - 1 }

// Rows returns the rows; the builder must not be used afterwards.
func (b *Builder) Rows() Rows {
	if !b.binary && b.rows.Value == nil {
		b.rows.Value = []float32{}
	}
	return b.rows
}

// FromDense returns sparse rows of the given table, for tests and small data.
func FromDense(table [][]float64, dim int, binary bool) Rows {
	b := NewBuilder(dim, binary)
	for _, row := range table {
		var index []uint32
		var value []float32
		for h, v := range row {
			if v != 0 {
				index, value = append(index, uint32(h)), append(value, float32(v))
			}
		}
		if err := b.Add(index, value); err != nil {
			panic(err) // the caller's table is wider than dim: a programming error
		}
	}
	return b.Rows()
}
