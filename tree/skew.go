package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/spectral"
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

// apply returns the correlations without their diagonal times the columns of
// u (d×m).
func (s *standardised) apply(ctx context.Context, u *mat.Dense) (*mat.Dense, error) {
	d, m := u.Dims()
	v := mat.NewDense(d, m, nil) // u in the units of the features
	shift := make([]float64, m)
	for h := range d {
		row := v.RawRowView(h)
		for a, x := range u.RawRowView(h) {
			row[a] = x * s.inverse[h]
			shift[a] += row[a] * s.mean[h]
		}
	}
	y, err := pass.RunOne(ctx, s.run, covarySum{v.RawMatrix().Data, shift, d})
	if err != nil {
		return nil, err
	}
	total := y[d*m:] // Σ of the projections: rounding only, but exact to subtract
	out := mat.NewDense(d, m, y[:d*m])
	for h := range d {
		row, f := out.RawRowView(h), s.inverse[h]/s.n
		for a, x := range u.RawRowView(h) {
			row[a] = (row[a]-total[a]*s.mean[h])*f - sign01(s.inverse[h])*x
		}
	}
	return out, nil
}

func sign01(v float64) float64 {
	if v > 0 {
		return 1
	}
	return 0
}

// covarySum adds Σ x⊗z (d×m) and Σ z for z = Vᵀx − shift.
type covarySum struct {
	v     []float64 // d×m
	shift []float64 // m
	d     int
}

func (s covarySum) Len() int { return len(s.v) + len(s.shift) }

func (s covarySum) Add(state []float64, b pass.Block) error {
	m := len(s.shift)
	z := make([]float64, covaryPanel*m)
	total := state[len(s.v):]
	for lo := 0; lo < b.Rows.N(); lo += covaryPanel {
		panel := b.Rows.Slice(lo, min(lo+covaryPanel, b.Rows.N()))
		z := z[:panel.N()*m]
		panel.MulTo(z, s.v, m)
		for i := 0; i < len(z); i += m {
			for a, x := range s.shift {
				z[i+a] -= x
				total[a] += z[i+a]
			}
		}
		panel.AddTransMul(state[:len(s.v)], z, m)
	}
	return nil
}

const (
	// covaryPanel records are projected at once: they stay in the cache.
	covaryPanel = 256
	// skewColumns directions are followed at once. A pass over eight costs
	// little more than over one, and the leading direction of several that are
	// nearly as strong settles in far fewer of them.
	skewColumns = 8
	mostPower   = 60   // passes
	mostFills   = 2    // steps of the diagonal for one pass
	settledStep = 3e-3 // change of direction that ends either: sampling errors are larger
)

// leading finds the leading direction with the diagonal filled in from it:
// v_h = λ·u_h².
func (s *standardised) leading(ctx context.Context) ([]float64, float64, error) {
	d := len(s.mean)
	q := s.start(d)
	diag := make([]float64, d)
	var u []float64
	value := 0.0
	for range mostPower {
		y, err := s.apply(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		next, v := fill(q, y, diag)
		value = v
		settled := u != nil && 1-math.Abs(dot(u, next)) < settledStep*settledStep
		u = next
		if settled {
			break
		}
		q = power(q, y, diag)
	}
	if !(value > 0) {
		return nil, 0, &moment.ErrTooFew{Reason: "no direction is shared by several features"}
	}
	return u, value, nil
}

// start draws the first directions.
func (s *standardised) start(d int) *mat.Dense {
	q := mat.NewDense(d, min(skewColumns, d), nil)
	stream.Normals(stream.New(0, "tree/skew"), q.RawMatrix().Data)
	for h := range d {
		for a := range q.RawRowView(h) {
			q.RawRowView(h)[a] *= sign01(s.inverse[h])
		}
	}
	return spectral.Orth(q)
}

// power returns the next directions: those of y + diag·q + q. The correlations
// may have larger negative eigenvalues than positive ones; adding one, the least
// shift that makes them positive, keeps the order of all.
func power(q, y *mat.Dense, diag []float64) *mat.Dense {
	next := mat.DenseCopyOf(y)
	for h, v := range diag {
		row := next.RawRowView(h)
		for a, x := range q.RawRowView(h) {
			row[a] += (1 + v) * x
		}
	}
	return spectral.Orth(next)
}

// fill finds the leading direction u in the span of q, given y = the
// correlations without diagonal times q, and the diagonal that goes with it:
// both by turns. It returns u and its value, and leaves the diagonal in diag.
func fill(q, y *mat.Dense, diag []float64) ([]float64, float64) {
	var fixed, small, scaled mat.Dense
	spectral.MulTrans(&fixed, q, y)
	scaled.CloneFrom(q)
	var u []float64
	value := 0.0
	for range mostFills {
		for h, v := range diag {
			row := scaled.RawRowView(h)
			for a, x := range q.RawRowView(h) {
				row[a] = v * x
			}
		}
		spectral.MulTrans(&small, q, &scaled)
		small.Add(&small, &fixed)
		values, vectors := spectral.SymEig(&small)
		value = values[0]
		next := make([]float64, len(diag))
		mat.NewVecDense(len(next), next).MulVec(q, vectors.ColView(0))
		for h, x := range next {
			diag[h] = math.Min(math.Max(value, 0)*x*x, 1)
		}
		done := u != nil && 1-math.Abs(dot(u, next)) < settledStep*settledStep
		if u = next; done {
			break
		}
	}
	return u, value
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
