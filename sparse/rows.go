// Package sparse holds blocks of records as rows of numbers: compressed sparse
// rows for counts and for binary records, dense rows for measurements.
//
// Rows are immutable: whoever holds them reads only. Slices of rows share
// storage, so a block is a view, never a copy. The package knows indices and
// numbers, not what a row means.
package sparse

import (
	"context"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
)

// Rows is a run of records in one of three layouts:
//
//	binary  Index only: the features present; Value and Dense are nil
//	valued  Index and Value: counts, or real numbers kept to single precision
//	dense   Dense only: n×Dim numbers, row by row
//
// In the sparse layouts the entries of row i are those from Ptr[i] to Ptr[i+1];
// indices rise within a row and no stored value is zero. NaN stands for a
// missing value.
type Rows struct {
	Dim   int
	Ptr   []int // n+1 offsets into Index; Ptr[0] need not be 0
	Index []uint32
	Value []float32
	Dense []float64
}

// N returns the number of rows.
func (r Rows) N() int {
	if r.Dense != nil {
		return len(r.Dense) / max(r.Dim, 1)
	}
	return max(len(r.Ptr)-1, 0)
}

// IsDense reports whether the rows are dense.
func (r Rows) IsDense() bool { return r.Dense != nil }

// IsBinary reports whether the rows hold presences only.
func (r Rows) IsBinary() bool { return r.Dense == nil && r.Value == nil }

// NNZ returns the number of stored entries.
func (r Rows) NNZ() int {
	if r.Dense != nil {
		return len(r.Dense)
	}
	if len(r.Ptr) == 0 {
		return 0
	}
	return r.Ptr[len(r.Ptr)-1] - r.Ptr[0]
}

// Row returns the entries of sparse row i; the values are nil for binary rows.
func (r Rows) Row(i int) (index []uint32, value []float32) {
	lo, hi := r.Ptr[i], r.Ptr[i+1]
	if r.Value == nil {
		return r.Index[lo:hi], nil
	}
	return r.Index[lo:hi], r.Value[lo:hi]
}

// DenseRow returns dense row i.
func (r Rows) DenseRow(i int) []float64 { return r.Dense[i*r.Dim : (i+1)*r.Dim] }

// Each calls use with the stored entries of row i; those of binary rows are 1.
func (r Rows) Each(i int, use func(h int, x float64)) {
	if r.IsDense() {
		for h, x := range r.DenseRow(i) {
			use(h, x)
		}
		return
	}
	index, value := r.Row(i)
	for e, h := range index {
		x := 1.0
		if value != nil {
			x = float64(value[e])
		}
		use(int(h), x)
	}
}

// Slice returns rows lo to hi-1 as a view.
func (r Rows) Slice(lo, hi int) Rows {
	if r.Dense != nil {
		r.Dense = r.Dense[lo*r.Dim : hi*r.Dim]
		return r
	}
	r.Ptr = r.Ptr[lo : hi+1]
	return r
}

// Pick returns a copy of the rows of the given numbers, in that order.
func (r Rows) Pick(rows []int) Rows {
	out := Rows{Dim: r.Dim}
	if r.Dense != nil {
		out.Dense = make([]float64, 0, len(rows)*r.Dim)
		for _, i := range rows {
			out.Dense = append(out.Dense, r.DenseRow(i)...)
		}
		return out
	}
	nnz := 0
	for _, i := range rows {
		nnz += r.Ptr[i+1] - r.Ptr[i]
	}
	out.Ptr = make([]int, 1, len(rows)+1)
	out.Index = make([]uint32, 0, nnz)
	if r.Value != nil {
		out.Value = make([]float32, 0, nnz)
	}
	for _, i := range rows {
		index, value := r.Row(i)
		out.Index = append(out.Index, index...)
		out.Value = append(out.Value, value...)
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	return out
}

// PickInto sets dst to a copy of the rows of the given numbers, in that order,
// in the storage that dst has where it is large enough.
func (r Rows) PickInto(dst *Rows, rows []int32) {
	_ = r.PickOn(context.Background(), 1, dst, rows) // there is nothing to end it
}

// pickedRows is the number of rows that one worker copies at a time.
const pickedRows = 4096

// PickOn is PickInto on so many workers.
func (r Rows) PickOn(ctx context.Context, workers int, dst *Rows, rows []int32) error {
	dst.Dim = r.Dim
	parts := (len(rows) + pickedRows - 1) / pickedRows
	each := func(f func(part, lo, hi int)) error {
		return par.Blocks(ctx, workers, len(rows), pickedRows, func(i, lo, hi int) error {
			f(i, lo, hi)
			return nil
		})
	}
	if r.Dense != nil {
		dst.Dense = grown(dst.Dense, len(rows)*r.Dim)
		return each(func(_, lo, hi int) {
			for at := lo; at < hi; at++ {
				copy(dst.Dense[at*r.Dim:], r.DenseRow(int(rows[at])))
			}
		})
	}
	dst.Dense, dst.Ptr = nil, grown(dst.Ptr, len(rows)+1)
	dst.Ptr[0] = 0
	before := make([]int, parts+1) // entries, part by part
	if err := each(func(part, lo, hi int) {
		n := 0
		for at := lo; at < hi; at++ {
			i := rows[at]
			n += r.Ptr[i+1] - r.Ptr[i]
			dst.Ptr[at+1] = n
		}
		before[part+1] = n
	}); err != nil {
		return err
	}
	for part := range parts {
		before[part+1] += before[part]
	}
	nnz := before[parts]
	dst.Index = grown(dst.Index, nnz)
	if r.Value == nil {
		dst.Value = nil
	} else {
		dst.Value = grown(dst.Value, nnz)
	}
	return each(func(part, lo, hi int) {
		for at := lo; at < hi; at++ {
			dst.Ptr[at+1] += before[part]
		}
		r.pickIndices(dst.Index[:before[part+1]], rows[lo:hi], before[part])
		if r.Value == nil {
			return
		}
		to := before[part]
		for _, i := range rows[lo:hi] {
			to += copy(dst.Value[to:], r.Value[r.Ptr[i]:r.Ptr[i+1]])
		}
	})
}

// pieceEntries is the number of entries that are copied at once: more than most
// short rows have, so that their lengths need not be looked at.
const pieceEntries = 16

// pickIndices copies the indices of rows to dst from place to on: what a row copies too
// much, the next one overwrites, but none goes beyond the end.
func (r Rows) pickIndices(dst []uint32, rows []int32, to int) {
	for _, i := range rows {
		from, end := r.Ptr[i], r.Ptr[i+1]
		for ; from < end; from, to = from+pieceEntries, to+pieceEntries {
			if from+pieceEntries > len(r.Index) || to+pieceEntries > len(dst) {
				copy(dst[to:], r.Index[from:end])
				continue
			}
			piece := *(*[pieceEntries]uint32)(r.Index[from:])
			*(*[pieceEntries]uint32)(dst[to:]) = piece
		}
		to += end - from // a piece too much is taken back
	}
}

// grown returns a slice of n numbers, x itself where it has room for them.
func grown[T any](x []T, n int) []T {
	if x == nil || cap(x) < n {
		return pages.Make[T](n)
	}
	return x[:n]
}

// At returns entry (i, h); it is meant for tests and printing.
func (r Rows) At(i, h int) float64 {
	if r.Dense != nil {
		return r.Dense[i*r.Dim+h]
	}
	index, value := r.Row(i)
	for e, f := range index {
		if int(f) == h {
			if value == nil {
				return 1
			}
			return float64(value[e])
		}
	}
	return 0
}

// Totals returns the sum of each row's entries, missing values left out.
func (r Rows) Totals() []float64 {
	out := make([]float64, r.N())
	if r.Value != nil && kernel.RowTotals(out, r.Ptr, r.Value) { // counts: the order of additions does not matter
		return out
	}
	for i := range out {
		t := 0.0
		if r.Dense != nil {
			for _, v := range r.DenseRow(i) {
				if v == v {
					t += v
				}
			}
			out[i] = t
			continue
		}
		index, value := r.Row(i)
		if value == nil {
			out[i] = float64(len(index))
			continue
		}
		for _, v := range value {
			if v == v {
				t += float64(v)
			}
		}
		out[i] = t
	}
	return out
}
