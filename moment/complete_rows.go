package moment

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
)

// Where features stand alone, the missing entries of M3 hang on the d vectors
// y_h = T(e_h,e_h,·) alone, of which the core is not needed: with T = T0 + D(T),
//
//	y_h = T0(e_h,e_h,·) + Σ_g [ P_hg² y_g + 2 P_hg (y_g·e_h) w_g − 2 P_hg² (y_g·e_g) w_g ],  P = E·Wᵀ,
//
// in which row g of W is w_g. An update takes some d²k products, where one of the
// core takes dk³.

// ownChunk is the number of features whose y_h are worked on at a time.
const ownChunk = 256

// ownPairs returns the y_h, one a row.
func (c *Completed) ownPairs(ctx context.Context) (*mat.Dense, error) {
	if c.own != nil {
		return c.own, nil
	}
	if c.core != nil {
		c.own = mat.DenseCopyOf(c.newContraction(c.alone()).of(c.core))
		return c.own, nil
	}
	seen, err := c.seenPairs(ctx, c.src)
	if err != nil {
		return nil, err
	}
	y, next := mat.DenseCopyOf(seen), new(mat.Dense)
	last, grown := math.Inf(1), 0
	for range mostCoreUpdates {
		if err := c.updatePairs(ctx, next, seen, y); err != nil {
			return nil, err
		}
		change, size := furthest(next, y)
		y, next = next, y
		if change <= c.tol*size {
			break
		}
		if change > last {
			grown++
		}
		if last = change; grown >= 5 || math.IsNaN(change) {
			y = seen
			if raw := c.diverged(); raw != nil {
				if y, err = c.seenPairs(ctx, raw); err != nil {
					return nil, err
				}
			}
			break
		}
	}
	c.own = y
	return y, nil
}

// furthest returns the largest change of an entry, and the largest entry.
func furthest(now, old *mat.Dense) (change, size float64) {
	before := old.RawMatrix().Data
	for i, v := range now.RawMatrix().Data {
		change = math.Max(change, math.Abs(v-before[i]))
		size = math.Max(size, math.Abs(v))
	}
	return change, size
}

// seenPairs returns T0(e_h,e_h,·) of the third moment T0 that a source shows, by scans
// of some features each.
func (c *Completed) seenPairs(ctx context.Context, src Source) (*mat.Dense, error) {
	d, k := c.w.Dims()
	team := spectral.Team(Workers(c.src))
	out := mat.NewDense(d, k, nil)
	for lo := 0; lo < d; lo += ownChunk {
		hi := min(lo+ownChunk, d)
		var b, t mat.Dense
		team.Mul(&b, c.w, mat.DenseCopyOf(c.e.Slice(lo, hi, 0, k).T()))
		p, err := src.Project(ctx, &b, Rows)
		if err != nil {
			return nil, err
		}
		team.Cross(&t, p.Rows, c.w)
		out.Slice(lo, hi, 0, k).(*mat.Dense).Copy(&t)
	}
	return out, nil
}

// updatePairs sets next to the right-hand side of the equation for y.
func (c *Completed) updatePairs(ctx context.Context, next, seen, y *mat.Dense) error {
	d, k := y.Dims()
	if next.IsEmpty() {
		next.ReuseAs(d, k)
	}
	wt, yt := mat.DenseCopyOf(c.w.T()), mat.DenseCopyOf(y.T())
	cubes := make([]float64, d) // y_g·e_g
	for g := range cubes {
		cubes[g] = dotRows(y.RawRowView(g), c.e.RawRowView(g))
	}
	return par.Do(ctx, Workers(c.src), (d+ownChunk-1)/ownChunk, func(i int) error {
		lo, hi := i*ownChunk, min((i+1)*ownChunk, d)
		e := c.e.Slice(lo, hi, 0, k).(*mat.Dense)
		var p, z, byY, byW mat.Dense
		spectral.Mul(&p, e, wt)
		spectral.Mul(&z, e, yt)
		for h := range hi - lo {
			ph, zh := p.RawRowView(h), z.RawRowView(h)
			for g, v := range ph {
				if c.triple {
					ph[g], zh[g] = 0, v*v*cubes[g]
				} else {
					ph[g], zh[g] = v*v, 2*v*zh[g]-2*v*v*cubes[g]
				}
			}
		}
		spectral.Mul(&byY, &p, y)
		spectral.Mul(&byW, &z, c.w)
		out := next.Slice(lo, hi, 0, k).(*mat.Dense)
		out.Add(seen.Slice(lo, hi, 0, k), &byY)
		out.Add(out, &byW)
		return nil
	})
}

// addMissingRows adds the missing entries to the diagonals of the slices: in slice r
//
//	Σ_h b_h² (y_h·e_r) + 2 b_r (y_r·EᵀB) − 2 b_r² (y_r·e_r).
func (c *Completed) addMissingRows(ctx context.Context, rows, b *mat.Dense) error {
	y, err := c.ownPairs(ctx)
	if err != nil {
		return err
	}
	team := spectral.Team(Workers(c.src))
	squares := mat.DenseCopyOf(b)
	for i, v := range squares.RawMatrix().Data {
		squares.RawMatrix().Data[i] = v * v
	}
	var r, others, sums, mixed mat.Dense
	if !c.triple {
		team.Cross(&others, y, squares)
		team.Mul(&sums, c.e, &others)
		rows.Add(rows, &sums)
		team.Cross(&r, c.e, b)
		team.Mul(&mixed, y, &r)
	}
	d, _ := b.Dims()
	for h := range d {
		row, bh, sh := rows.RawRowView(h), b.RawRowView(h), squares.RawRowView(h)
		cube := dotRows(y.RawRowView(h), c.e.RawRowView(h))
		for a, v := range sh {
			if c.triple {
				row[a] += cube * v
			} else {
				row[a] += 2*bh[a]*mixed.At(h, a) - 2*cube*v
			}
		}
	}
	return nil
}
