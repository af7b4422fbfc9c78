package exponential

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// table returns log ω_j − Σ_h log μ_hj and the slopes −1/μ_hj.
func table(p mixture.Params) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	for j, w := range p.Weights {
		t.Bias[j] = math.Log(w)
	}
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Bias[j] -= math.Log(v)
			t.Slope[h*t.K+j] = -1 / v
		}
	}
	return t
}

// EStep implements family.Family.
func (f Family) EStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).EStep(), nil
}

// leastShare bounds the mean of a feature in a component from below, as a share
// of its mean over all records: a component that holds zeros alone would
// otherwise have infinite density.
const leastShare = 1e-9

// MStep sets μ_hj = (Σ_i r_ij x_ih + pseudo·m_h) / (Σ_i r_ij + pseudo), m_h
// being the mean of the feature over all records.
func (Family) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := loglinear.NewTable(old.Dim(), old.K()).Stats(stats)
	if !(s.N > 0) {
		return old, nil, fmt.Errorf("exponential: no records to learn from")
	}
	centers, mean := mat.NewDense(old.Dim(), old.K(), nil), s.Mean()
	for h, m := range mean {
		if !(m > 0) {
			return old, nil, fmt.Errorf("exponential: feature %d is zero in all records: leave it out", h+1)
		}
		sum := s.Sum.RawRowView(h)
		for j, c := range s.Count {
			v := old.Centers.At(h, j) // what an emptied component keeps
			if c+pseudo > 0 {
				v = (sum[j] + pseudo*m) / (c + pseudo)
			}
			centers.Set(h, j, math.Max(v, leastShare*m))
		}
	}
	return mixture.New(centers, s.Weights()), s.Emptied(), nil
}

// Objective adds the logarithm of the prior, an inverse gamma law worth pseudo
// records: −pseudo·Σ_hj (log μ_hj + m_h/μ_hj).
func (Family) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := loglinear.NewTable(p.Dim(), p.K()).Stats(stats)
	prior := 0.0
	for h, m := range s.Mean() {
		for _, v := range p.Centers.RawRowView(h) {
			prior -= math.Log(v) + m/v
		}
	}
	return s.LogLikelihood + pseudo*prior
}

// Posterior implements family.Family.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	return f.densities(p, b, out, make([]float64, b.Rows.N()))
}

// LogDensity implements family.Family.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	return f.densities(p, b, make([]float64, b.Rows.N()*p.K()), out[:b.Rows.N()])
}

func (f Family) densities(p mixture.Params, b pass.Block, post, logp []float64) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("exponential: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	for i := range logp {
		if err := negative(b.Rows, i); err != nil {
			return fmt.Errorf("exponential: record %d: %w", b.First+i+1, err)
		}
	}
	table(p).Posterior(b.Rows, post, logp)
	return nil
}

// negative reports a value of row i that the model cannot have; zeros, which
// rounding makes of short times, are let through.
func negative(rows sparse.Rows, i int) error {
	if rows.IsDense() {
		for h, x := range rows.DenseRow(i) {
			if !(x >= 0) {
				return fmt.Errorf("feature %d is %v: %s", h+1, x, remedy)
			}
		}
		return nil
	}
	index, value := rows.Row(i)
	for e, x := range value {
		if !(x >= 0) {
			return fmt.Errorf("feature %d is %v: %s", index[e]+1, x, remedy)
		}
	}
	return nil
}

// Sample draws n dense records; the shape plays no part.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d := p.Dim()
	rows, labels := sparse.Rows{Dim: d, Dense: make([]float64, 0, n*d)}, make([]int, n)
	for i := range n {
		labels[i] = family.Pick(r, p.Weights)
		for h := range d {
			rows.Dense = append(rows.Dense, p.Centers.At(h, labels[i])*positive(r))
		}
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}

// positive draws from the standard exponential law, never exactly zero.
func positive(r *rand.Rand) float64 {
	for {
		if x := r.ExpFloat64(); x > 0 {
			return x
		}
	}
}
