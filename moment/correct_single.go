package moment

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
)

// correct does what correctCore does to a packed core, in single precision on so
// many workers. p (d×l) has the rows g_h − c_h b_h/3. With q = t·p and S the sum
// over the three places of p,
//
//	S(b,b,p) = ( ((b+q)³ − (b−q)³)/2 − q³ ) / t
//
// so that the cubes of three rows for each feature are its share. t makes q as
// large as b, or digits of the smaller one would be lost.
func (g *single) correct(ctx context.Context, workers int, core []float64, b, p *mat.Dense) error {
	t := math.Sqrt(squares(workers, b) / squares(workers, p))
	if math.IsInf(t, 1) { // nothing to subtract
		return nil
	}
	d, _ := b.Dims()
	n := coreParts
	if d >= manyFeatures {
		n = manyParts
	}
	sums := make([]float64, n*len(core))
	err := par.Do(ctx, workers, n, func(i int) error {
		g.addCubes(sums[i*len(core):][:len(core)], b, p, t, i*d/n, (i+1)*d/n)
		return nil
	})
	for ; len(sums) > 0; sums = sums[len(core):] {
		addScaled(core, -1/t, sums[:len(core)])
	}
	return err
}

// From manyFeatures on there are manyParts, more than coreParts. How many there are is part of the
// result, so that it does not depend on the workers.
const (
	manyFeatures = 1 << 15
	manyParts    = 32
)

// addCubes adds t·S(b,b,p) of the features from lo to hi.
func (g *single) addCubes(sums []float64, b, p *mat.Dense, t float64, lo, hi int) {
	const features = singleRows / 3
	l, ld := g.s.l, g.s.stride
	buffer := g.buffers.take()
	defer g.buffers.workers.Put(buffer)
	buffer.forCore(ld)
	var weights [3 * features]float32
	for i := range features {
		weights[3*i], weights[3*i+1], weights[3*i+2] = 0.5, -0.5, -1
	}
	for ; lo < hi; lo += features {
		n := min(features, hi-lo)
		for i := range n {
			three := buffer.z[3*i*ld:][:3*ld]
			bh, ph := b.RawRowView(lo+i), p.RawRowView(lo+i)
			for a, x := range bh {
				q := t * ph[a]
				three[a], three[ld+a], three[2*ld+a] = float32(x+q), float32(x-q), float32(q)
			}
		}
		kernel.Cube32(sums, buffer.z, weights[:3*n], l, ld, buffer.cube)
	}
}

// squares returns the sum of the squares of a d×l matrix, added up in parts where it is large.
func squares(workers int, m *mat.Dense) float64 {
	const part = 1 << 20 // numbers, part of the result
	x := m.RawMatrix().Data
	sums := make([]float64, len(x)/part+1)
	_ = par.Blocks(context.Background(), workers, len(x), part, func(i, lo, hi int) error { // nothing fails
		sums[i] = squaresOf(x[lo:hi])
		return nil
	})
	all := 0.0
	for _, v := range sums {
		all += v
	}
	return all
}

func squaresOf(x []float64) float64 {
	var sums [4]float64 // that need not wait for each other
	for ; len(x) >= len(sums); x = x[len(sums):] {
		for i, v := range x[:len(sums)] {
			sums[i] += v * v
		}
	}
	for i, v := range x {
		sums[i] += v * v
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}
