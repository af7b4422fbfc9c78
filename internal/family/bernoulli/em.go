package bernoulli

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
)

// density is what presences say of their component.
type density struct{ loglinear.Free }

// Name implements loglinear.Density.
func (density) Name() string { return "bernoulli" }

// Check reports the first probability that is none.
func (density) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	for h := range p.Dim() {
		for j, v := range p.Centers.RawRowView(h) {
			if v < 0 || v > 1 {
				return fmt.Errorf("bernoulli: probability of feature %d in component %d is %v, want 0 to 1", h+1, j+1, v)
			}
		}
	}
	return nil
}

// Table returns log ω_j + Σ_h log(1−p_hj) and the log odds. Logarithms of
// absences are those of products, exact to 1e-13 of their sum.
func (density) Table(p mixture.Params) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	absent := make([]float64, t.K)
	for j, w := range p.Weights {
		t.Bias[j], absent[j] = math.Log(w), 1
	}
	for h := range t.D {
		slope := t.Slope[h*t.K:][:t.K]
		for j, v := range p.Centers.RawRowView(h) {
			v = clip(v, stepClip)
			absent[j] *= 1 - v
			slope[j] = math.Log(v / (1 - v))
		}
		if h%factors == factors-1 || h == t.D-1 {
			for j, v := range absent {
				t.Bias[j] += math.Log(v)
				absent[j] = 1
			}
		}
	}
	return t
}

// Learn sets the probabilities to the averages.
func (density) Learn(s loglinear.Stats, old mixture.Params, pseudo float64) (mixture.Params, error) {
	centers := s.Averages(old.Centers, pseudo, func(v, _ float64) float64 { return clip(v, stepClip) })
	return mixture.New(centers, s.Weights()), nil
}

// Prior is that of a beta law around the mean of the feature, worth pseudo
// records.
func (density) Prior(s loglinear.Stats, p mixture.Params, pseudo float64) float64 {
	prior := 0.0
	for h, mean := range s.Mean() {
		present, absent := logs(p.Centers.RawRowView(h))
		prior += mean*present + (1-mean)*absent
	}
	return pseudo * prior
}

// factors is the number of probabilities whose product stays a normal number.
const factors = 32

// logs returns Σ_j log p_j and Σ_j log(1−p_j), as logarithms of products. What
// rounding 1−p_j adds is below 1e-15 for each.
func logs(row []float64) (present, absent float64) {
	for lo := 0; lo < len(row); lo += factors {
		p, q := 1.0, 1.0
		for _, v := range row[lo:min(lo+factors, len(row))] {
			v = clip(v, stepClip)
			p *= v
			q *= 1 - v
		}
		present += math.Log(p)
		absent += math.Log(q)
	}
	return present, absent
}
