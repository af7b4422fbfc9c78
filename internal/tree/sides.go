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

// tie is the side of a record that is as near to one as to the other: it goes
// to the first, whichever that is in the end.
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

// both reports whether neither side is empty, wherever the records are; ties are
// resolved.
func (g *builder) both(ctx context.Context, s sides) (bool, error) {
	ones, n, err := g.ones(ctx, s)
	return ones > 0 && ones < n, err
}

// ones returns the number of records of the second side and of all, wherever they are.
func (g *builder) ones(ctx context.Context, s sides) (ones, n int, err error) {
	if ones, _, err = g.counted(ctx, s.count(1)); err != nil {
		return 0, 0, err
	}
	n, _, err = g.counted(ctx, len(s))
	return ones, n, err
}

// resolve gives ties to the first side.
func (s sides) resolve() {
	for at := bytes.IndexByte(s, tie); at >= 0; at = bytes.IndexByte(s, tie) {
		s[at] = 0
		s = s[at+1:]
	}
}

// largerFirst puts the larger side first, wherever the records are, ties with it. It
// reports whether the sides were exchanged.
func (g *builder) largerFirst(ctx context.Context, s sides) (swapped bool, err error) {
	ones, n, err := g.ones(ctx, s)
	if swapped = 2*ones > n; swapped && err == nil {
		err = inBlocks(ctx, g.s.Workers, len(s), func(_, lo, n int) error {
			for i, l := range s[lo : lo+n] {
				if l < tie {
					s[lo+i] = 1 - l
				}
			}
			return nil
		})
	}
	s.resolve()
	return swapped, err
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

// place returns the child of every row under the rule.
func (r *Rule) place(rows sparse.Rows) []int32 {
	out := r.sides(rows)
	out.resolve()
	return out.numbers()
}
