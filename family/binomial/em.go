package binomial

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// stepClip bounds probabilities in EM, so that no record is impossible; the
// M-step is the maximiser within these bounds.
const stepClip = 1e-9

// table returns log ω_j + m Σ_h log(1−p_hj) and the log odds of p = μ/m.
func table(p mixture.Params, m float64) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	for j, w := range p.Weights {
		t.Bias[j] = math.Log(w)
	}
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			q := clip(v/m, stepClip)
			absent := math.Log1p(-q)
			t.Bias[j] += m * absent
			t.Slope[h*t.K+j] = math.Log(q) - absent
		}
	}
	return t
}

// EStep implements family.Family.
func (f Family) EStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	m, err := f.trialsOf(p)
	if err != nil {
		return nil, err
	}
	return table(p, m).EStep(), nil
}

// QuickEStep implements family.Quick.
func (f Family) QuickEStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	m, err := f.trialsOf(p)
	if err != nil {
		return nil, err
	}
	return table(p, m).QuickEStep(), nil
}

// MStep sets μ_hj = (Σ_i r_ij x_ih + pseudo·m_h) / (Σ_i r_ij + pseudo), m_h
// being the mean of the feature over all records.
func (f Family) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	m, err := f.trialsOf(old)
	if err != nil {
		return old, nil, err
	}
	s := loglinear.NewTable(old.Dim(), old.K()).Stats(stats)
	if !(s.N > 0) {
		return old, nil, fmt.Errorf("binomial: no records to learn from")
	}
	centers, mean := mat.NewDense(old.Dim(), old.K(), nil), s.Mean()
	for h := range mean {
		sum := s.Sum.RawRowView(h)
		for j, c := range s.Count {
			v := old.Centers.At(h, j) // what an emptied component keeps
			if c+pseudo > 0 {
				v = (sum[j] + pseudo*mean[h]) / (c + pseudo)
			}
			centers.Set(h, j, m*clip(v/m, stepClip))
		}
	}
	next := mixture.New(centers, s.Weights()).With(Trials, mat.NewDense(1, 1, []float64{m}))
	return next, s.Emptied(), nil
}

// Objective adds the logarithm of the prior, a beta law worth pseudo records:
// pseudo·Σ_hj (m_h log p_hj + (m − m_h) log(1 − p_hj)).
func (f Family) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := loglinear.NewTable(p.Dim(), p.K()).Stats(stats)
	m, err := f.trialsOf(p)
	if err != nil {
		return math.NaN()
	}
	prior := 0.0
	for h, mean := range s.Mean() {
		for _, v := range p.Centers.RawRowView(h) {
			q := clip(v/m, stepClip)
			prior += mean*math.Log(q) + (m-mean)*math.Log1p(-q)
		}
	}
	return s.LogLikelihood + pseudo*prior
}

// Posterior implements family.Family.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	_, err := f.densities(p, b, out, make([]float64, b.Rows.N()))
	return err
}

// LogDensity implements family.Family.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	m, err := f.densities(p, b, make([]float64, b.Rows.N()*p.K()), out[:b.Rows.N()])
	if err != nil {
		return err
	}
	for i := range b.Rows.N() {
		out[i] += logChoices(b.Rows, i, m)
	}
	return nil
}

func (f Family) densities(p mixture.Params, b pass.Block, post, logp []float64) (float64, error) {
	if err := f.Check(p); err != nil {
		return 0, err
	}
	m, err := f.trialsOf(p)
	if err != nil {
		return 0, err
	}
	if b.Rows.Dim != p.Dim() {
		return 0, fmt.Errorf("binomial: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	table(p, m).Posterior(b.Rows, post, logp)
	for i := range logp {
		if err := within(b.Rows, i, m); err != nil {
			return 0, fmt.Errorf("binomial: record %d: %w", b.First+i+1, err)
		}
	}
	return m, nil
}

// each calls use with the values of row i that are stored.
func each(rows sparse.Rows, i int, use func(x float64)) {
	if rows.IsDense() {
		for _, x := range rows.DenseRow(i) {
			use(x)
		}
		return
	}
	index, value := rows.Row(i)
	for e := range index {
		if value == nil {
			use(1)
		} else {
			use(float64(value[e]))
		}
	}
}

// within reports a value of row i that is no count of m trials.
func within(rows sparse.Rows, i int, m float64) (err error) {
	each(rows, i, func(x float64) {
		if !(x >= 0 && x <= m) {
			err = fmt.Errorf("a count is %v, want 0 to %v", x, m)
		}
	})
	return err
}

// logChoices returns Σ_h log of m choose x_ih.
func logChoices(rows sparse.Rows, i int, m float64) float64 {
	sum := 0.0
	whole, _ := math.Lgamma(m + 1)
	each(rows, i, func(x float64) {
		a, _ := math.Lgamma(x + 1)
		b, _ := math.Lgamma(m - x + 1)
		sum += whole - a - b
	})
	return sum
}

// Sample draws n records; the shape plays no part.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	m, err := f.trialsOf(p)
	if err != nil {
		return family.Draw{}, err
	}
	build, labels := sparse.NewBuilder(p.Dim(), false), make([]int, n)
	var index []uint32
	var value []float32
	for i := range n {
		j := family.Pick(r, p.Weights)
		labels[i], index, value = j, index[:0], value[:0]
		for h := range p.Dim() {
			if x := (distuv.Binomial{N: m, P: p.Centers.At(h, j) / m, Src: r}).Rand(); x > 0 {
				index, value = append(index, uint32(h)), append(value, float32(x))
			}
		}
		if err := build.Add(index, value); err != nil {
			return family.Draw{}, fmt.Errorf("binomial: %w", err)
		}
	}
	return family.Draw{Rows: build.Rows(), Labels: labels}, nil
}
