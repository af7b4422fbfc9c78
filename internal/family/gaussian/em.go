package gaussian

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// scorer computes log densities of components, in the frame of the parameters:
//
//	log p_j(x) = bias_j + tᵀμ_j/v_j − |t|²/(2 v_j)
type scorer struct {
	f    *frame
	k    int
	b    *basis    // slopes μ_j/v_j
	bias []float64 // k, without log ω
	quad []float64 // k
	logw []float64 // k
}

func newScorer(p mixture.Params) *scorer {
	f, k := frameOf(p), p.K()
	s := &scorer{f: f, k: k, bias: make([]float64, k), quad: make([]float64, k), logw: make([]float64, k)}
	v, slope := p.Extra[VarianceOf].RawRowView(0), f.tilde(p)
	for j := range k {
		s.bias[j] = -f.logScale - float64(f.active)/2*math.Log(2*math.Pi*v[j])
		s.quad[j] = -1 / (2 * v[j])
		s.logw[j] = math.Log(p.Weights[j])
	}
	for i, m := range slope {
		j := i % k
		s.bias[j] -= m * m / (2 * v[j])
		slope[i] = m / v[j]
	}
	s.b = f.basis(slope, k)
	return s
}

// scores sets z (n×k) to log p_j(x_i) and squares (n) to |t_i|².
func (s *scorer) scores(p panel, z, squares []float64) {
	p.mul(z, s.b)
	p.squares(squares)
	for i, q := range squares {
		zi := z[i*s.k:][:s.k]
		for j := range zi {
			zi[j] += s.bias[j] + s.quad[j]*q
		}
	}
}

// posterior turns z into responsibilities and sets logp (n) to log densities.
func (s *scorer) posterior(z, logp []float64) {
	kernel.Softmax(z, s.k, s.logw, logp, nil)
}

// State of the E-step: log-likelihood, n, Σ_i r_ij|t_i|² (k), then the
// (d+1)×k table of Σ_i r_ij [x_i−shift, 1].
type eStep struct{ s *scorer }

const heads = 2

func (e eStep) Len() int { return heads + e.s.k + (len(e.s.f.shift)+1)*e.s.k }

func (e eStep) Add(state []float64, b pass.Block) error {
	if err := numbers(b.Rows, b.First); err != nil {
		return err
	}
	return e.gather(state, b, nil)
}

// AddGiven adds a block's statistics under the responsibilities given (rows×k)
// instead of the posterior, for measurements that are one of several views of a
// record; the log-likelihood is left alone.
func (e eStep) AddGiven(state []float64, b pass.Block, given []float64) error {
	if err := numbers(b.Rows, b.First); err != nil {
		return err
	}
	return e.gather(state, b, given)
}

// gather adds a block's statistics, under responsibilities given (n×k), or
// under the posterior when given is nil.
func (e eStep) gather(state []float64, b pass.Block, given []float64) error {
	s, k := e.s, e.s.k
	square, t := state[heads:heads+k], newTable(state[heads+k:], k)
	z, squares, logp := make([]float64, panelRows*k), make([]float64, panelRows), make([]float64, panelRows)
	var buf []float64
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		p := s.f.panel(b.Rows.Slice(lo, hi), &buf)
		z, squares, logp := z[:(hi-lo)*k], squares[:hi-lo], logp[:hi-lo]
		if given == nil {
			s.scores(p, z, squares)
			s.posterior(z, logp)
			state[0] += floats.Sum(logp)
		} else {
			p.squares(squares)
			copy(z, given[lo*k:hi*k])
		}
		state[1] += float64(hi - lo)
		for i, q := range squares {
			floats.AddScaled(square, q, z[i*k:][:k])
		}
		t.add(p, z)
	}
	t.close(s.f)
	return nil
}

// EStep implements family.Family.
func (f Family) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return eStep{newScorer(p)}, nil
}

// HardStep returns the sum of the statistics of known groups: labels holds the
// component of every record, by record number.
func (f Family) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return hardStep{eStep{newScorer(p)}, labels}, nil
}

type hardStep struct {
	eStep
	labels []int32
}

func (h hardStep) Add(state []float64, b pass.Block) error {
	if err := numbers(b.Rows, b.First); err != nil {
		return err
	}
	k := h.s.k
	given := make([]float64, b.Rows.N()*k)
	for i := range b.Rows.N() {
		if b.First+i >= len(h.labels) || h.labels[b.First+i] < 0 || int(h.labels[b.First+i]) >= k {
			return fmt.Errorf("gaussian: record %d has no group among %d", b.First+i+1, k)
		}
		given[i*k+int(h.labels[b.First+i])] = 1
	}
	return h.gather(state, b, given)
}

// stats are the E-step's statistics in the scaled frame of old parameters.
type stats struct {
	f      *frame
	logp   float64
	n      float64
	square []float64  // k: Σ r|t|²
	sum    *mat.Dense // d×k: Σ r·t
	count  []float64  // k
	mean   []float64  // d: mean of t over all records
	prior  float64    // variance of the prior's pseudo-records
}

func (Family) stats(state []float64, p mixture.Params) stats {
	f, k, d := frameOf(p), p.K(), p.Dim()
	table := state[heads+k:]
	s := stats{
		f: f, logp: state[0], n: state[1], square: state[heads : heads+k],
		sum: mat.NewDense(d, k, nil), count: table[d*k:][:k], mean: make([]float64, d),
	}
	total := floats.Sum(s.square) / s.n
	for h, g := range f.inv {
		row := s.sum.RawRowView(h)
		floats.AddScaled(row, g, table[h*k:][:k])
		s.mean[h] = floats.Sum(row) / s.n
		total -= s.mean[h] * s.mean[h]
	}
	// The variance of all records, shared among k groups that fill the space
	// (Fraley and Raftery 2007): what a group's variance is before any data.
	da := math.Max(float64(f.active), 1)
	s.prior = math.Max(total, 0) / da * math.Pow(float64(k), -2/da)
	return s
}

// MStep implements family.Family. The prior is pseudo records for every
// component, at the mean of all records, with the spread of the prior variance:
//
//	μ_j = (Σ r x + pseudo·x̄)/(n_j + pseudo)
//	v_j = (Σ r|x−μ_j|² + pseudo(|x̄−μ_j|² + d·v0)) / (d(n_j + pseudo))
func (f Family) MStep(state []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := f.stats(state, old)
	if !(s.n > 0) {
		return old, nil, fmt.Errorf("gaussian: no records to learn from")
	}
	k := old.K()
	centers, weights := mat.DenseCopyOf(old.Centers), make([]float64, k)
	variance, mass := make([]float64, k), make([]float64, k)
	for j, c := range s.count {
		weights[j] = c / s.n
		if mass[j] = c + pseudo; mass[j] <= 0 {
			continue // an emptied component keeps its place
		}
		// Σ r|t−μ|² = Σ r|t|² − 2μᵀΣ r t + c|μ|²
		q := s.square[j] + pseudo*float64(s.f.active)*s.prior
		for h, m := range s.mean {
			mu := (s.sum.At(h, j) + pseudo*m) / mass[j]
			q += mu*(c*mu-2*s.sum.At(h, j)) + pseudo*(m-mu)*(m-mu)
			if s.f.inv[h] > 0 {
				centers.Set(h, j, s.f.shift[h]+mu/s.f.inv[h])
			}
		}
		variance[j] = math.Max(q, 0)
	}
	p := mixture.New(centers, simplexed(weights)).With(ScaleOf, old.Extra[ScaleOf])
	p = p.With(VarianceOf, f.divided(variance, mass, s, old.Extra[VarianceOf]))
	return p, loglinear.Emptied(s.count), nil
}

// divided turns sums of squared deviations into variances.
func (f Family) divided(squares, mass []float64, s stats, old *mat.Dense) *mat.Dense {
	k, da := len(squares), math.Max(float64(s.f.active), 1)
	out := mat.DenseCopyOf(old)
	const tiny = 1e-100 // for records that are all alike: positive, and so is its inverse
	least := math.Max(leastVariance*s.prior, tiny)
	for j := range k {
		q, m := squares[j], mass[j]
		if f.o.Variance == Shared {
			q, m = floats.Sum(squares), floats.Sum(mass)
		}
		if m > 0 {
			out.Set(0, j, math.Max(q/(da*m), least))
		}
	}
	return out
}

// simplexed makes weights add up to 1 beyond rounding.
func simplexed(w []float64) []float64 {
	if sum := floats.Sum(w); sum > 0 {
		floats.Scale(1/sum, w)
	}
	return w
}

// Objective adds the logarithm of the prior: that of pseudo records for every
// component, as MStep says.
func (f Family) Objective(state []float64, p mixture.Params, pseudo float64) float64 {
	s := f.stats(state, p)
	if pseudo == 0 {
		return s.logp
	}
	v, mu, k := p.Extra[VarianceOf].RawRowView(0), s.f.tilde(p), p.K()
	prior := 0.0
	for j := range k {
		q := float64(s.f.active) * s.prior
		for h, m := range s.mean {
			q += (m - mu[h*k+j]) * (m - mu[h*k+j])
		}
		prior -= float64(s.f.active)/2*math.Log(v[j]) + q/(2*v[j])
	}
	return s.logp + pseudo*prior
}
