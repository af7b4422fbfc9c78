package moment

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Filled is a Runner over records with missing values that hands on complete
// ones whose products across blocks are unbiased: with p the mean of the
// present values and π the share of records that have one,
//
//	x̂ = p + (x − p)/π where x is present,  x̂ = p where it is missing.
//
// Where being missing does not depend on the values nor on other columns,
// E[x̂_h x̂_m] = E[x_h x_m] for columns h, m that differ, and so for triples;
// products inside a column have too large a mean, so only sources of products
// across blocks may stand on it. Where nothing is missing records pass as they
// are.
//
// A column is a block of one-hot features, missing where a record has no entry
// in it, or a single feature, missing where its value is NaN.
type Filled struct {
	pass.Runner
	run      pass.Runner // the records as they are
	blocks   [][2]int
	complete bool
	Mean     []float64 // p: mean over the records that have a value
	Share    []float64 // π of the feature's column
	// Deviation is the standard deviation over the records that have a value;
	// +Inf for constant features.
	Deviation []float64
	Survey    *Survey
	open      []bool    // the feature's column has missing values
	shift     []float64 // subtracted from the complete values; nil for none
}

// NewFilled surveys the records (values are checked by legal, as by NewSurvey,
// and blocks must hold at most a single entry of a record) and returns the
// runner of complete ones.
func NewFilled(ctx context.Context, run pass.Runner, blocks [][2]int, legal func(h int, x float64) string) (*Filled, error) {
	if _, err := blockOf(blocks, run.Dim()); err != nil {
		return nil, err
	}
	s, err := NewSurvey(ctx, run, legal)
	if err != nil {
		return nil, err
	}
	if _, err := pass.RunOne(ctx, run, oneHot{blocks}); err != nil {
		return nil, err
	}
	f := &Filled{run: run, blocks: blocks, Survey: s, complete: true}
	for _, b := range blocks { // what is present in a block is its number of entries
		n := 0.0
		for h := b[0]; h < b[1]; h++ {
			n += s.Sum[h]
		}
		for h := b[0]; h < b[1]; h++ {
			s.Present[h] = n
		}
	}
	f.Mean = s.Mean()
	f.Share, f.Deviation, f.open = make([]float64, run.Dim()), s.Deviation(), make([]bool, run.Dim())
	for h, n := range s.Present {
		f.Share[h] = n / s.N
		f.open[h] = n < s.N // where nobody has a value all get the mean, zero
		f.complete = f.complete && !f.open[h]
		if n == 0 || s.constant(h) {
			f.Deviation[h] = math.Inf(1)
		}
	}
	f.show()
	return f, nil
}

// show makes the runner of what is filled in, the records themselves where that
// is nothing.
func (f *Filled) show() {
	f.Runner = f.run
	if !f.complete || f.shift != nil {
		f.Runner = pass.Map(f.run, f.fill)
	}
}

// constant reports that the present values of feature h are all alike.
func (s *Survey) constant(h int) bool {
	const rounding = 1e-12
	mean := s.Sum[h] / s.Present[h]
	square := s.SumSquares[h] / s.Present[h]
	return square-mean*mean <= rounding*square
}

// Shifted returns the runner that also subtracts shift_h from feature h.
func (f *Filled) Shifted(shift []float64) *Filled {
	g := *f
	for _, v := range shift {
		if v != 0 {
			g.shift = shift
		}
	}
	g.show()
	return &g
}

// Complete reports that no value is missing.
func (f *Filled) Complete() bool { return f.complete }

// fill returns the block with complete records, in the same layout.
func (f *Filled) fill(b pass.Block) pass.Block {
	d, rows := f.Dim(), b.Rows
	out := sparse.Rows{Dim: d}
	if rows.IsDense() {
		out.Dense = make([]float64, 0, len(rows.Dense))
	}
	x := make([]float64, d)
	present := make([]bool, d)
	if !rows.IsDense() {
		out.Ptr, out.Value = append(make([]int, 0, rows.N()+1), 0), []float32{}
	}
	for i := range rows.N() {
		f.unpack(rows, i, x, present)
		for h, open := range f.open {
			switch {
			case !open:
			case present[h]:
				x[h] = f.Mean[h] + (x[h]-f.Mean[h])/f.Share[h]
			default:
				x[h] = f.Mean[h]
			}
		}
		for h, v := range f.shift {
			x[h] -= v
		}
		if rows.IsDense() {
			out.Dense = append(out.Dense, x...)
			continue
		}
		for h, v := range x {
			if v != 0 {
				out.Index, out.Value = append(out.Index, uint32(h)), append(out.Value, float32(v))
			}
		}
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	b.Rows = out
	return b
}

// unpack sets x to row i, zero where missing, and present to what is there.
func (f *Filled) unpack(rows sparse.Rows, i int, x []float64, present []bool) {
	clear(x)
	if rows.IsDense() {
		copy(x, rows.DenseRow(i))
	} else {
		index, value := rows.Row(i)
		for e, h := range index {
			x[h] = 1
			if value != nil {
				x[h] = float64(value[e])
			}
		}
	}
	for h, v := range x {
		present[h] = !math.IsNaN(v)
		if !present[h] {
			x[h] = 0
		}
	}
	for _, b := range f.blocks {
		any := false
		for h := b[0]; h < b[1]; h++ {
			any = any || x[h] != 0
		}
		for h := b[0]; h < b[1]; h++ {
			present[h] = any
		}
	}
}

// oneHot checks that no record has two entries in a block; it adds nothing.
type oneHot struct{ blocks [][2]int }

func (oneHot) Len() int { return 0 }

func (o oneHot) Add(_ []float64, b pass.Block) error {
	ent := entries{f: &Formula{Law: Raw()}}
	for i := range b.Rows.N() {
		index, x, _, _ := ent.row(b.Rows, i)
		at, last := 0, -1 // the block of the last entry, and the feature
		for e, v := range x {
			h := featureOf(index, e)
			if v == 0 || math.IsNaN(v) {
				continue
			}
			for at < len(o.blocks) && o.blocks[at][1] <= h {
				at, last = at+1, -1
			}
			if at == len(o.blocks) {
				break
			}
			if h < o.blocks[at][0] {
				continue
			}
			if last >= 0 {
				return &ValueError{b.First + i, h, v, fmt.Sprintf("the record has already answer %d of that question, feature %d; a question has one answer", last-o.blocks[at][0]+1, last+1)}
			}
			last = h
		}
	}
	return nil
}
