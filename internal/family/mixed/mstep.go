package mixed

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// column is what the statistics tell of one feature.
type column struct {
	present  []float64 // k: Σ r over the records that have the value
	sum      []float64 // k: Σ r·x, or Σ r·(x − μ) for real features
	squares  []float64 // k
	total    float64   // Σ_j present
	mean     float64   // over all records that have the value
	variance float64   // the same, real features only
}

// column gathers feature h; centers are those under which the statistics were
// made.
func (f *Family) column(s stats, h int, centers []float64) column {
	k := len(s.count)
	c := column{present: make([]float64, k), sum: s.sum[h*k:][:k], squares: s.squares[h*k:][:k]}
	for j, n := range s.count {
		c.present[j] = math.Max(n-s.missing[h*k+j], 0)
		c.total += c.present[j]
	}
	if !(c.total > 0) {
		return c
	}
	for j, v := range c.sum {
		c.mean += v
		if f.kinds[h] == vocab.Real {
			c.mean += c.present[j] * centers[j]
		}
	}
	c.mean /= c.total
	if f.kinds[h] == vocab.Real {
		for j := range c.sum {
			off := centers[j] - c.mean
			c.variance += c.squares[j] + 2*off*c.sum[j] + c.present[j]*off*off
		}
		c.variance = math.Max(c.variance/c.total, 0)
	}
	return c
}

// MStep gives every column the estimate of its law from the records that have
// a value, with a prior worth pseudo records whose mean and variance are the
// overall ones.
func (f *Family) MStep(state []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	k := old.K()
	s := f.stats(state, k)
	if !(s.n > 0) {
		return old, nil, fmt.Errorf("mixed: no records to learn from")
	}
	centers, variance := mat.DenseCopyOf(old.Centers), mat.DenseCopyOf(old.Extra[Variance])
	for h, kind := range f.kinds {
		if kind == vocab.Categorical {
			continue
		}
		c := f.column(s, h, old.Centers.RawRowView(h))
		if !(c.total > 0) {
			continue // nobody has the value: nothing to learn
		}
		for j, n := range c.present {
			if !(n+pseudo > 0) {
				continue // an emptied component keeps what it had
			}
			switch kind {
			case vocab.Real:
				m, v := c.gaussian(j, old.Centers.At(h, j), pseudo)
				centers.Set(h, j, m)
				variance.Set(h, j, v)
			case vocab.Presence:
				centers.Set(h, j, clip((c.sum[j]+pseudo*c.mean)/(n+pseudo), stepClip))
			default:
				centers.Set(h, j, (c.sum[j]+pseudo*c.mean)/(n+pseudo))
			}
		}
	}
	for _, b := range f.blocks {
		f.answers(s, b, centers, pseudo)
	}
	simplex.NormaliseBlocks(centers, f.blocks) // rounding only
	weights := make([]float64, k)
	for j, n := range s.count {
		weights[j] = n / s.n
	}
	return mixture.New(centers, weights).With(Variance, variance), loglinear.Emptied(s.count), nil
}

// gaussian returns the mean and variance of component j. The sums are relative
// to the old mean: squares of large values would lose the variance.
func (c column) gaussian(j int, old, pseudo float64) (mean, variance float64) {
	n := c.present[j]
	step := (c.sum[j] + pseudo*(c.mean-old)) / (n + pseudo)
	mean = old + step
	within := c.squares[j] - 2*step*c.sum[j] + n*step*step
	off := mean - c.mean
	variance = (math.Max(within, 0) + pseudo*(c.variance+off*off)) / (n + pseudo)
	return mean, math.Max(variance, leastVariance(c.variance, c.mean))
}

// answered returns the expected number of records of each component that
// answered question b, and of all.
func answered(s stats, b [2]int) (count []float64, total float64) {
	k := len(s.count)
	count = make([]float64, k)
	for h := b[0]; h < b[1]; h++ {
		for j, v := range s.sum[h*k:][:k] {
			count[j] += v
			total += v
		}
	}
	return count, total
}

func sum(x []float64) float64 {
	t := 0.0
	for _, v := range x {
		t += v
	}
	return t
}

// answers sets the probabilities of question b.
func (f *Family) answers(s stats, b [2]int, centers *mat.Dense, pseudo float64) {
	count, total := answered(s, b)
	if !(total > 0) {
		return
	}
	k := len(count)
	for h := b[0]; h < b[1]; h++ {
		given := s.sum[h*k:][:k]
		share := sum(given) / total
		for j, n := range count {
			if n+pseudo > 0 {
				centers.Set(h, j, (given[j]+pseudo*share)/(n+pseudo))
			}
		}
	}
}

// Objective adds the logarithms of the priors: beta, gamma, Dirichlet, and
// normal with inverse gamma, each worth pseudo records.
func (f *Family) Objective(state []float64, p mixture.Params, pseudo float64) float64 {
	s := f.stats(state, p.K())
	prior := 0.0
	for h, kind := range f.kinds {
		if kind == vocab.Categorical {
			continue
		}
		c := f.column(s, h, p.Centers.RawRowView(h))
		if !(c.total > 0) {
			continue
		}
		for j, v := range p.Centers.RawRowView(h) {
			switch kind {
			case vocab.Real:
				w, off := p.Extra[Variance].At(h, j), v-c.mean
				prior -= (math.Log(w) + (off*off+c.variance)/w) / 2
			case vocab.Presence:
				v = clip(v, stepClip)
				prior += c.mean*math.Log(v) + (1-c.mean)*math.Log1p(-v)
			case vocab.Counts:
				prior += c.mean*math.Log(math.Max(v, leastMean)) - v
			}
		}
	}
	for _, b := range f.blocks {
		prior += f.answerPrior(s, b, p)
	}
	return s.logLikelihood + pseudo*prior
}

func (f *Family) answerPrior(s stats, b [2]int, p mixture.Params) float64 {
	_, total := answered(s, b)
	if !(total > 0) {
		return 0
	}
	k, prior := p.K(), 0.0
	for h := b[0]; h < b[1]; h++ {
		share := sum(s.sum[h*k:][:k]) / total
		if share == 0 {
			continue
		}
		for _, v := range p.Centers.RawRowView(h) {
			prior += share * math.Log(math.Max(v, leastMean))
		}
	}
	return prior
}
