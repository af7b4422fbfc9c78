// Package hmm is the hidden Markov model: a record is a sequence of rows; a
// hidden state walks from row to row by a transition matrix, and each row is
// emitted by the state alone. Emissions are symbols (one entry a row), spherical
// Gaussians, or any log-linear law: sets of codes (Bernoulli), counts (Poisson).
//
// It takes sequences (pass.Block.Steps; without them every row is a sequence of
// one step) and gives moments, in which three consecutive rows are three views
// of the middle state ([L], algorithms §6), the E- and M-step of Baum and Welch,
// smoothed posteriors a row, densities a sequence, the best path (Viterbi) and
// samples. A row without entries, or with nothing but missing values, has not
// been observed: it counts as a step and tells nothing. The package does not
// know where records are, nor how a start was found.
package hmm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
)

// Emission says what a state emits.
type Emission int

// Emissions.
const (
	Discrete Emission = iota // one of d symbols: rows with one entry
	Gaussian                 // d measurements, spherical, with the state's own variance
)

// Options are the settings of the family. The zero value is the default.
type Options struct {
	Emission Emission
	// Of is the law of what a state emits, instead of Emission; nil for none.
	Of Law
	// Raw keeps Gaussian emissions in their own units. Otherwise features whose
	// standard deviations differ more than tenfold are divided by them.
	Raw bool
}

// Names of the extra matrices of the parameters.
const (
	TransitionOf = "transition" // k×k: row i to column j
	InitialOf    = "initial"    // 1×k
	VarianceOf   = "variance"   // 1×k, Gaussian emissions: in the scaled features
	ScaleOf      = "scale"      // d×1, Gaussian emissions: 0 for a constant feature
)

// Family is the hidden Markov model.
type Family struct{ o Options }

var _ family.Family = Family{}

// New returns the family with the given options.
func New(o Options) Family { return Family{o} }

// NewParams returns parameters of the family. Centers are d×k: column j holds
// the probabilities of the symbols, or the mean, in state j. Weights are the
// stationary shares of the states. variance is nil for discrete emissions;
// scales are 1.
func NewParams(centers, transition *mat.Dense, initial, variance []float64) mixture.Params {
	d, k := centers.Dims()
	p := mixture.New(centers, stationary(transition)).With(TransitionOf, transition).
		With(InitialOf, mat.NewDense(1, k, append([]float64(nil), initial...)))
	if variance == nil {
		return p
	}
	scale := mat.NewDense(d, 1, nil)
	for h := range d {
		scale.Set(h, 0, 1)
	}
	return p.With(VarianceOf, mat.NewDense(1, k, append([]float64(nil), variance...))).With(ScaleOf, scale)
}

// stationary returns the shares of the states in a long walk, by squaring the
// lazy chain (P+I)/2, which has the same shares and never cycles.
func stationary(t *mat.Dense) []float64 {
	k, _ := t.Dims()
	m := mat.DenseCopyOf(t)
	for i := range k {
		m.Set(i, i, m.At(i, i)+1)
	}
	m.Scale(0.5, m)
	const squarings = 50
	for range squarings {
		var next mat.Dense
		next.Mul(m, m)
		m.Copy(&next)
		for i := range k { // keep rows on the simplex
			normalise(m.RawRowView(i))
		}
	}
	w := make([]float64, k)
	for i := range k {
		floats.AddScaled(w, 1/float64(k), m.RawRowView(i))
	}
	return normalise(w)
}

// normalise scales w to add up to 1, equal shares where it adds up to nothing.
func normalise(w []float64) []float64 {
	sum := floats.Sum(w)
	for i := range w {
		if sum > 0 {
			w[i] /= sum
		} else {
			w[i] = 1 / float64(len(w))
		}
	}
	return w
}

// Check reports the first parameter outside its legal range.
func (f Family) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("hmm: %w", err)
	}
	k := p.K()
	if err := checkRows(p.Extra[TransitionOf], TransitionOf, k, k); err != nil {
		return err
	}
	if err := checkRows(p.Extra[InitialOf], InitialOf, 1, k); err != nil {
		return err
	}
	if f.o.Of != nil {
		return f.o.Of.Check(alone(p))
	}
	if f.o.Emission == Discrete {
		var columns mat.Dense
		columns.CloneFrom(p.Centers.T())
		return checkRows(&columns, "emission", k, p.Dim())
	}
	return checkGaussian(p)
}

// checkRows reports a matrix of the wrong shape or with rows off the simplex.
func checkRows(m *mat.Dense, name string, rows, cols int) error {
	if m == nil {
		return fmt.Errorf("hmm: parameters without %q", name)
	}
	if r, c := m.Dims(); r != rows || c != cols {
		return fmt.Errorf("hmm: %s is %d×%d, want %d×%d", name, r, c, rows, cols)
	}
	for i := range rows {
		sum := 0.0
		for j, v := range m.RawRowView(i) {
			if !(v >= 0) {
				return fmt.Errorf("hmm: %s of state %d, entry %d is %v, want a probability", name, i+1, j+1, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-6 {
			return fmt.Errorf("hmm: %s of state %d adds up to %v, want 1", name, i+1, sum)
		}
	}
	return nil
}

// FreeParameters counts initial and transition probabilities and what the
// emissions have: symbols that no state emits are not paid for.
func (f Family) FreeParameters(p mixture.Params) int {
	k, n := p.K(), p.K()*p.K()-1
	if f.o.Of != nil {
		return n + f.o.Of.FreeParameters(alone(p)) - (k - 1)
	}
	if f.o.Emission == Gaussian {
		return n + (newFrame(p).active+1)*k
	}
	seen := 0
	for h := range p.Dim() {
		if floats.Max(p.Centers.RawRowView(h)) > 0 {
			seen++
		}
	}
	return n + max(seen-1, 0)*k
}

// Reorder implements family.Family. Where states are left out the rows of the
// transition are made to add up to 1 again.
func (f Family) Reorder(p mixture.Params, order []int) mixture.Params {
	k := len(order)
	t := mat.NewDense(k, k, nil)
	for a, i := range order {
		for b, j := range order {
			t.Set(a, b, p.Extra[TransitionOf].At(i, j))
		}
	}
	initial := mixture.Columns(p.Extra[InitialOf], order)
	if k < p.K() {
		for a := range k {
			normalise(t.RawRowView(a))
		}
		normalise(initial.RawRowView(0))
	}
	out := p.Reorder(order).With(TransitionOf, t).With(InitialOf, initial)
	if v := p.Extra[VarianceOf]; v != nil {
		out = out.With(VarianceOf, mixture.Columns(v, order))
	}
	return out
}
