package hmm

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// lens shows rows in the coordinates of the source: symbols as they are,
// measurements as [t, c] with t in a frame and a constant c (algorithms §6,
// lift): k means then are linearly independent once they are affinely so.
type lens struct {
	d int
	// several says that rows are seen as they are: sets and counts.
	several bool
	f       *frame    // nil for symbols
	scale   []float64 // d, with f
	c       float64
	bins    *bins // nil: none
}

// apart returns the number of states that the coordinates can tell apart.
func (v *lens) apart() int {
	switch {
	case v.f == nil:
		return v.d
	case v.bins == nil:
		return v.d + 1
	}
	return max(v.d+1, v.bins.apart)
}

// words names what tells states apart.
func (v *lens) words() string {
	if v.bins != nil {
		return fmt.Sprintf("%d features whose values fall into %d bins in all", v.d, v.bins.n)
	}
	return fmt.Sprintf("%d features", v.d)
}

// dim returns the number of coordinates.
func (v *lens) dim() int {
	switch {
	case v.f == nil:
		return v.d
	case v.bins == nil:
		return v.d + 1
	}
	return v.d + 1 + v.bins.n
}

// see returns the rows of a block in those coordinates and which of them were
// observed; others are zeros.
func (v *lens) see(b pass.Block) (rows sparse.Rows, seen []bool, err error) {
	seen = make([]bool, b.Rows.N())
	if v.several {
		return v.whole(b, seen), seen, nil
	}
	if v.f == nil {
		rows, err = v.symbols(b, seen)
		return rows, seen, err
	}
	rows = sparse.Rows{Dim: v.dim(), Dense: make([]float64, b.Rows.N()*v.dim())}
	for i := range seen {
		row := rows.DenseRow(i)
		if seen[i], err = v.f.row(row[:v.d], b.Rows, i); err != nil {
			return rows, seen, stepError(b, i, err)
		}
		if seen[i] {
			row[v.d] = v.c
			if v.bins != nil {
				v.bins.see(row[v.d+1:], row[:v.d], v.c)
			}
		}
	}
	return rows, seen, nil
}

// whole returns the rows as they are; what is missing in a row that was not
// observed must not reach a sum.
func (v *lens) whole(b pass.Block, seen []bool) sparse.Rows {
	rows := b.Rows
	for i := range seen {
		seen[i] = !blank(rows, i)
	}
	if rows.IsDense() {
		rows.Dense = append([]float64(nil), rows.Dense...)
		for i, yes := range seen {
			if !yes {
				clear(rows.DenseRow(i))
			}
		}
	}
	return rows
}

func (v *lens) symbols(b pass.Block, seen []bool) (sparse.Rows, error) {
	build := sparse.NewBuilder(v.d, true)
	for i := range seen {
		h, err := symbolOf(b.Rows, i)
		if err != nil {
			return sparse.Rows{}, stepError(b, i, err)
		}
		var index []uint32
		if seen[i] = h >= 0; seen[i] {
			index = []uint32{uint32(h)}
		}
		if err := build.Add(index, nil); err != nil {
			return sparse.Rows{}, err
		}
	}
	return build.Rows(), nil
}

// unequal is the ratio of standard deviations from which on features are taken
// to be in different units.
const unequal = 10

// newLens looks at the measurements twice or, for more states than there are columns,
// three times; symbols need no look.
func (f Family) newLens(ctx context.Context, run pass.Runner, k int) (*lens, error) {
	d := run.Dim()
	if f.o.Of != nil {
		return &lens{d: d, several: true}, nil
	}
	if f.o.Emission == Discrete {
		return &lens{d: d}, nil
	}
	means, err := pass.RunOne(ctx, run, spreadSum{frameOf(make([]float64, d), ones(d))})
	if err != nil {
		return nil, err
	}
	if means[0] == 0 {
		return nil, fmt.Errorf("hmm: %w", &moment.ErrTooFew{Reason: "no observed steps"})
	}
	shift := make([]float64, d)
	for h := range shift {
		shift[h] = means[1+h] / means[0]
	}
	state, err := pass.RunOne(ctx, run, spreadSum{frameOf(shift, ones(d))})
	if err != nil {
		return nil, err
	}
	v := &lens{d: d, scale: f.scales(state, shift)}
	v.f = frameOf(shift, v.scale)
	dev := make([]float64, d)
	for h, g := range v.f.inv {
		v.c += state[1+d+h] / state[0] * g * g
		dev[h] = math.Sqrt(state[1+d+h]/state[0]) * g
	}
	// The truncation must not lose the constant: c² is the sum of all variances.
	if v.c = math.Sqrt(v.c); v.c == 0 {
		v.c = 1
	}
	if k > d+1 {
		v.bins, err = newBins(ctx, run, v.f, dev, binsOfState*k)
	}
	return v, err
}

// scales returns what measurements are divided by, 0 for constant ones.
func (f Family) scales(state, shift []float64) []float64 {
	d := len(shift)
	dev, least, most := make([]float64, d), math.Inf(1), 0.0
	for h := range dev {
		v := state[1+d+h]/state[0] - state[1+h]/state[0]*state[1+h]/state[0]
		if rounding := 1e-14 * shift[h]; v > rounding*rounding && v > 0 {
			dev[h] = math.Sqrt(v)
			least, most = math.Min(least, dev[h]), math.Max(most, dev[h])
		}
	}
	for h, v := range dev {
		if v > 0 && (f.o.Raw || most <= unequal*least) {
			dev[h] = 1
		}
	}
	return dev
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// spreadSum adds up, over observed rows in a frame, their number, Σt and Σt².
type spreadSum struct{ f *frame }

func (s spreadSum) Len() int { return 1 + 2*len(s.f.shift) }

func (s spreadSum) Add(state []float64, b pass.Block) error {
	d := len(s.f.shift)
	t := make([]float64, d)
	for i := range b.Rows.N() {
		seen, err := s.f.row(t, b.Rows, i)
		if err != nil {
			return stepError(b, i, err)
		}
		if !seen {
			continue
		}
		state[0]++
		for h, v := range t {
			state[1+h] += v
			state[1+d+h] += v * v
		}
	}
	return nil
}

// triples returns the first rows of all runs of three observed rows in one
// sequence.
func triples(b pass.Block, seen []bool) (starts []int, err error) {
	err = sequences(b, func(_, lo, hi int) {
		for t := lo; t+2 < hi; t++ {
			if seen[t] && seen[t+1] && seen[t+2] {
				starts = append(starts, t)
			}
		}
	})
	return starts, err
}
