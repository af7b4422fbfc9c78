package moment

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
)

// coreParts is the number of parts in which correctCore is done side by side.
const coreParts = 4

// correctCore subtracts Σ_h [b_h,b_h,g_h placed three ways] and adds
// Σ_h c_h b_h⊗b_h⊗b_h: both are one contraction of b_h⊗b_h with g_h − c_h b_h/3.
func correctCore(core *Cube, b, g *mat.Dense, c []float64) {
	p := mat.DenseCopyOf(g)
	takeThird(1, p, b, c)
	takePlaced(core, b, p)
}

// takePlaced subtracts Σ_h [b_h,b_h,p_h placed three ways].
func takePlaced(core *Cube, b, p *mat.Dense) {
	x := newPlaced(b)
	for i := range coreParts {
		addPairs(x, b, p, i)
	}
	core.AddPlacedPairs(-1, x)
}

// correctCoreOn is correctCore on so many workers.
func correctCoreOn(ctx context.Context, workers int, core *Cube, b, g *mat.Dense, c []float64) error {
	p, x := mat.DenseCopyOf(g), newPlaced(b)
	takeThird(spectral.Team(workers), p, b, c)
	err := par.Do(ctx, workers, coreParts, func(i int) error {
		addPairs(x, b, p, i)
		return nil
	})
	core.AddPlacedPairs(-1, x)
	return err
}

// newPlaced returns room for x[(a,e),f] = Σ_h b_ha b_he p_hf, a ≤ e.
func newPlaced(b *mat.Dense) *mat.Dense {
	_, l := b.Dims()
	return mat.NewDense(l*(l+1)/2, l, nil)
}

// takeThird subtracts c_h b_h/3 from the rows of g.
func takeThird(team spectral.Team, g, b *mat.Dense, c []float64) {
	_, l := b.Dims()
	team.Rows(len(c), l, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			addScaled(g.RawRowView(h), -c[h]/3, b.RawRowView(h))
		}
	})
}

// from returns the first column of part i of the pairs a ≤ e of l columns, such
// that parts have about as many pairs each.
func from(i, l int) int {
	left := math.Sqrt(1 - float64(i)/coreParts)
	return l - int(math.Round(left*float64(l)))
}

// addPairs adds up the rows of part i of x, in panels of features to bound
// memory.
func addPairs(x, b, p *mat.Dense, i int) {
	d, l := b.Dims()
	lo, hi := from(i, l), from(i+1, l)
	before := func(a int) int { return a*l - a*(a-1)/2 } // pairs whose first is below a
	first, kk := before(lo), before(hi)-before(lo)
	if kk == 0 {
		return
	}
	const panel = 64
	pairs := mat.NewDense(min(panel, d), kk, nil)
	out := x.Slice(first, first+kk, 0, l).(*mat.Dense)
	for at := 0; at < d; at += panel {
		end := min(at+panel, d)
		for h := at; h < end; h++ {
			bh, row := b.RawRowView(h), pairs.RawRowView(h-at)
			for a := lo; a < hi; a++ {
				v, tail := bh[a], bh[a:]
				for e, w := range tail {
					row[e] = v * w
				}
				row = row[len(tail):]
			}
		}
		spectral.AddMulTrans(out, pairs.Slice(0, end-at, 0, kk).(*mat.Dense), p.Slice(at, end, 0, l).(*mat.Dense))
	}
}
