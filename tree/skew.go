package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/stream"
)

// skewRule splits along the leading direction u of the standardised features,
// found from products of different features only (rank-1 HeteroPCA), at half
// the skewness of the projections: a two-point law of mean 0, variance 1 and
// skewness g has its middle at g/2 (algorithms: trees).
func skewRule(ctx context.Context, run *pass.Local) (*Rule, Split, error) {
	survey, err := moment.NewSurvey(ctx, run, nil)
	if err != nil {
		return nil, Split{}, err
	}
	d := run.Dim()
	mean, inverse := make([]float64, d), make([]float64, d)
	varying := 0
	for h := range d {
		mean[h] = survey.Sum[h] / survey.N
		v := survey.SumSquares[h]/survey.N - mean[h]*mean[h]
		if v > 1e-12*survey.SumSquares[h]/survey.N && v > 0 {
			inverse[h] = 1 / math.Sqrt(v)
			varying++
		}
	}
	if varying < 2 {
		return nil, Split{}, &moment.ErrTooFew{Reason: "fewer than two features vary"}
	}
	s := &standardised{run: run, n: survey.N, mean: mean, inverse: inverse}
	u, value, err := s.leading(ctx)
	if err != nil {
		return nil, Split{}, err
	}
	return s.threshold(ctx, u, value)
}

// standardised is the correlation matrix of the features, applied by passes.
type standardised struct {
	run           *pass.Local
	n             float64
	mean, inverse []float64 // 1/σ, 0 for constant features
}

// apply returns the correlations without their diagonal times u.
func (s *standardised) apply(ctx context.Context, u []float64) ([]float64, error) {
	d := len(u)
	v := make([]float64, d) // u in the units of the features
	shift := 0.0
	for h := range d {
		v[h] = u[h] * s.inverse[h]
		shift += v[h] * s.mean[h]
	}
	y, err := pass.RunOne(ctx, s.run, covarySum{v, shift})
	if err != nil {
		return nil, err
	}
	total := y[d] // Σ of the projections: rounding only, but exact to subtract
	for h := range d {
		y[h] = (y[h]-total*s.mean[h])*s.inverse[h]/s.n - sign01(s.inverse[h])*u[h]
	}
	return y[:d], nil
}

func sign01(v float64) float64 {
	if v > 0 {
		return 1
	}
	return 0
}

// covarySum adds Σ x·z and Σ z for z = vᵀx − shift.
type covarySum struct {
	v     []float64
	shift float64
}

func (s covarySum) Len() int { return len(s.v) + 1 }

func (s covarySum) Add(state []float64, b pass.Block) error {
	z := make([]float64, b.Rows.N())
	b.Rows.MulTo(z, s.v, 1)
	for i := range z {
		z[i] -= s.shift
		state[len(s.v)] += z[i]
	}
	b.Rows.AddTransMul(state[:len(s.v)], z, 1)
	return nil
}

const (
	mostPower   = 60   // power steps with a growing diagonal
	settledStep = 1e-4 // change of direction that ends them
)

// leading finds the leading direction with the diagonal filled in from it:
// v_h = λ·u_h².
func (s *standardised) leading(ctx context.Context) ([]float64, float64, error) {
	d := len(s.mean)
	u := make([]float64, d)
	stream.Normals(stream.New(0, "tree/skew"), u)
	for h := range u {
		u[h] *= sign01(s.inverse[h])
	}
	unit(u)
	diag := make([]float64, d)
	value := 0.0
	for range mostPower {
		y, err := s.apply(ctx, u)
		if err != nil {
			return nil, 0, err
		}
		for h := range y {
			y[h] += diag[h] * u[h]
		}
		value = dot(u, y)
		// The operator may have larger negative eigenvalues; adding one, the
		// least shift that makes it positive here, keeps the order of all.
		for h := range y {
			y[h] += u[h]
		}
		unit(y)
		turned := 1 - math.Abs(dot(u, y))
		u = y
		for h := range diag {
			diag[h] = math.Min(math.Max(value, 0)*u[h]*u[h], 1)
		}
		if turned < settledStep*settledStep {
			break
		}
	}
	if !(value > 0) {
		return nil, 0, &moment.ErrTooFew{Reason: "no direction is shared by several features"}
	}
	return u, value, nil
}

// threshold returns the rule that cuts the projections at half their skewness.
func (s *standardised) threshold(ctx context.Context, u []float64, value float64) (*Rule, Split, error) {
	d := len(u)
	v, shift := make([]float64, d), 0.0
	for h := range d {
		v[h] = u[h] * s.inverse[h]
		shift += v[h] * s.mean[h]
	}
	m, err := pass.RunOne(ctx, s.run, powerSum{v, shift})
	if err != nil {
		return nil, Split{}, err
	}
	mean := m[0] / s.n
	variance := m[1]/s.n - mean*mean
	if !(variance > 0) {
		return nil, Split{}, &moment.ErrTooFew{Reason: "all records are alike"}
	}
	sd := math.Sqrt(variance)
	skew := (m[2]/s.n - 3*mean*variance - mean*mean*mean) / (variance * sd)
	at := shift + mean + sd*skew/2
	// Child 0 where vᵀx > at.
	rule := &Rule{Vectors: mat.NewDense(d, 2, nil), Offset: [2]float64{-at, 0}}
	for h := range d {
		rule.Vectors.Set(h, 0, v[h])
	}
	return rule, Split{Spectrum: []float64{value}, Separation: math.Abs(skew), Stability: -1}, nil
}

// powerSum adds the first three powers of z = vᵀx − shift.
type powerSum struct {
	v     []float64
	shift float64
}

func (powerSum) Len() int { return 3 }

func (s powerSum) Add(state []float64, b pass.Block) error {
	z := make([]float64, b.Rows.N())
	b.Rows.MulTo(z, s.v, 1)
	for _, x := range z {
		x -= s.shift
		state[0] += x
		state[1] += x * x
		state[2] += x * x * x
	}
	return nil
}

func unit(v []float64) {
	n := math.Sqrt(dot(v, v))
	if n == 0 {
		return
	}
	for i := range v {
		v[i] /= n
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// place returns the child of every row under the rule.
func (r *Rule) place(rows sparse.Rows) []int32 {
	z := make([]float64, 2*rows.N())
	rows.MulTo(z, r.Vectors.RawMatrix().Data, 2)
	out := make([]int32, rows.N())
	for i := range out {
		a, b := z[2*i]+r.Offset[0], z[2*i+1]+r.Offset[1]
		if r.Absolute {
			a, b = math.Abs(a), math.Abs(b)
		}
		if b > a {
			out[i] = 1
		}
	}
	return out
}
