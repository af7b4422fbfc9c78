package singletopic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
)

// Counts that scatter more than chance (genes, species, purchases: a negative binomial
// law, lost counts) have a variance of m(1+δm) for a mean of m. Words that know only
// chance take the frequent ones for evidence that they are not: a few counts of
// thousands decide where a record belongs. A count of feature h therefore weighs
// v_h = 1/(1+δm_h), after which its variance is near its mean again, and a record
// says Σ_h v_h x_h log(v_h μ_hj/Σ v μ_j) of topic j: the multinomial law of weighed
// counts. The topics that fit best are the same sums as before, so that μ stays the
// shares of the counts as they were counted; only the records move.

// Calm names the extra matrix (d×1) of what a count of every feature weighs.
const Calm = "calm"

func column(calm []float64) *mat.Dense {
	if calm == nil {
		return nil
	}
	return mat.NewDense(len(calm), 1, calm)
}

// calmed returns topics with the weights of the density, or else of other topics.
func (f density) calmed(p, of mixture.Params) mixture.Params {
	calm := f.calm
	if calm == nil {
		calm = of.Extra[Calm]
	}
	if calm == nil {
		return p
	}
	return p.With(Calm, calm)
}

// weigh turns the slopes log μ of a table into those of weighed counts.
func (f density) weigh(t *loglinear.Table, p mixture.Params) {
	calm := p.Extra[Calm]
	if calm == nil {
		return
	}
	total := f.crew.Sums(t.D, t.K, func(total []float64, lo, hi int) {
		for h := lo; h < hi; h++ {
			for j, v := range p.Centers.RawRowView(h) {
				total[j] += calm.At(h, 0) * v
			}
		}
	})
	f.crew.Each(t.D, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			v := calm.At(h, 0)
			for j := range total {
				at := &t.Slope[h*t.K+j]
				*at = v * (*at + math.Log(v/total[j]))
			}
		}
	})
}

// checkCalm reports the first weight outside of (0, 1].
func checkCalm(p mixture.Params) error {
	calm, ok := p.Extra[Calm]
	if !ok {
		return nil
	}
	if d, one := calm.Dims(); d != p.Dim() || one != 1 {
		return fmt.Errorf("single-topic: weights of counts are %d×%d, want %d×1", d, one, p.Dim())
	}
	for h := range p.Dim() {
		if v := calm.At(h, 0); !(v > 0 && v <= 1) {
			return fmt.Errorf("single-topic: a count of feature %d weighs %v, want more than 0 and at most 1", h+1, v)
		}
	}
	return nil
}
