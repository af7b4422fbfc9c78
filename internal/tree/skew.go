package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// rule splits along the leading direction u of the standardised features,
// found from products of different features only (rank-1 HeteroPCA), at half
// the skewness of the projections: a two-point law of mean 0, variance 1 and
// skewness g has its middle at g/2 (algorithms: trees).
func (s *standardised) rule(ctx context.Context) (*Rule, Split, error) {
	if err := s.measure(ctx); err != nil {
		return nil, Split{}, err
	}
	u, value, err := s.leading(ctx)
	if err != nil {
		return nil, Split{}, err
	}
	return s.threshold(ctx, u, value)
}

// standardised is the correlation matrix of the features.
type standardised struct {
	view
	mem           *memory
	n             float64
	mean, inverse []float64   // 1/σ, 0 for constant features
	units         [][]float64 // buffer for directions in the units of the features
}

// measure sets the means and deviations.
func (s *standardised) measure(ctx context.Context) error {
	var sum, squares []float64
	var err error
	if s.n, sum, squares, err = s.sums(ctx); err != nil {
		return err
	}
	d := len(sum)
	s.mean, s.inverse = make([]float64, d), make([]float64, d)
	varying := 0
	for h := range d {
		s.mean[h] = sum[h] / s.n
		v := squares[h]/s.n - s.mean[h]*s.mean[h]
		if v > 1e-12*squares[h]/s.n && v > 0 {
			s.inverse[h] = 1 / math.Sqrt(v)
			varying++
		}
	}
	if varying < 2 {
		return &moment.ErrTooFew{Reason: "fewer than two features vary"}
	}
	return nil
}

// apply sets each y to the correlations without their diagonal times u.
func (s *standardised) apply(ctx context.Context, y, u [][]float64) error {
	shift := make([]float64, len(u))
	for i := range u {
		if len(s.units) == i {
			s.units = append(s.units, make([]float64, len(u[i])))
		}
		shift[i] = s.inUnits(s.units[i], u[i])
	}
	total, err := s.products(ctx, y, s.units[:len(u)], shift)
	if err != nil {
		return err
	}
	for i := range u {
		y, each := y[i], 1/s.n
		for h, x := range u[i] {
			if y[h] = (y[h] - total[i]*s.mean[h]) * s.inverse[h] * each; s.inverse[h] > 0 {
				y[h] -= x
			}
		}
	}
	return nil
}

// inUnits sets v to u in the units of the features, and returns what it says of
// the mean.
func (s *standardised) inUnits(v, u []float64) (shift float64) {
	floats.MulTo(v, u, s.inverse)
	return floats.Dot(v, s.mean)
}

func sign01(v float64) float64 {
	if v > 0 {
		return 1
	}
	return 0
}

// covarySum adds Σ x·z (d numbers) and Σ z for z = vᵀx − shift.
type covarySum struct {
	v     []float64
	shift float64
}

func (s covarySum) Len() int { return len(s.v) + 1 }

func (s covarySum) Add(state []float64, b pass.Block) error {
	z := make([]float64, min(covaryPanel, b.Rows.N()))
	total := &state[len(s.v)]
	for lo := 0; lo < b.Rows.N(); lo += covaryPanel {
		panel := b.Rows.Slice(lo, min(lo+covaryPanel, b.Rows.N()))
		z := z[:panel.N()]
		panel.MulTo(z, s.v, 1)
		for i := range z {
			z[i] -= s.shift
			*total += z[i]
		}
		panel.AddTransMul(state[:len(s.v)], z, 1)
	}
	return nil
}

const (
	// covaryPanel records are projected at once: they stay in the cache.
	covaryPanel = 1024
	// mostProducts ends the search for a direction that none stands out in.
	mostProducts = 96
	// followed directions are multiplied at once.
	followed = 2
	// skewProducts lie between two looks at the basis: the diagonal, not the
	// basis, settles last.
	skewProducts = 4
	// keptDirections stay in the basis after a look at it.
	keptDirections = 8
	// fills are the steps of the diagonal for one look at the basis,
	// lastFills where the basis holds all there is.
	fills, lastFills = 2, 30
	// directionTol is the residual of the leading direction, as a share of
	// its value, that ends the search. Sampling errors are larger, but where no
	// direction stands out a residual of 1e-2 makes splits that are not found
	// again (diabetes130, 16 leaves without EM: repeatability .66, here .84).
	directionTol = 1e-3
	// roughDirection is the residual of the leading direction without a diagonal
	// from which on the diagonal is filled in. Several directions may each agree
	// with the diagonal they make; which one is found depends on where the
	// filling begins, and begun at the leading one it is the same one in
	// overlapping samples (diabetes130: repeatability .87; begun at once, .80).
	roughDirection = 1e-2
)

// leading finds the leading direction with the diagonal filled in from it:
// v_h = λ·u_h². The basis grows by powers of the correlations with the diagonal
// as far as it is known, of two directions together. After each look at it, it
// shrinks to its leading directions and grows on from what the first two are off
// by. The diagonal is left out until the direction is roughly known without it.
func (s *standardised) leading(ctx context.Context) ([]float64, float64, error) {
	k := &filling{
		krylov: newKrylov(&s.mem.vectors, func(y, x [][]float64) error { return s.apply(ctx, y, x) }),
		diag:   make([]float64, len(s.mean)),
	}
	defer k.release()
	next, more := s.start(), true
	for products := 0; more && products < mostProducts; {
		for i := 0; i < skewProducts && more; i += len(next) {
			added, err := k.extend(next...)
			if err != nil {
				return nil, 0, err
			}
			products += added
			more = added > 0
			next = k.powers(added)
		}
		if k.leading(!more) {
			break
		}
		k.shrink(k.y, keptDirections)
		next = k.left
	}
	if !(k.value > 0) {
		return nil, 0, &moment.ErrTooFew{Reason: "no direction is shared by several features"}
	}
	return k.u, k.value, nil
}

// start draws the first directions.
func (s *standardised) start() [][]float64 {
	r, out := stream.New(0, "tree/skew"), make([][]float64, followed)
	for i := range out {
		out[i] = make([]float64, len(s.mean))
		stream.Normals(r, out[i])
		for h := range out[i] {
			out[i][h] *= sign01(s.inverse[h])
		}
	}
	return out
}

// threshold returns the rule that cuts the projections at half their skewness.
func (s *standardised) threshold(ctx context.Context, u []float64, value float64) (*Rule, Split, error) {
	v := make([]float64, len(u))
	shift := s.inUnits(v, u)
	m, err := s.powers(ctx, v, shift)
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
	rule := &Rule{Vectors: mat.NewDense(len(v), 2, nil), Offset: [2]float64{-at, 0}}
	for h := range v {
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
	addPowers(state, z, s.shift)
	return nil
}

func addPowers(state, z []float64, shift float64) {
	for _, x := range z {
		x -= shift
		state[0] += x
		state[1] += x * x
		state[2] += x * x * x
	}
}
