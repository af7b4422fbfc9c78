package gaussian

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Dim returns d+1: the features and the constant.
func (s *source) Dim() int { return len(s.delta) + 1 }

// First returns the mean of y.
func (s *source) First(context.Context) ([]float64, error) {
	return append(append([]float64(nil), s.delta...), s.lift), nil
}

// Matrix returns M2 whole where d is small, nil otherwise.
func (s *source) Matrix(context.Context) (*mat.SymDense, error) {
	if s.cov == nil {
		return nil, nil
	}
	d := len(s.delta)
	m2 := mat.NewSymDense(d+1, nil)
	for h := range d {
		for m := h; m < d; m++ {
			m2.SetSym(h, m, s.cov.At(h, m))
		}
		if s.f.inv[h] > 0 {
			m2.SetSym(h, h, s.cov.At(h, h)-s.noise)
		}
		m2.SetSym(h, d, s.lift*s.delta[h])
	}
	m2.SetSym(d, d, s.lift*s.lift)
	return m2, nil
}

// Project implements moment.Source.
func (s *source) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	d, l := b.Dims()
	if d != s.Dim() {
		return nil, fmt.Errorf("gaussian: basis of %d rows for %d coordinates", d, s.Dim())
	}
	b = mat.DenseCopyOf(b)
	out := &moment.Projection{}
	if want&moment.Second != 0 && s.cov != nil {
		m2, err := s.Matrix(ctx)
		if err != nil {
			return nil, err
		}
		out.Second = mat.NewDense(d, l, nil)
		out.Second.Mul(m2, b)
		want &^= moment.Second
	}
	if want == 0 {
		return out, nil
	}
	lift := append([]float64(nil), b.RawRowView(d-1)...)
	floats.Scale(s.lift, lift)
	sum := &projectSum{s.f, s.f.basis(b.RawMatrix().Data[:(d-1)*l], l), lift, want}
	state, err := pass.RunOne(ctx, s.run, sum)
	if err != nil {
		return nil, err
	}
	second, core, slices, rows := sum.parts(state)
	s.finish(out, b, second, core, slices, rows)
	return out, nil
}

// finish turns sums into moments and subtracts what the noise adds.
func (s *source) finish(out *moment.Projection, b *mat.Dense, second, core, slices, rows []float64) {
	d, l := b.Dims()
	inside := s.inside(b)
	if second != nil {
		out.Second = s.mean(second, l)
		for h := range d {
			floats.AddScaled(out.Second.RawRowView(h), -s.noise, inside.RawRowView(h))
		}
	}
	var gram mat.Dense // l×l: Bᵀ I_x B
	gram.Mul(inside.T(), inside)
	var seen mat.VecDense // l: Bᵀm~
	seen.MulVec(b.T(), mat.NewVecDense(d, s.mixed))
	m := seen.RawVector().Data
	if core != nil {
		out.Core = moment.Unpack(core, l)
		out.Core.Scale(1 / s.n)
		out.Core.AddPlaced(-1, &gram, m)
	}
	if slices != nil {
		out.Slices = s.mean(slices, l*(l+1)/2)
		for h := range d {
			row, bh, at := out.Slices.RawRowView(h), inside.RawRowView(h), 0
			for a := range l {
				for e := a; e < l; e++ {
					row[at] -= s.mixed[h]*gram.At(a, e) + bh[a]*m[e] + m[a]*bh[e]
					at++
				}
			}
		}
	}
	if rows != nil {
		out.Rows = s.mean(rows, l)
		for h := range d {
			row, bh := out.Rows.RawRowView(h), inside.RawRowView(h)
			for a := range row {
				row[a] -= s.mixed[h]*gram.At(a, a) + 2*bh[a]*m[a]
			}
		}
	}
}

// inside returns I_x·B: B without the rows that carry no noise.
func (s *source) inside(b *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(b)
	for h, g := range s.f.inv {
		if g == 0 {
			clear(out.RawRowView(h))
		}
	}
	clear(out.RawRowView(len(s.f.inv)))
	return out
}

// mean turns a (d+1)×l table of sums over [x−shift, 1] into means over y.
func (s *source) mean(sum []float64, l int) *mat.Dense {
	d := len(s.delta)
	out := mat.NewDense(d+1, l, nil)
	for h, g := range s.f.inv {
		floats.AddScaled(out.RawRowView(h), g/s.n, sum[h*l:][:l])
	}
	floats.AddScaled(out.RawRowView(d), s.lift/s.n, sum[d*l:][:l])
	return out
}
