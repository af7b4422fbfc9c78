package reference

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// KMeans groups rows by Lloyd's algorithm from greedy k-means++ starts
// (Arthur and Vassilvitskii 2007, with 2 + log k trials a center) and keeps the
// start of least inertia, the sum of squared distances to the centers.
// Distances are ½|c|² − x·c, so that a step costs non-zeros × k.
func KMeans(ctx context.Context, rows sparse.Rows, k int, o Options) (*Result, error) {
	if err := check(rows, k); err != nil {
		return nil, err
	}
	o = o.filled()
	p := newLloyd(rows, k, o)
	starts := make([]*Result, o.Starts)
	err := par.Do(ctx, o.Workers, o.Starts, func(s int) error {
		centers, err := p.seed(ctx, o.stream("kmeans", s))
		if err != nil {
			return err
		}
		starts[s], err = p.run(ctx, centers)
		return err
	})
	if err != nil {
		return nil, err
	}
	best := starts[0]
	for _, r := range starts[1:] {
		if r.Objective < best.Objective {
			best = r
		}
	}
	return best, nil
}

// lloyd is one k-means problem; it is read-only and shared by the starts.
type lloyd struct {
	rows      sparse.Rows
	k         int
	square    []float64 // |x_i|²
	steps     int
	tolerance float64 // squared movement of the centers that ends a start
}

func newLloyd(rows sparse.Rows, k int, o Options) *lloyd {
	p := &lloyd{rows: rows, k: k, square: squares(rows), steps: o.Iterations}
	m := mean(rows)
	variance := 0.0
	for _, s := range p.square {
		variance += s / float64(rows.N())
	}
	for _, v := range m {
		variance -= v * v
	}
	p.tolerance = o.Tol * variance / float64(max(rows.Dim, 1))
	return p
}

// run takes Lloyd steps from centers (k×d) until no label changes or the
// centers rest. The labels always belong to the centers returned.
func (p *lloyd) run(ctx context.Context, centers *mat.Dense) (*Result, error) {
	r := &Result{Labels: make([]int, p.rows.N()), Centers: centers}
	far := make([]float64, p.rows.N())
	for i := range r.Labels {
		r.Labels[i] = -1
	}
	for r.Iterations = 1; ; r.Iterations++ {
		changed, err := p.assign(ctx, r, far)
		if err != nil {
			return nil, err
		}
		if !changed || r.Iterations > p.steps {
			break
		}
		next := p.update(r.Labels, far)
		moved := squaredMove(next, r.Centers)
		r.Centers = next
		if moved <= p.tolerance {
			if _, err := p.assign(ctx, r, far); err != nil {
				return nil, err
			}
			break
		}
	}
	for _, v := range far {
		r.Objective += v
	}
	return r, nil
}

// assign gives every row its nearest center, the first of equals, and sets far
// to the squared distances.
func (p *lloyd) assign(ctx context.Context, r *Result, far []float64) (changed bool, err error) {
	d, k := p.rows.Dim, p.k
	t := mat.DenseCopyOf(r.Centers.T()) // d×k
	half := make([]float64, k)
	for h := range d {
		for j, v := range t.RawRowView(h) {
			half[j] += v * v / 2
		}
	}
	z := make([]float64, min(chunk, p.rows.N())*k)
	err = each(ctx, p.rows, func(first int, part sparse.Rows) {
		z := z[:part.N()*k]
		part.MulTo(z, t.RawMatrix().Data, k)
		for i := range part.N() {
			best, least := 0, math.Inf(1)
			for j, dot := range z[i*k:][:k] {
				if v := half[j] - dot; v < least {
					best, least = j, v
				}
			}
			changed = changed || r.Labels[first+i] != best
			r.Labels[first+i] = best
			far[first+i] = math.Max(0, p.square[first+i]+2*least)
		}
	})
	return changed, err
}

// update returns the means of the groups. An empty group moves to the row
// farthest from its center, which leaves its own group.
func (p *lloyd) update(labels []int, far []float64) *mat.Dense {
	c := mat.NewDense(p.k, p.rows.Dim, nil)
	size := make([]float64, p.k)
	for i, j := range labels {
		addRow(c.RawRowView(j), p.rows, i)
		size[j]++
	}
	for j := range p.k {
		if size[j] == 0 {
			p.relocate(c, size, labels, far, j)
		}
	}
	for j := range p.k {
		for h, v := range c.RawRowView(j) {
			c.Set(j, h, v/math.Max(size[j], 1))
		}
	}
	return c
}

// relocate makes the farthest row of a group of several the only one of group
// j, in the sums c and the sizes.
func (p *lloyd) relocate(c *mat.Dense, size []float64, labels []int, far []float64, j int) {
	worst := -1
	for i, v := range far {
		if size[labels[i]] > 1 && (worst < 0 || v > far[worst]) {
			worst = i
		}
	}
	if worst < 0 {
		return
	}
	x := make([]float64, p.rows.Dim)
	addRow(x, p.rows, worst)
	from := c.RawRowView(labels[worst])
	for h, v := range x {
		from[h] -= v
	}
	c.SetRow(j, x)
	size[labels[worst]]--
	size[j]++
	labels[worst], far[worst] = j, 0
}

func squaredMove(a, b *mat.Dense) float64 {
	x, y := a.RawMatrix().Data, b.RawMatrix().Data
	sum := 0.0
	for i, v := range x {
		sum += (v - y[i]) * (v - y[i])
	}
	return sum
}
