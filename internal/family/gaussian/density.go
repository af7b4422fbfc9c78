package gaussian

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Posterior implements family.Family.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	return f.walk(p, b, func(s *scorer, lo int, z []float64) {
		s.posterior(z, make([]float64, len(z)/s.k))
		copy(out[lo*s.k:], z)
	})
}

// LogDensity implements family.Family.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	return f.walk(p, b, func(s *scorer, lo int, z []float64) {
		s.posterior(z, out[lo:lo+len(z)/s.k])
	})
}

// walk hands the log densities of the components to do, panel by panel; lo is
// the panel's first row.
func (f Family) walk(p mixture.Params, b pass.Block, do func(s *scorer, lo int, z []float64)) error {
	if err := f.fits(p, b); err != nil {
		return err
	}
	s := newScorer(p)
	z, squares := make([]float64, panelRows*s.k), make([]float64, panelRows)
	var buf []float64
	row := make([]float64, p.Dim())
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		s.scores(s.f.panel(b.Rows.Slice(lo, hi), &buf), z[:(hi-lo)*s.k], squares[:hi-lo])
		for i, q := range squares[:hi-lo] {
			if q != q { // something is missing
				unpack(row, b.Rows, lo+i)
				s.marginal(p, row, z[i*s.k:][:s.k])
			}
		}
		do(s, lo, z[:(hi-lo)*s.k])
	}
	return nil
}

// marginal sets z to the log densities of what is there of a record.
func (s *scorer) marginal(p mixture.Params, x, z []float64) {
	v := p.Extra[VarianceOf].RawRowView(0)
	clear(z)
	for h, g := range s.f.inv {
		if g == 0 || x[h] != x[h] {
			continue
		}
		for j, m := range p.Centers.RawRowView(h) {
			t := (x[h] - m) * g
			z[j] += math.Log(g) - math.Log(2*math.Pi*v[j])/2 - t*t/(2*v[j])
		}
	}
}

func (f Family) fits(p mixture.Params, b pass.Block) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("gaussian: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	return numbersOrBlanks(b.Rows, b.First)
}

// Sample draws n dense records; the shape plays no part.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d := p.Dim()
	v, s := p.Extra[VarianceOf], p.Extra[ScaleOf]
	draw := family.Draw{Rows: sparse.Rows{Dim: d, Dense: make([]float64, n*d)}, Labels: make([]int, n)}
	for i := range n {
		j := family.Pick(r, p.Weights)
		draw.Labels[i] = j
		sd, row := math.Sqrt(v.At(0, j)), draw.Rows.DenseRow(i)
		for h := range row {
			row[h] = p.Centers.At(h, j) + sd*s.At(h, 0)*r.NormFloat64()
		}
	}
	return draw, nil
}
