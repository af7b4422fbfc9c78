package tree

import (
	"bytes"
	"context"
	"math"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// sides holds the side of every record of a branch, one byte each: 0, 1, or tie
// while it is open which comes first.
type sides []uint8

// tie is the side of a record that is as near to one as to the other, or that has nothing
// of what tells them apart: it goes to the larger one.
const tie = 2

// sideOf compares what speaks for either side.
func sideOf(first, second float64) uint8 {
	if second == first {
		return tie
	}
	side := uint8(0)
	if second > first { // without a jump: sides come in any order
		side = 1
	}
	return side
}

// placed sets the side of every record of the runner, block by block.
func (g *builder) placed(ctx context.Context, run pass.Runner, place func(b pass.Block, out sides) error) (sides, error) {
	out := sides(g.labels.take(run.Can().Own))
	_, err := run.Own(ctx, func(b pass.Block) error { return place(b, out[b.First:][:b.Rows.N()]) })
	return out, err
}

// count returns the number of records of a side.
func (s sides) count(side uint8) int { return bytes.Count(s, []byte{side}) }

// sizes returns the numbers of records on either side, wherever they are, without ties.
func (g *builder) sizes(ctx context.Context, s sides) (n [2]int, err error) {
	for side := range n {
		if n[side], _, err = g.counted(ctx, s.count(uint8(side))); err != nil {
			return n, err
		}
	}
	return n, nil
}

// resolve gives ties to a side.
func (s sides) resolve(to uint8) {
	for at := bytes.IndexByte(s, tie); at >= 0; at = bytes.IndexByte(s, tie) {
		s[at] = to
		s = s[at+1:]
	}
}

// resolved gives ties to the larger side, and reports whether neither is empty.
func (g *builder) resolved(ctx context.Context, s sides) (both bool, err error) {
	n, err := g.sizes(ctx, s)
	larger := uint8(0)
	if n[1] > n[0] {
		larger = 1
	}
	s.resolve(larger)
	return n[0] > 0 && n[1] > 0, err
}

// largerFirst puts the larger side first, wherever the records are, ties with it. It
// reports whether the sides were exchanged.
func (g *builder) largerFirst(ctx context.Context, s sides) (swapped bool, err error) {
	n, err := g.sizes(ctx, s)
	if swapped = n[1] > n[0]; swapped && err == nil {
		err = inBlocks(ctx, g.s.Workers, len(s), func(_, lo, n int) error {
			for i, l := range s[lo : lo+n] {
				if l < tie {
					s[lo+i] = 1 - l
				}
			}
			return nil
		})
	}
	s.resolve(0)
	return swapped, err
}

// open returns the own numbers of the records at ties.
func (s sides) open(of *scanned) (list []int32) {
	for at := 0; ; at++ {
		next := bytes.IndexByte(s[at:], tie)
		if next < 0 {
			return list
		}
		at += next
		list = append(list, of.at(at))
	}
}

// numbers returns the sides as families want them.
func (s sides) numbers() []int32 {
	out := make([]int32, len(s))
	for i, l := range s {
		out[i] = int32(l)
	}
	return out
}

// block places the rows of a block by the rule.
func (r *Rule) block(b pass.Block, out sides) error {
	for lo := 0; lo < len(out); lo += covaryPanel {
		hi := min(lo+covaryPanel, len(out))
		copy(out[lo:hi], r.sides(b.Rows.Slice(lo, hi)))
	}
	return nil
}

// sides places rows by the rule; ties are left open.
func (r *Rule) sides(rows sparse.Rows) sides {
	out := make(sides, rows.N())
	if v, ok := r.single(); ok { // half the work
		z := make([]float64, len(out))
		rows.MulTo(z, v, 1)
		for i, x := range z {
			out[i] = r.side(x, 0)
		}
		return out
	}
	z := make([]float64, 2*len(out))
	rows.MulTo(z, r.Vectors.RawMatrix().Data, 2)
	for i := range out {
		out[i] = r.side(z[2*i], z[2*i+1])
	}
	return out
}

// side places a record by its products with the two vectors.
func (r *Rule) side(first, second float64) uint8 {
	first, second = first+r.Offset[0], second+r.Offset[1]
	if r.Absolute {
		first, second = math.Abs(first), math.Abs(second)
	}
	return sideOf(first, second)
}

// single returns the first vector of a rule whose second one is zero, which a
// cut of one direction is.
func (r *Rule) single() ([]float64, bool) {
	d, _ := r.Vectors.Dims()
	v := make([]float64, d)
	for h := range v {
		row := r.Vectors.RawRowView(h)
		if v[h] = row[0]; r.Absolute || row[1] != 0 {
			return nil, false
		}
	}
	return v, true
}
