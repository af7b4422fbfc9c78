package reference

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/sparse"
)

// BisectingKMeans starts with one group and splits the group of the largest
// inertia by 2-means until there are k (Steinbach, Karypis and Kumar 2000).
// Options.Starts is the number of starts of each split, 1 by default.
func BisectingKMeans(ctx context.Context, rows sparse.Rows, k int, o Options) (*Result, error) {
	if o.Starts == 0 {
		o.Starts = 1
	}
	return divide(ctx, rows, k, func(part sparse.Rows, number int) ([]int, error) {
		o := o
		o.Seed = o.stream("bisecting", number).Uint64()
		r, err := KMeans(ctx, part, 2, o)
		if err != nil {
			return nil, err
		}
		return r.Labels, nil
	})
}

// PDDP is principal direction divisive partitioning (Boley 1998): it splits the
// group of the largest inertia by the sign of its centred rows along their
// principal direction until there are k groups.
func PDDP(ctx context.Context, rows sparse.Rows, k int, o Options) (*Result, error) {
	return divide(ctx, rows, k, func(part sparse.Rows, number int) ([]int, error) {
		c := centred{part, mean(part)}
		_, v, _, err := spectral.Leading(ctx, part.Dim, 1, c.apply, spectral.LeadingOptions{Passes: leadingPasses, Rand: o.stream("pddp", number)})
		if err != nil {
			return nil, err
		}
		scores, err := c.scores(ctx, v)
		if err != nil {
			return nil, err
		}
		side := make([]int, part.N())
		for i, s := range scores.Dense {
			if s > 0 {
				side[i] = 1
			}
		}
		return side, nil
	})
}

// leaf is a group of a divisive method.
type leaf struct {
	rows    []int
	inertia float64
}

// divide splits the leaf of the largest inertia until there are k. Groups are
// numbered as they arise; a leaf that split cannot part is left whole.
func divide(ctx context.Context, rows sparse.Rows, k int, split func(part sparse.Rows, number int) ([]int, error)) (*Result, error) {
	if err := check(rows, k); err != nil {
		return nil, err
	}
	all := make([]int, rows.N())
	for i := range all {
		all[i] = i
	}
	leaves := []leaf{newLeaf(rows, all)}
	steps := 0
	for ; len(leaves) < k; steps++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := largest(leaves)
		if !(leaves[at].inertia > 0) {
			break // what is left is made of equal rows
		}
		side, err := split(rows.Pick(leaves[at].rows), steps)
		if err != nil {
			return nil, err
		}
		parts := [2][]int{}
		for i, s := range side {
			parts[s] = append(parts[s], leaves[at].rows[i])
		}
		if len(parts[0]) == 0 || len(parts[1]) == 0 {
			leaves[at].inertia = 0
			continue
		}
		leaves[at] = newLeaf(rows, parts[0])
		leaves = append(leaves, newLeaf(rows, parts[1]))
	}
	return gathered(rows, leaves, steps), nil
}

func newLeaf(rows sparse.Rows, members []int) leaf {
	part := rows.Pick(members)
	m, n := mean(part), float64(len(members))
	inertia, size := 0.0, 0.0
	for _, s := range squares(part) {
		inertia += s
	}
	for _, v := range m {
		size += v * v
	}
	const rounding = 1e-12 // of the squares whose difference it is
	if rest := inertia - n*size; rest > rounding*inertia {
		return leaf{members, rest}
	}
	return leaf{members, 0}
}

func largest(leaves []leaf) int {
	best := 0
	for j, l := range leaves {
		if l.inertia > leaves[best].inertia {
			best = j
		}
	}
	return best
}

// gathered returns the leaves as a Result.
func gathered(rows sparse.Rows, leaves []leaf, steps int) *Result {
	r := &Result{Labels: make([]int, rows.N()), Centers: mat.NewDense(len(leaves), rows.Dim, nil), Iterations: steps}
	for j, l := range leaves {
		for _, i := range l.rows {
			r.Labels[i] = j
		}
		part := slices.Clone(l.rows)
		r.Centers.SetRow(j, mean(rows.Pick(part)))
	}
	for i, s := range squares(rows) {
		x := make([]float64, rows.Dim)
		addRow(x, rows, i)
		c := r.Centers.RawRowView(r.Labels[i])
		for h, v := range c {
			s += v*v - 2*v*x[h]
		}
		r.Objective += math.Max(0, s)
	}
	return r
}
