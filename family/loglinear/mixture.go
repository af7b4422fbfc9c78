package loglinear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// Density is what a family with a log-linear density has to say; Mixture makes
// the rest of it. Its zero value may stand for a family without settings.
type Density interface {
	// Name begins the errors.
	Name() string
	// Check reports the first parameter outside its legal range.
	Check(p mixture.Params) error
	// Table returns the coefficients of parameters that Check has passed.
	Table(p mixture.Params) *Table
	// Legal reports a value of row i that a model with these parameters does not
	// take.
	Legal(p mixture.Params, rows sparse.Rows, i int) error
	// Base returns log base(x) of row i, the part of the density that does not
	// depend on the component.
	Base(p mixture.Params, rows sparse.Rows, i int) float64
	// Learn returns the parameters of largest objective for the statistics that
	// were gathered under old; pseudo is the weight of the prior in records.
	Learn(s Stats, old mixture.Params, pseudo float64) (mixture.Params, error)
	// Prior returns the logarithm of the prior of that weight at p.
	Prior(s Stats, p mixture.Params, pseudo float64) float64
}

// Free is for densities that take every record and have no base: they hold it.
type Free struct{}

// Legal implements Density.
func (Free) Legal(mixture.Params, sparse.Rows, int) error { return nil }

// Base implements Density.
func (Free) Base(mixture.Params, sparse.Rows, int) float64 { return 0 }

// Mixture makes the steps, posteriors and densities of a family from its Density.
// A family holds it and adds what is its own: Info, Source, Normalise, Sample and
// FreeParameters.
type Mixture[D Density] struct{ D D }

// Density returns the density, for models whose rows have it.
func (m Mixture[D]) Density() Density { return m.D }

// Check reports the first parameter outside its legal range.
func (m Mixture[D]) Check(p mixture.Params) error { return m.D.Check(p) }

// Reorder returns p with component c being component order[c] of p.
func (m Mixture[D]) Reorder(p mixture.Params, order []int) mixture.Params { return p.Reorder(order) }

// EStep returns the Sum of the expected statistics under p, in single precision
// where that is enough.
func (m Mixture[D]) EStep(p mixture.Params, exact bool) (pass.Sum, error) {
	return steps{m.D}.eStep(p, exact)
}

// HardStep returns the Sum of the statistics of a partition.
func (m Mixture[D]) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	return steps{m.D}.hardStep(p, labels)
}

// MStep returns the parameters of largest objective.
func (m Mixture[D]) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	return steps{m.D}.mStep(stats, old, pseudo)
}

// Objective returns the log-likelihood plus the logarithm of the prior.
func (m Mixture[D]) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	return steps{m.D}.objective(stats, p, pseudo)
}

// Posterior sets out (rows×k) to the probability of each component.
func (m Mixture[D]) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	return steps{m.D}.posterior(p, b, out)
}

// Mixtures returns Posterior for these parameters; several goroutines may call
// it at once.
func (m Mixture[D]) Mixtures(p mixture.Params) (func(b pass.Block, out []float64) error, error) {
	return steps{m.D}.mixtures(p)
}

// LogDensity sets out, one number a record, to the full log density.
func (m Mixture[D]) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	return steps{m.D}.logDensity(p, b, out)
}

// Places returns a function that places the rows of many blocks; several
// goroutines may call it at once.
func (m Mixture[D]) Places(p mixture.Params) (func(b pass.Block, group []int32, probability []float32) error, error) {
	return steps{m.D}.places(p)
}

// Averages returns the centers whose entries are averages of the records:
// (Σ_i r_ij x_ih + c·m_h) / (Σ_i r_ij + c), m_h being the mean of the feature over
// all records and c the weight of the prior. A component without records keeps
// its old ones. bound puts an average into its legal range.
func (s Stats) Averages(old *mat.Dense, c float64, bound func(v, mean float64) float64) *mat.Dense {
	d, k := old.Dims()
	centers := mat.NewDense(d, k, nil)
	for h, mean := range s.Mean() {
		sum, row, before := s.Sum.RawRowView(h), centers.RawRowView(h), old.RawRowView(h)
		for j, n := range s.Count {
			v := before[j]
			if n+c > 0 {
				v = (sum[j] + c*mean) / (n + c)
			}
			row[j] = bound(v, mean)
		}
	}
	return centers
}

// Logs returns a table with the logarithms of the weights in its biases.
func Logs(p mixture.Params) *Table {
	t := NewTable(p.Dim(), p.K())
	for j, w := range p.Weights {
		t.Bias[j] = math.Log(w)
	}
	return t
}
