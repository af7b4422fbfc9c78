package gaussian

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// source offers the moments of the lifted records y = [t, c], t = (x−shift)/s.
// With σ² the mean variance, I_x the unit matrix without its last entry (and
// without features that take no part) and m~ = Σ_j ω_j v_j [t-center_j, c],
//
//	M2 = E[y⊗y] − σ² I_x      M3 = E[y⊗y⊗y] − Σ_a m~⊗e_a⊗e_a placed three ways
type source struct {
	run   pass.Runner
	n     float64
	f     *frame
	scale []float64     // d: s_h
	delta []float64     // d: the mean of t, nothing but rounding
	cov   *mat.SymDense // d×d: E[t⊗t], where d is small; else nil
	total float64       // trace of the centred covariance
	lift  float64       // c
	noise float64       // σ²
	mixed []float64     // d+1: m~
	left  []int         // constant features
	// faint says that the records show no k−1 directions beyond noise: the
	// moments then are those of the records as they are, σ² = 0, since what
	// would be subtracted is all there is.
	faint bool
}

// pairsMost is the largest number of features whose covariance is kept whole.
const pairsMost = 256

// unequal is the ratio of standard deviations from which on features are taken
// to be in different units.
const unequal = 10

// Source returns the moments of the lifted records for a model of k components
// over more than k−1 features (algorithms §6).
func (f Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	if k < 1 {
		return nil, fmt.Errorf("gaussian: %d components, want at least 1", k)
	}
	survey, err := moment.NewSurvey(ctx, run, legal)
	if err != nil {
		return nil, fmt.Errorf("gaussian: %w", err)
	}
	s := &source{run: run, n: survey.N}
	if err := s.spread(ctx, survey.Mean(), f.o.Standardise); err != nil {
		return nil, err
	}
	if s.f.active < k {
		return nil, &TooManyError{K: k, Features: s.f.active}
	}
	if s.n <= float64(k) {
		return nil, fmt.Errorf("gaussian: %w", &moment.ErrTooFew{
			Reason: fmt.Sprintf("%.0f records for %d groups: ask for fewer groups or give more records", s.n, k),
		})
	}
	return s, s.noises(ctx, k, f.o.Variance)
}

// TooManyError says that the moments of spherical Gaussians cannot tell that
// many components apart: k−1 must be less than the number of features.
type TooManyError struct{ K, Features int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("gaussian: %d groups need at least %d features that vary, there are %d: ask for fewer groups, or for a tree, which splits in two again and again",
		e.K, e.K, e.Features)
}

// Unwrap says that the records are too few for the question, in width.
func (e *TooManyError) Unwrap() error { return &moment.ErrTooFew{Reason: "too few features"} }

// spread finds the frame: shift, scale, covariance, the constant of the lift.
func (s *source) spread(ctx context.Context, shift []float64, scaling Scaling) error {
	d := s.run.Dim()
	sum := spreadSum{shift, d <= pairsMost}
	state, err := pass.RunOne(ctx, s.run, sum)
	if err != nil {
		return err
	}
	dev, mean := make([]float64, d), make([]float64, d)
	for h := range d {
		mean[h] = state[h] / s.n
		v := state[d+h]/s.n - mean[h]*mean[h]
		// A variance below the rounding of the values themselves is none.
		if least := 1e-14 * shift[h]; v > least*least && v > 0 {
			dev[h] = math.Sqrt(v)
		} else {
			s.left = append(s.left, h)
		}
	}
	s.scale = scales(dev, scaling)
	s.f = newFrame(shift, s.scale)
	s.delta = mean
	for h, g := range s.f.inv {
		s.delta[h] *= g
		s.total += dev[h] * g * dev[h] * g
	}
	if sum.pairs {
		s.cov = s.covariance(state[2*d:])
	}
	return nil
}

// scales returns what the features are divided by; 0 for constant ones.
func scales(dev []float64, scaling Scaling) []float64 {
	least, most := math.Inf(1), 0.0
	for _, v := range dev {
		if v > 0 {
			least, most = math.Min(least, v), math.Max(most, v)
		}
	}
	out := make([]float64, len(dev))
	for h, v := range dev {
		switch {
		case v == 0:
		case scaling == Always, scaling == Auto && most > unequal*least:
			out[h] = v
		default:
			out[h] = 1
		}
	}
	return out
}

func (s *source) covariance(packed []float64) *mat.SymDense {
	d := len(s.delta)
	cov := mat.NewSymDense(d, nil)
	at := 0
	for h := range d {
		for m := h; m < d; m++ {
			cov.SetSym(h, m, packed[at]/s.n*s.f.inv[h]*s.f.inv[m])
			at++
		}
	}
	return cov
}

// noises finds σ² and m~ from the space outside the k−1 leading directions of
// the centred covariance.
func (s *source) noises(ctx context.Context, k int, v Variance) error {
	d, rest := len(s.delta), float64(s.f.active-k+1)
	values, u, err := s.leading(ctx, k-1)
	if err != nil {
		return err
	}
	s.noise = math.Max((s.total-floats.Sum(values))/rest, 0)
	// The whitening must not lose the constant to a direction of the records,
	// however few of those the k centers need: c² is at least the largest
	// eigenvalue. Beyond that it changes nothing.
	s.lift = math.Sqrt(s.total)
	if k > 1 {
		s.lift = math.Sqrt(values[0])
	}
	if s.lift == 0 {
		s.lift = 1
	}
	s.mixed = make([]float64, d+1)
	if s.faint = k > 1 && values[k-2]-s.noise < s.edge()*s.noise; s.faint {
		s.noise = 0
		return nil
	}
	s.mixed[d] = s.lift * s.noise
	if v == Shared {
		floats.AddScaled(s.mixed[:d], s.noise, s.delta)
		return nil
	}
	b, center := mat.NewDense(d, k, nil), make([]float64, k)
	for h, m := range s.delta {
		for a := range k - 1 {
			b.Set(h, a, u.At(h, a))
			center[a] += u.At(h, a) * m
		}
		b.Set(h, k-1, m)
		center[k-1] += m * m
	}
	state, err := pass.RunOne(ctx, s.run, &noiseSum{s.f, s.f.basis(b.RawMatrix().Data, k), center})
	if err != nil {
		return err
	}
	for h, g := range s.f.inv {
		s.mixed[h] = state[h] * g / (s.n * rest)
	}
	return nil
}

// edge is how far beyond σ² the sample alone pushes the largest eigenvalue of
// noise, as a share of σ² (Marchenko and Pastur), with half as much again for
// luck.
func (s *source) edge() float64 {
	ratio := float64(s.f.active) / s.n
	return 1.5 * (2*math.Sqrt(ratio) + ratio)
}

// leading returns the k leading eigenpairs of the centred covariance of t.
func (s *source) leading(ctx context.Context, k int) ([]float64, *mat.Dense, error) {
	d := len(s.delta)
	if k == 0 {
		return nil, nil, nil
	}
	apply := func(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
		_, l := b.Dims()
		y, err := s.second(ctx, b)
		if err != nil {
			return nil, err
		}
		var seen mat.VecDense // l: Bᵀδ
		seen.MulVec(b.T(), mat.NewVecDense(d, s.delta))
		for h, m := range s.delta {
			for a := range l {
				y.Set(h, a, y.At(h, a)-m*seen.AtVec(a))
			}
		}
		return y, nil
	}
	if s.cov != nil {
		whole, err := apply(ctx, identity(d))
		if err != nil {
			return nil, nil, err
		}
		values, vectors := spectral.SymEig(whole)
		return values[:k], vectors.Slice(0, d, 0, k).(*mat.Dense), nil
	}
	// The eigenvalues enter σ² only through their sum: 1e-7 is far below what
	// the sample itself leaves open.
	values, vectors, _, err := spectral.Leading(ctx, d, k, apply,
		spectral.LeadingOptions{Tol: 1e-7, Rand: stream.New(1, "gaussian/leading")})
	return values, vectors, err
}

// second returns E[t⊗t]·B for a d×l matrix B.
func (s *source) second(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	d, l := b.Dims()
	out := mat.NewDense(d, l, nil)
	if s.cov != nil {
		out.Mul(s.cov, b)
		return out, nil
	}
	sum := &projectSum{s.f, s.f.basis(mat.DenseCopyOf(b).RawMatrix().Data, l), make([]float64, l), moment.Second}
	state, err := pass.RunOne(ctx, s.run, sum)
	if err != nil {
		return nil, err
	}
	for h, g := range s.f.inv {
		floats.AddScaled(out.RawRowView(h), g/s.n, state[h*l:][:l])
	}
	return out, nil
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}
