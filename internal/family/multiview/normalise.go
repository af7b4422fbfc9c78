package multiview

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// plain is what a view's family is given when it normalises raw centers: means and
// variances of the features, and that the centers are in their own units.
type plain struct {
	moment.Compressed
	variance []float64
}

// Variances returns the variance of every feature over all records.
func (p *plain) Variances() []float64 { return p.variance }

// Normalise takes the stacked centers apart and has every view's family settle
// its own. A family that cannot do so from means and variances alone learns
// from the partition into nearest centers instead, if it can.
func (f *Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	rows, k := raw.Centers.Dims()
	if rows != src.Dim() || k != raw.K() {
		return raw, nil, fmt.Errorf("multiview: %d×%d centers and %d weights for moments of %d coordinates", rows, k, raw.K(), src.Dim())
	}
	s, ok := src.(*source)
	if !ok {
		return raw, nil, fmt.Errorf("multiview: moments of type %T, want the Source of this family", src)
	}
	weights := simplex.Clip(make([]float64, k), raw.Weights)
	centers, mean, variance := s.unscaled(raw.Centers)
	views := make([]mixture.Params, len(f.views))
	warnings := s.warnings()
	var labels []int32
	for i, v := range f.views {
		d := v.To - v.From
		own := &plain{moment.Compressed{
			Basis: identity(d), Mean: mean[v.From:v.To],
			Second: mat.NewDense(d, d, nil),
		}, variance[v.From:v.To]}
		start := mixture.New(mat.DenseCopyOf(centers.Slice(v.From, v.To, 0, k)), append([]float64(nil), weights...))
		q, more, err := v.Family.Normalise(ctx, own, start)
		if err == nil {
			q.Weights = weights
			err = v.Family.Check(q)
		}
		if err != nil {
			if labels == nil {
				if labels, err = s.nearest(ctx, raw.Centers); err != nil {
					return raw, nil, err
				}
			}
			if q, more, err = s.fromPartition(ctx, i, start, labels, err); err != nil {
				return raw, nil, f.inView(i, err)
			}
		}
		views[i] = q
		warnings = append(warnings, more...)
	}
	p, err := f.Join(weights, views)
	return p, warnings, err
}

// unscaled returns centers (d×k) in the units of the features, numbers only,
// and means and variances of the features.
func (s *source) unscaled(raw *mat.Dense) (centers *mat.Dense, mean, variance []float64) {
	_, k := raw.Dims()
	centers = mat.NewDense(s.f.d, k, nil)
	mean, variance = make([]float64, s.f.d), make([]float64, s.f.d)
	for _, p := range s.parts {
		for e, h := range p.features {
			mean[h] = p.shift[e]
			scale := 0.0
			if p.inv[e] > 0 {
				scale = 1 / p.inv[e]
			}
			variance[h] = scale * scale
			for j := range k {
				v := raw.At(h, j)
				if v-v != 0 {
					v = 0
				}
				centers.Set(h, j, mean[h]+v*scale)
			}
		}
	}
	return centers, mean, variance
}

// nearest returns for every own record the nearest center in the standardised
// features of the views it has.
func (s *source) nearest(ctx context.Context, raw *mat.Dense) ([]int32, error) {
	_, k := raw.Dims()
	labels := make([]int32, s.run.Can().Own)
	half := make([][]float64, len(s.parts)) // |center|²/2 in each part
	basis := make([]*mat.Dense, len(s.parts))
	for i, p := range s.parts {
		basis[i], half[i] = mat.NewDense(p.n(), k, nil), make([]float64, k)
		for e, h := range p.features {
			for j := range k {
				if v := raw.At(h, j); v-v == 0 {
					basis[i].Set(e, j, v)
					half[i][j] += v * v / 2
				}
			}
		}
	}
	_, err := s.run.Own(ctx, func(b pass.Block) error {
		score := make([]float64, b.Rows.N()*k)
		for i, p := range s.parts {
			v := p.see(s.f.side(b, p.view), s.f.views[p.view].From, b.Rows.N())
			for at, x := range v.mul(basis[i]) {
				if v.present[at/k] {
					score[at] += x - half[i][at%k]
				}
			}
		}
		for i := range b.Rows.N() {
			best := 0
			for j := range k {
				if score[i*k+j] > score[i*k+best] {
					best = j
				}
			}
			labels[b.First+i] = int32(best)
		}
		return nil
	})
	return labels, err
}

// fromPartition has the family of view i learn from labels; cause is why it
// did not settle the centers.
func (s *source) fromPartition(ctx context.Context, i int, start mixture.Params, labels []int32, cause error) (mixture.Params, []warn.Warning, error) {
	own := s.f.views[i].Family
	g, ok := own.(grouped)
	if !ok {
		return start, nil, cause
	}
	sum, err := g.HardStep(start, labels)
	if err != nil {
		return start, nil, err
	}
	state, err := pass.RunOne(ctx, s.run, viewSum{s.f, i, sum})
	if err != nil {
		return start, nil, err
	}
	return own.MStep(state, start, 1)
}

// viewSum shows a sum one view of the records, with their numbers.
type viewSum struct {
	f    *Family
	view int
	sum  pass.Sum
}

func (s viewSum) Len() int { return s.sum.Len() }

func (s viewSum) Add(state []float64, b pass.Block) error {
	if err := s.f.fits(b); err != nil {
		return err
	}
	side := s.f.side(b, s.view)
	for lo := 0; lo < side.rows.N(); {
		hi := lo + 1 // a run of records that follow each other
		for hi < side.rows.N() && side.place(hi) == side.place(hi-1)+1 {
			hi++
		}
		if err := s.sum.Add(state, pass.Block{First: b.First + side.place(lo), Rows: side.rows.Slice(lo, hi)}); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

func (s *source) warnings() []warn.Warning {
	const most = 0.5
	if share := s.all / float64(s.n); share < most {
		return []warn.Warning{warn.New(warn.Caution, "few-complete-records", "Look whether the views that are missing are missing by chance.",
			"Only %.0f of %d records have all views; the start of the fit rests on them.", s.all, s.n)}
	}
	return nil
}
