package poisson

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// leastMean stands for a mean of zero in logarithms. A count where the model
// has none then costs a component hundreds of nats, but no record is
// impossible: one that every component forbids is placed by its other features.
const leastMean = 1e-300

// table returns log ω_j − Σ_h λ_hj and the slopes log λ_hj.
func table(p mixture.Params) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	for j, w := range p.Weights {
		t.Bias[j] = math.Log(w)
	}
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Bias[j] -= v
			t.Slope[h*t.K+j] = math.Log(math.Max(v, leastMean))
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

// QuickEStep implements family.Quick.
func (f Family) QuickEStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).QuickEStep(), nil
}

// strength returns the weight of the prior in records: pseudo records, or as
// many as hold pseudo counts a feature on average. Records of few counts say
// little, and a prior of one of them lets EM fit noise ([T] Fig. 2.1, n=10000:
// error .381 with one record, .289 with the twenty that hold one count a
// feature).
func strength(mean []float64, pseudo float64) float64 {
	total := 0.0
	for _, m := range mean {
		total += m
	}
	if !(total > 0) {
		return pseudo
	}
	return pseudo * math.Max(1, float64(len(mean))/total)
}

// MStep sets λ_hj = (Σ_i r_ij x_ih + c·m_h) / (Σ_i r_ij + c), m_h being the mean
// of the feature over all records and c the strength of the prior.
func (Family) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := loglinear.NewTable(old.Dim(), old.K()).Stats(stats)
	if !(s.N > 0) {
		return old, nil, fmt.Errorf("poisson: no records to learn from")
	}
	centers, mean := mat.NewDense(old.Dim(), old.K(), nil), s.Mean()
	pseudo = strength(mean, pseudo)
	for h := range mean {
		sum := s.Sum.RawRowView(h)
		for j, c := range s.Count {
			v := old.Centers.At(h, j) // what an emptied component keeps
			if c+pseudo > 0 {
				v = (sum[j] + pseudo*mean[h]) / (c + pseudo)
			}
			centers.Set(h, j, v)
		}
	}
	return mixture.New(centers, s.Weights()), s.Emptied(), nil
}

// Objective adds the logarithm of the prior, a gamma law with mean m_h worth
// c records: c·Σ_hj (m_h log λ_hj − λ_hj).
func (Family) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := loglinear.NewTable(p.Dim(), p.K()).Stats(stats)
	prior, mean := 0.0, s.Mean()
	for h, m := range mean {
		for _, v := range p.Centers.RawRowView(h) {
			if m > 0 {
				prior += m * math.Log(math.Max(v, leastMean))
			}
			prior -= v
		}
	}
	return s.LogLikelihood + strength(mean, pseudo)*prior
}

// Posterior implements family.Family.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	if err := f.fits(p, b); err != nil {
		return err
	}
	logp := make([]float64, b.Rows.N())
	table(p).Posterior(b.Rows, out, logp)
	return noNaN(logp, b.First)
}

// LogDensity implements family.Family.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	if err := f.fits(p, b); err != nil {
		return err
	}
	table(p).Posterior(b.Rows, make([]float64, b.Rows.N()*p.K()), out)
	for i := range out[:b.Rows.N()] {
		out[i] -= logFactorials(b.Rows, i)
	}
	return noNaN(out[:b.Rows.N()], b.First)
}

func (f Family) fits(p mixture.Params, b pass.Block) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("poisson: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	return nil
}

func noNaN(logp []float64, first int) error {
	for i, v := range logp {
		if math.IsNaN(v) {
			return fmt.Errorf("poisson: record %d holds a missing value; fill it in or use the model mixed", first+i+1)
		}
	}
	return nil
}

// logFactorials returns Σ_h log x_ih!.
func logFactorials(rows sparse.Rows, i int) float64 {
	sum := 0.0
	add := func(x float64) {
		if x > 1 || math.IsNaN(x) {
			v, _ := math.Lgamma(x + 1)
			sum += v
		}
	}
	if rows.IsDense() {
		for _, x := range rows.DenseRow(i) {
			add(x)
		}
		return sum
	}
	_, value := rows.Row(i)
	for _, x := range value {
		add(float64(x))
	}
	return sum
}
