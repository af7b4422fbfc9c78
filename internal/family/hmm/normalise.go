package hmm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// Least probabilities that a decomposition may hand to EM: a zero would stay
// zero for ever.
const (
	startShare = 0.01  // of a symbol, as a share of its frequency in all rows
	startMove  = 0.001 // of a transition and of a first state
)

// Normalise makes emissions of the raw centers, and from them the chain: with O
// the centers, pinv(O)·P_bc·pinv(O)ᵀ = diag(ω)·T, and pinv(O) times the mean of
// the first rows is the initial distribution (algorithms §6).
func (f Family) Normalise(_ context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	d, k := raw.Centers.Dims()
	if d != src.Dim() || k != raw.K() {
		return raw, nil, fmt.Errorf("hmm: %d×%d centers and %d weights for moments of %d coordinates", d, k, raw.K(), src.Dim())
	}
	s, ok := src.(*source)
	if !ok {
		return raw, nil, fmt.Errorf("hmm: moments of type %T carry no transitions: use the Source of this family", src)
	}
	p := mixture.New(finite(raw.Centers, s.Mean), simplex.Clip(make([]float64, k), raw.Weights))
	var lifted *mat.Dense // dim×k: the settled centers in the source's coordinates
	if f.o.Of != nil {
		p.Centers = startLaw(p.Centers, s.Mean, f.Info().Is(family.Share))
		lifted = p.Centers
	} else if f.o.Emission == Discrete {
		p.Centers = shares(p.Centers, s.Mean)
		lifted = p.Centers
	} else {
		lifted = mat.DenseCopyOf(p.Centers)
		for j := range k {
			lifted.Set(s.lens.d, j, s.lens.c)
		}
		p = s.measurements(p, lifted)
	}
	t, initial := s.walk(lifted, k)
	p = p.With(TransitionOf, t).With(InitialOf, mat.NewDense(1, k, initial))
	return p, s.warnings(), nil
}

// finite puts the mean in place of what is no number.
func finite(m *mat.Dense, mean []float64) *mat.Dense {
	out := mat.DenseCopyOf(m)
	out.Apply(func(h, _ int, v float64) float64 {
		if v-v != 0 {
			return mean[h]
		}
		return v
	}, out)
	return out
}

// shares clips columns to positive numbers and makes them add up to 1.
func shares(m *mat.Dense, mean []float64) *mat.Dense {
	d, k := m.Dims()
	out := mat.NewDense(d, k, nil)
	for j := range k {
		sum := 0.0
		for h := range d {
			v := math.Max(m.At(h, j), startShare*mean[h])
			out.Set(h, j, v)
			sum += v
		}
		for h := range d {
			out.Set(h, j, out.At(h, j)/sum)
		}
	}
	return out
}

// walk returns transition and initial distribution for centers in the source's
// coordinates (dim×k).
func (s *source) walk(centers *mat.Dense, k int) (*mat.Dense, []float64) {
	var o mat.Dense // r×k
	o.Mul(s.Basis.T(), centers)
	inverse, _ := spectral.PseudoInverse(&o, k) // k×r
	var half, joint mat.Dense
	half.Mul(inverse, s.moves)
	joint.Mul(&half, inverse.T())
	t := mat.NewDense(k, k, nil)
	for i := range k {
		copy(t.RawRowView(i), clipped(joint.RawRowView(i)))
	}
	var first mat.VecDense
	first.MulVec(inverse, mat.NewVecDense(len(s.first), s.first))
	return t, clipped(first.RawVector().Data)
}

// clipped returns v clipped to the simplex, with a least share.
func clipped(v []float64) []float64 {
	out := simplex.Clip(make([]float64, len(v)), v)
	for j := range out {
		out[j] = (out[j] + startMove) / (1 + startMove*float64(len(out)))
	}
	return normalise(out)
}

// measurements takes lifted centers back to the features and adds variances:
// the moments' word on E[|t|² | j] is power = O·diag(ω)·E[|t|² | j].
func (s *source) measurements(p mixture.Params, lifted *mat.Dense) mixture.Params {
	d, k := s.lens.d, p.K()
	centers, scale := mat.NewDense(d, k, nil), mat.NewDense(d, 1, nil)
	for h, m := range s.lens.f.shift {
		scale.Set(h, 0, s.lens.scale[h])
		for j := range k {
			centers.Set(h, j, m+lifted.At(h, j)*s.lens.scale[h])
		}
	}
	var o mat.Dense
	o.Mul(s.Basis.T(), lifted)
	inverse, _ := spectral.PseudoInverse(&o, k)
	var power mat.VecDense
	power.MulVec(inverse, mat.NewVecDense(len(s.power), s.power))
	v, da := mat.NewDense(1, k, nil), math.Max(float64(s.lens.f.active), 1)
	// What the centers leave of all variance, for states the moments say
	// nothing sensible of.
	rest, within := s.lens.c*s.lens.c, make([]float64, k)
	for j, w := range p.Weights {
		mu := mat.Col(nil, j, lifted)[:d]
		q := floats.Dot(mu, mu)
		rest -= w * q
		within[j] = math.Inf(-1)
		if w > 0 {
			within[j] = (power.AtVec(j)/w - q) / da
		}
	}
	mean := math.Max(rest, startFloor*s.lens.c*s.lens.c) / da
	for j := range k {
		x := within[j]
		if !(x > startFloor*mean) || math.IsInf(x, 1) {
			x = mean
		}
		v.Set(0, j, x)
	}
	p.Centers = centers
	return p.With(VarianceOf, v).With(ScaleOf, scale)
}

func (s *source) warnings() []warn.Warning {
	var out []warn.Warning
	const few = 1000 // triples; with 3,000 the error of emissions is still half their size (algorithms §6)
	if s.n < few {
		out = append(out, warn.New(warn.Caution, "few-steps", "Give more or longer sequences.",
			"There are only %.0f runs of three observed steps; states found from so few are a rough start.", s.n))
	}
	for _, v := range s.lens.scale {
		if v != 0 && v != 1 {
			return append(out, warn.New(warn.Note, "standardised", "",
				"Features were divided by their standard deviations, since they are measured on different scales."))
		}
	}
	return out
}
