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
	keys   []uint64 // of a row: feature and place, so that sorting is stable
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
	if value != nil && len(value) != len(index) {
		return fmt.Errorf("sparse: %d values for %d features", len(value), len(index))
	}
	if err := b.sort(index, value); err != nil {
		return err
	}
	at := func(e int) float32 {
		if value == nil {
			return 1
		}
		return value[uint32(b.keys[e])]
	}
	for e := 0; e < len(b.keys); {
		h, v := b.keys[e]>>32, at(e)
		for e++; e < len(b.keys) && b.keys[e]>>32 == h; e++ {
			v += at(e)
		}
		if v == 0 {
			continue
		}
		b.rows.Index = append(b.rows.Index, uint32(h))
		if !b.binary {
			b.rows.Value = append(b.rows.Value, v)
		}
	}
	b.rows.Ptr = append(b.rows.Ptr, len(b.rows.Index))
	return nil
}

// sort checks a row and sets the keys of its entries, rising.
func (b *Builder) sort(index []uint32, value []float32) error {
	b.keys = b.keys[:0]
	rising, last := true, uint32(0)
	for e, h := range index {
		if int(h) >= b.rows.Dim {
			return fmt.Errorf("sparse: feature %d in a row of %d features", h, b.rows.Dim)
		}
		if value != nil && math.IsInf(float64(value[e]), 0) {
			return fmt.Errorf("sparse: value of feature %d is infinite", h)
		}
		b.keys = append(b.keys, uint64(h)<<32|uint64(e))
		rising, last = rising && h >= last, h
	}
	if !rising {
		slices.Sort(b.keys)
	}
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
