package synth

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// pool holds real and synthetic records together, the real ones first, as
// standardised features: rare ones then count as much as frequent ones.
type pool struct {
	rows   sparse.Rows
	real   int       // how many of them
	scale  []float64 // 1/σ of each feature, 0 where it is constant
	mean   []float64
	square []float64 // squared length of each record in standardised units, not centred
}

// newPool joins two samples.
func newPool(a, b sparse.Rows) *pool {
	p := &pool{rows: joinRows(a, b), real: a.N()}
	d := p.rows.Dim
	p.mean, p.scale = make([]float64, d), make([]float64, d)
	squares, n := make([]float64, d), float64(p.rows.N())
	for i := range p.rows.N() {
		eachStored(p.rows, i, func(h int, x float64) {
			p.mean[h] += x / n
			squares[h] += x * x / n
		})
	}
	for h, m := range p.mean {
		if v := squares[h] - m*m; v > 1e-12*squares[h] {
			p.scale[h] = 1 / math.Sqrt(v)
		}
	}
	p.square = make([]float64, p.rows.N())
	for i := range p.square {
		eachStored(p.rows, i, func(h int, x float64) {
			x *= p.scale[h]
			p.square[i] += x * x
		})
	}
	return p
}

// joinRows puts b below a, with values unless both hold presences only.
func joinRows(a, b sparse.Rows) sparse.Rows {
	if a.IsDense() && b.IsDense() {
		return sparse.Rows{Dim: a.Dim, Dense: slices.Concat(a.Dense, b.Dense)}
	}
	out := sparse.Rows{Dim: a.Dim, Ptr: []int{0}}
	binary := a.IsBinary() && b.IsBinary()
	for _, rows := range []sparse.Rows{a, b} {
		for i := range rows.N() {
			eachStored(rows, i, func(h int, x float64) {
				if x == 0 {
					return
				}
				out.Index = append(out.Index, uint32(h))
				if !binary {
					out.Value = append(out.Value, float32(x))
				}
			})
			out.Ptr = append(out.Ptr, len(out.Index))
		}
	}
	return out
}

// eachStored hands the stored entries of row i to f, missing ones left out.
func eachStored(rows sparse.Rows, i int, f func(h int, x float64)) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if !math.IsNaN(v) {
				f(h, v)
			}
		}
		return
	}
	index, value := rows.Row(i)
	for e, h := range index {
		x := 1.0
		if value != nil {
			x = float64(value[e])
		}
		if !math.IsNaN(x) {
			f(int(h), x)
		}
	}
}

// distances returns the squared distances of all pairs of standardised records
// (n×n).
func (p *pool) distances(ctx context.Context, workers int) ([]float64, error) {
	n, d := p.rows.N(), p.rows.Dim
	out := make([]float64, n*n)
	err := par.Do(ctx, workers, n, func(i int) error {
		x := make([]float64, d)
		eachStored(p.rows, i, func(h int, v float64) { x[h] = v * p.scale[h] * p.scale[h] })
		for j := range n {
			if j == i {
				continue
			}
			dot := 0.0
			eachStored(p.rows, j, func(h int, v float64) { dot += v * x[h] })
			out[i*n+j] = math.Max(p.square[i]+p.square[j]-2*dot, 0)
		}
		return nil
	})
	return out, err
}

// discrepancy returns the unbiased estimate of MMD² (Gretton et al. 2012, eq.
// 3) under the kernel exp(−dist²/median dist²) and the share of permutations of
// the labels that reach it.
func (p *pool) discrepancy(ctx context.Context, o RealismOptions) (value, share float64, err error) {
	k, err := p.distances(ctx, o.Workers)
	if err != nil {
		return 0, 0, err
	}
	n := p.rows.N()
	g := newGram(k, n)
	value = g.unbiased(count(p.real))
	reached := make([]bool, o.Permutations)
	err = par.Do(ctx, o.Workers, o.Permutations, func(i int) error {
		members := stream.New(o.Seed, "synth/realism/permutation/"+strconv.Itoa(i)).Perm(n)[:p.real]
		slices.Sort(members)
		reached[i] = g.unbiased(members) >= value
		return nil
	})
	more := 1 // the labels as they are
	for _, r := range reached {
		if r {
			more++
		}
	}
	return value, float64(more) / float64(o.Permutations+1), err
}

func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// gram holds the kernel of all pairs of n records.
type gram struct {
	n      int
	k      []float64 // n×n
	rowSum []float64 // without the diagonal
	total  float64   // over pairs
}

// newGram turns squared distances into kernel values with the median as the
// width.
func newGram(k []float64, n int) *gram {
	pairs := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		pairs = append(pairs, k[i*n+i+1:(i+1)*n]...)
	}
	slices.Sort(pairs)
	width := pairs[len(pairs)/2]
	if width == 0 {
		width = 1
	}
	g := &gram{n: n, k: k, rowSum: make([]float64, n)}
	for i := range n {
		row := k[i*n : (i+1)*n]
		for j, v := range row {
			row[j] = math.Exp(-v / width)
			if j != i {
				g.rowSum[i] += row[j]
			}
		}
		g.total += g.rowSum[i] / 2
	}
	return g
}

// unbiased returns MMD² of the two sides: means of the kernel within each side,
// without the diagonal, less twice the mean across. The sum within one side and
// the sums of the rows tell the other two, so that a permutation costs the pairs
// of that side only.
func (g *gram) unbiased(members []int) float64 {
	within, touching := 0.0, 0.0 // pairs inside the side; pairs of a member with anybody, those inside twice
	for at, i := range members {
		touching += g.rowSum[i]
		row := g.k[i*g.n : (i+1)*g.n]
		for _, j := range members[at+1:] {
			within += row[j]
		}
	}
	across := touching - 2*within
	others := g.total - within - across
	a, b := float64(len(members)), float64(g.n-len(members))
	return 2*within/(a*(a-1)) + 2*others/(b*(b-1)) - 2*across/(a*b)
}
