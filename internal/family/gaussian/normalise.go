package gaussian

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

const (
	// startFloor is the least variance that a decomposition may hand to EM, as
	// a share of the mean variance: a smaller one would shut out all records.
	startFloor = 0.02
	// leastVariance bounds variances from below, as a share of the variance of
	// all records: a component on repeated records must not shrink to a point.
	leastVariance = 1e-6
)

// Normalise takes centers of the lifted records back to the features and adds the
// variances: with M the lifted centers, M·diag(ω)·v = m~ (algorithms §6), in
// least squares. A source that is not this family's offers centers as they are;
// see plain.
func (f Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	rows, k := raw.Centers.Dims()
	if rows != src.Dim() || k != raw.K() {
		return raw, nil, fmt.Errorf("gaussian: %d×%d centers and %d weights for moments of %d coordinates", rows, k, raw.K(), src.Dim())
	}
	weights := simplex.Clip(make([]float64, k), raw.Weights)
	s, ok := src.(*source)
	if !ok {
		return f.plain(ctx, src, raw, weights)
	}
	lifted := finite(raw.Centers)
	centers, scale := mat.NewDense(rows-1, k, nil), mat.NewDense(rows-1, 1, nil)
	for h, m := range s.f.shift {
		scale.Set(h, 0, s.scale[h])
		for j, v := range lifted.RawRowView(h) {
			centers.Set(h, j, m+v*s.scale[h])
		}
	}
	p := mixture.New(centers, weights).With(ScaleOf, scale).With(VarianceOf, f.variances(s, lifted, weights))
	return p, s.warnings(), nil
}

// plain settles centers that come in the units of the features, as when the
// family models one of several views. A source that knows the variances of the
// features says what the centers leave of them; without, variances are 1.
func (f Family) plain(ctx context.Context, src moment.Source, raw mixture.Params, weights []float64) (mixture.Params, []warn.Warning, error) {
	d, k := raw.Centers.Dims()
	mean, err := src.First(ctx)
	if err != nil {
		return raw, nil, err
	}
	centers := mat.DenseCopyOf(raw.Centers)
	centers.Apply(func(h, _ int, v float64) float64 {
		if v-v != 0 {
			return mean[h]
		}
		return v
	}, centers)
	scale, v := make([]float64, d), make([]float64, k)
	known, ok := src.(interface{ Variances() []float64 })
	if !ok {
		for j := range v {
			v[j] = 1
		}
		return NewParams(centers, weights, v), []warn.Warning{warn.New(warn.Caution,
			"no-variance", "Refine the model with EM.", "The moments carry no variances; all were set to 1.")}, nil
	}
	for h, x := range known.Variances() {
		scale[h] = math.Sqrt(x)
	}
	scale = scales(scale, f.o.Standardise)
	total, rest := 0.0, 0.0
	for h, x := range known.Variances() {
		if scale[h] == 0 {
			continue
		}
		total += x / (scale[h] * scale[h])
		rest += x / (scale[h] * scale[h])
		for j, w := range weights {
			t := (centers.At(h, j) - mean[h]) / scale[h]
			rest -= w * t * t
		}
	}
	da := math.Max(float64(newFrame(mean, scale).active), 1)
	for j := range v {
		if v[j] = math.Max(rest, startFloor*total) / da; v[j] == 0 {
			v[j] = leastVariance
		}
	}
	p := NewParams(centers, weights, v)
	return p.With(ScaleOf, mat.NewDense(d, 1, scale)), nil, nil
}

// finite returns m with the mean, 0, in place of what is no number.
func finite(m *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(m)
	out.Apply(func(_, _ int, v float64) float64 {
		if v-v != 0 {
			return 0
		}
		return v
	}, out)
	return out
}

// variances returns the 1×k variances of the lifted centers m.
func (f Family) variances(s *source, m *mat.Dense, weights []float64) *mat.Dense {
	k := len(weights)
	least := s.total / math.Max(float64(s.f.active), 1) * leastVariance
	if least == 0 {
		least = leastVariance
	}
	least = math.Max(startFloor*s.noise, least)
	out, noise := mat.NewDense(1, k, nil), s.noise
	if s.faint {
		noise = s.remainder(m, weights)
	}
	for j := range k {
		out.Set(0, j, math.Max(noise, least))
	}
	if f.o.Variance == Shared || s.faint {
		return out
	}
	g := mat.DenseCopyOf(m) // (d+1)×k: M·diag(ω)
	for h := range s.Dim() {
		for j, w := range weights {
			g.Set(h, j, w*g.At(h, j))
		}
	}
	boundedLeastSquares(out.RawRowView(0), g, s.mixed, least)
	return out
}

// remainder is the variance that the lifted centers m leave unexplained.
func (s *source) remainder(m *mat.Dense, weights []float64) float64 {
	rest := s.total
	for h := range s.delta {
		for j, w := range weights {
			rest -= w * m.At(h, j) * m.At(h, j)
		}
	}
	return math.Max(rest, startFloor*s.total) / float64(s.f.active)
}

// boundedLeastSquares improves v so that |G·v − b| is least with all v >= lo:
// the plain solution where it keeps the bound, else coordinate descent from
// there (the problem is convex, k is small).
func boundedLeastSquares(v []float64, g *mat.Dense, b []float64, lo float64) {
	k := len(v)
	var gram mat.Dense
	gram.Mul(g.T(), g)
	var right, plain mat.VecDense
	right.MulVec(g.T(), mat.NewVecDense(len(b), b))
	if err := plain.SolveVec(g, mat.NewVecDense(len(b), b)); err == nil {
		inside := true
		for j := range k {
			inside = inside && plain.AtVec(j) >= lo
		}
		for j := range v {
			v[j] = math.Max(plain.AtVec(j), lo)
		}
		if inside {
			return
		}
	}
	const sweeps = 500
	for range sweeps {
		moved := 0.0
		for j := range v {
			if gram.At(j, j) <= 0 {
				continue
			}
			r := right.AtVec(j)
			for e := range v {
				r -= gram.At(j, e) * v[e]
			}
			next := math.Max(v[j]+r/gram.At(j, j), lo)
			moved = math.Max(moved, math.Abs(next-v[j]))
			v[j] = next
		}
		if moved <= 1e-12*lo {
			return
		}
	}
}

// warnings tells of features that take no part and of scaling.
func (s *source) warnings() []warn.Warning {
	var out []warn.Warning
	if len(s.left) > 0 {
		out = append(out, warn.New(warn.Note, "constant-feature", "Leave them out if they are not wanted.",
			"%d of %d features have the same value in all records and play no part (the first is feature %d).",
			len(s.left), len(s.delta), s.left[0]+1))
	}
	if s.faint {
		out = append(out, warn.New(warn.Caution, "faint-groups", "Ask for fewer groups, or give more records.",
			"So many round groups do not stand out from the noise of %.0f records; they are a guess.", s.n))
	}
	for _, v := range s.scale {
		if v != 0 && v != 1 {
			return append(out, warn.New(warn.Note, "standardised", "",
				"Features were divided by their standard deviations, since they are measured on different scales: groups are round in the scaled features."))
		}
	}
	return out
}
