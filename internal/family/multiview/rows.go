package multiview

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// side is a block of records seen from one view.
type side struct {
	rows sparse.Rows // of the records that have the view, in order
	of   []int       // their places in the block; nil where all have it
}

// side returns the block from view i. A record lacks the view when all its
// values there are missing, or when it is empty and the view says so.
func (f *Family) side(b pass.Block, i int) side {
	v := f.views[i]
	rows := cut(b.Rows, v.From, v.To)
	var of []int
	for r := range rows.N() {
		if !missing(rows, r, v.EmptyMissing) {
			of = append(of, r)
		}
	}
	if len(of) == rows.N() {
		return side{rows, nil}
	}
	if of == nil {
		of = []int{}
	}
	return side{rows.Pick(of), of}
}

// place returns the place in the block of row r of the side.
func (s side) place(r int) int {
	if s.of == nil {
		return r
	}
	return s.of[r]
}

// block returns the side's rows as a block of their own.
func (s side) block(first int) pass.Block { return pass.Block{First: first, Rows: s.rows} }

func missing(rows sparse.Rows, r int, empty bool) bool {
	if rows.IsDense() {
		for _, v := range rows.DenseRow(r) {
			if !math.IsNaN(v) {
				return false
			}
		}
		return true
	}
	index, value := rows.Row(r)
	if len(index) == 0 {
		return empty
	}
	for _, v := range value {
		if v == v {
			return false
		}
	}
	return value != nil && len(index) == rows.Dim
}

// cut returns features from to to-1 of the rows.
func cut(rows sparse.Rows, from, to int) sparse.Rows {
	out := sparse.Rows{Dim: to - from}
	if rows.IsDense() {
		out.Dense = make([]float64, 0, rows.N()*out.Dim)
		for i := range rows.N() {
			out.Dense = append(out.Dense, rows.DenseRow(i)[from:to]...)
		}
		return out
	}
	out.Ptr = make([]int, 1, rows.N()+1)
	if rows.Value != nil {
		out.Value = []float32{}
	}
	for i := range rows.N() {
		index, value := rows.Row(i)
		for e, h := range index {
			if int(h) < from || int(h) >= to {
				continue
			}
			out.Index = append(out.Index, h-uint32(from))
			if value != nil {
				out.Value = append(out.Value, value[e])
			}
		}
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	return out
}

func (f *Family) fits(b pass.Block) error {
	if b.Rows.Dim != f.d {
		return fmt.Errorf("multiview: records of %d features for views of %d", b.Rows.Dim, f.d)
	}
	if b.Steps != nil {
		return fmt.Errorf("multiview: records must be single rows, not sequences: choose the model hmm")
	}
	return nil
}
