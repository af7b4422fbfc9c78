package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// seen is what the third moments in a plane have looked at: the two coordinates of every
// record of a node. The rule that is found in the plane turns them, so that records need not
// be looked at again to be placed, but for those so near to the border that rounding may
// decide.
type seen struct {
	basis *mat.Dense // d×2
	z     []int32    // 2 for each record: the bits of numbers in single precision
}

// see makes room for what is seen of the records, where they are to be placed by it; else it
// returns nil.
func (c *counted) see(basis *mat.Dense) *seen {
	c.forget()
	if c.g.s.splitter() == DSidiwo && c.g.s.steps() == 0 {
		c.seen = &seen{basis, c.g.lists.take(2 * c.own())}
	}
	return c.seen
}

// forget gives the memory back.
func (c *counted) forget() {
	if c.seen != nil {
		c.g.lists.give(c.seen.z)
		c.seen = nil
	}
}

// keep notes the coordinates of records from place lo on.
func (s *seen) keep(lo int, first, second []float64) {
	if s == nil {
		return
	}
	z := s.z[2*lo:][:2*len(first)]
	for i, x := range first {
		z[2*i] = int32(math.Float32bits(float32(x)))
		z[2*i+1] = int32(math.Float32bits(float32(second[i])))
	}
}

const (
	// roundedOff is twice what single precision takes from a number, as a share of it.
	roundedOff = 1.0 / (1 << 23)
	// summedOff is more than a sum over the features of a record is off by, as a share of
	// the largest number that it may have been for each feature.
	summedOff = 1e-11
)

// placeSeen places the records by what was seen of them.
func (c *counted) placeSeen(ctx context.Context, rule *Rule) (sides, error) {
	defer c.forget()
	z, r := c.seen.z, rule.rotation
	a0, a1, b0, b1 := r.At(0, 0), r.At(1, 0), r.At(0, 1), r.At(1, 1)
	off0, off1 := math.Abs(a0)+math.Abs(b0), math.Abs(a1)+math.Abs(b1)
	d, _ := rule.Vectors.Dims()
	near := summedOff * float64(d) * (off0 + off1) * floats.Norm(c.seen.basis.RawMatrix().Data, math.Inf(1))
	off0, off1 = roundedOff*off0, roundedOff*off1
	vectors := columnsOf(rule.Vectors)
	out := sides(c.g.labels.take(c.own()))
	return out, c.blocks(ctx, func(_, lo, n int) error {
		var ties []int
		out, z := out[lo:][:n], z[2*lo:][:2*n]
		for i := range out {
			x, y := float64(math.Float32frombits(uint32(z[2*i]))), float64(math.Float32frombits(uint32(z[2*i+1])))
			less := math.Abs(x*a0+y*a1) - math.Abs(x*b0+y*b1)
			out[i] = uint8(math.Float64bits(less) >> 63) // 1 where the second is larger
			if !(math.Abs(less) > near+off0*math.Abs(x)+off1*math.Abs(y)) {
				ties = append(ties, i)
			}
		}
		c.settle(rule, vectors, lo, ties, out)
		return nil
	})
}

// settle places records at ties, counted from place lo on, by their sums.
func (c *counted) settle(rule *Rule, vectors []float64, lo int, ties []int, out sides) {
	if len(ties) == 0 {
		return
	}
	list := make([]int32, len(ties))
	for i, at := range ties {
		list[i] = c.at(lo + at)
	}
	z := make([]float64, 2*len(ties))
	c.g.table.Sums(z, vectors, list, 0, len(ties))
	for i, at := range ties {
		out[at] = rule.side(z[i], z[len(ties)+i])
	}
}
