package binomial

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// density is what a count of m trials says of its component. The parameters that
// it is asked about have been checked, so that m is known.
type density struct {
	trials    int
	byMoments bool
}

// Name implements loglinear.Density.
func (density) Name() string { return "binomial" }

// stepClip bounds probabilities in EM, so that no record is impossible; the
// M-step is the maximiser within these bounds.
const stepClip = 1e-9

// Table returns log ω_j + m Σ_h log(1−p_hj) and the log odds of p = μ/m.
func (f density) Table(p mixture.Params) *loglinear.Table {
	m, _ := f.trialsOf(p)
	t := loglinear.Logs(p)
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

// Learn sets μ_hj to the averages.
func (f density) Learn(s loglinear.Stats, old mixture.Params, pseudo float64) (mixture.Params, error) {
	m, err := f.trialsOf(old)
	if err != nil {
		return old, err
	}
	centers := s.Averages(old.Centers, pseudo, func(v, _ float64) float64 { return m * clip(v/m, stepClip) })
	return mixture.New(centers, s.Weights()).With(Trials, mat.NewDense(1, 1, []float64{m})), nil
}

// Prior is that of a beta law worth pseudo records:
// pseudo·Σ_hj (m_h log p_hj + (m − m_h) log(1 − p_hj)).
func (f density) Prior(s loglinear.Stats, p mixture.Params, pseudo float64) float64 {
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
	return pseudo * prior
}

// Legal reports a value that is no count of m trials.
func (f density) Legal(p mixture.Params, rows sparse.Rows, i int) (err error) {
	m, _ := f.trialsOf(p)
	rows.Each(i, func(_ int, x float64) {
		if !(x >= 0 && x <= m) {
			err = fmt.Errorf("a count is %v, want 0 to %v: give a larger number of ‹trials›, or use the model poisson", x, m)
		}
	})
	return err
}

// Base returns Σ_h log of m choose x_ih.
func (f density) Base(p mixture.Params, rows sparse.Rows, i int) float64 {
	m, _ := f.trialsOf(p)
	sum := 0.0
	whole, _ := math.Lgamma(m + 1)
	rows.Each(i, func(_ int, x float64) {
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
	m, err := f.D.trialsOf(p)
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
