// Package loglinear is the E-step that most mixtures share: families whose log
// density in component j is a linear function of the record,
//
//	log ω_j + log p_j(x) = bias_j + Σ_h x_h·slope_hj + quad_j·|x|² + base(x)
//
// where base does not depend on the component. Bernoulli, categorical,
// Poisson, binomial, exponential, multinomial and spherical Gaussian mixtures
// all have this form; each supplies its table, and its M-step from the
// statistics. Cost: non-zeros times components.
package loglinear

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Table holds the coefficients of k components over d features.
type Table struct {
	D, K  int
	Bias  []float64 // k
	Slope []float64 // d×k, row by row
	Quad  []float64 // k, or nil for none
}

// NewTable returns a table of zeros without a quadratic part.
func NewTable(d, k int) *Table {
	return &Table{D: d, K: k, Bias: make([]float64, k), Slope: make([]float64, d*k)}
}

// panelRows is the number of records worked on at once.
const panelRows = 256

// Scores sets out (n×k) to the log joint densities of the rows, less base(x).
func (t *Table) Scores(rows sparse.Rows, out []float64) {
	rows.MulTo(out, t.Slope, t.K)
	squares := t.squares(rows)
	for i := range rows.N() {
		row := out[i*t.K:][:t.K]
		for j, b := range t.Bias {
			row[j] += b
		}
		if squares != nil {
			for j, q := range t.Quad {
				row[j] += q * squares[i]
			}
		}
	}
}

// squares returns |x|² of each row, or nil when there is no quadratic part.
func (t *Table) squares(rows sparse.Rows) []float64 {
	if t.Quad == nil {
		return nil
	}
	out := make([]float64, rows.N())
	for i := range out {
		if rows.IsDense() {
			for _, v := range rows.DenseRow(i) {
				out[i] += v * v
			}
			continue
		}
		index, value := rows.Row(i)
		if value == nil {
			out[i] = float64(len(index))
		}
		for _, v := range value {
			out[i] += float64(v) * float64(v)
		}
	}
	return out
}

// Posterior sets out (n×k) to the posterior probabilities of the components
// and, where logp is not nil, logp (n) to the log densities less base(x).
func (t *Table) Posterior(rows sparse.Rows, out, logp []float64) {
	t.posterior(rows, t.squares(rows), out, logp, nil)
}

// posterior also adds the posteriors of the rows to count, where it is not nil;
// squares are those of the rows.
func (t *Table) posterior(rows sparse.Rows, squares, out, logp, count []float64) {
	rows.MulTo(out, t.Slope, t.K)
	for i, s := range squares {
		kernel.Axpy(out[i*t.K:][:t.K], s, t.Quad)
	}
	kernel.Softmax(out[:rows.N()*t.K], t.K, t.Bias, logp, count)
}

// Softmax turns scores into probabilities in place and returns the logarithm
// of the sum of their exponentials. Scores that are all -Inf give equal shares.
func Softmax(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		if v > top {
			top = v
		}
	}
	if math.IsInf(top, -1) {
		for j := range x {
			x[j] = 1 / float64(len(x))
		}
		return top
	}
	sum := 0.0
	for j, v := range x {
		x[j] = math.Exp(v - top)
		sum += x[j]
	}
	for j := range x {
		x[j] /= sum
	}
	return top + math.Log(sum)
}

// Stats are the expected statistics of the components under a table.
type Stats struct {
	LogLikelihood float64    // Σ_i log p(x_i), less base
	N             float64    // records
	Count         []float64  // k: Σ_i r_ij
	Square        []float64  // k: Σ_i r_ij |x_i|²; nil without a quadratic part
	Sum           *mat.Dense // d×k: Σ_i r_ij x_i
}

// EStep returns the sum of the statistics under t.
func (t *Table) EStep() pass.Sum { return eStep{t: t} }

type eStep struct {
	t      *Table
	single *single // nil for double precision
}

func (s eStep) heads() int {
	if s.t.Quad != nil {
		return 2 + 2*s.t.K
	}
	return 2 + s.t.K
}

func (s eStep) Len() int { return s.heads() + s.t.D*s.t.K }

func (s eStep) Add(state []float64, b pass.Block) error {
	return s.AddLate(func() []float64 { return state }, b)
}

// Late implements pass.LateSum: blocks in single precision have sums of their own.
func (s eStep) Late() bool { return s.single != nil }

// AddLate implements pass.LateSum.
func (s eStep) AddLate(in func() []float64, b pass.Block) error {
	t, k := s.t, s.t.K
	if b.Rows.Dim != t.D {
		return fmt.Errorf("loglinear: records of %d features for a model of %d", b.Rows.Dim, t.D)
	}
	if s.single.add(in, b.Rows) {
		return nil
	}
	state := in()
	count, sum := state[2:2+k], state[s.heads():]
	r, logp := make([]float64, panelRows*k), make([]float64, panelRows)
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		panel := b.Rows.Slice(lo, hi)
		r, logp := r[:(hi-lo)*k], logp[:hi-lo]
		squares := t.squares(panel)
		t.posterior(panel, squares, r, logp, count)
		for _, v := range logp {
			state[0] += v
		}
		state[1] += float64(len(logp))
		for i, v := range squares {
			kernel.Axpy(state[2+k:][:k], v, r[i*k:][:k])
		}
		panel.AddTransMul(sum, r, k)
	}
	return nil
}

// Stats reads a state of the table's E-step; it shares the state's memory.
func (t *Table) Stats(state []float64) Stats {
	s := eStep{t: t}
	out := Stats{
		LogLikelihood: state[0],
		N:             state[1],
		Count:         state[2 : 2+t.K],
		Sum:           mat.NewDense(t.D, t.K, state[s.heads():]),
	}
	if t.Quad != nil {
		out.Square = state[2+t.K : 2+2*t.K]
	}
	return out
}

// Weights returns the shares of the components; a component that lost all its
// records keeps weight zero. Sites that leave small counts out of open sums give
// counts of fewer than N records: shares are then of those.
func (s Stats) Weights() []float64 {
	w, n := make([]float64, len(s.Count)), s.N
	if sum := floats.Sum(s.Count); math.Abs(sum-n) > beyondRounding*n {
		n = sum
	}
	for j, c := range s.Count {
		w[j] = c / n
	}
	return w
}

// beyondRounding is a part of all records that no rounding loses, also where blocks
// are summed up in single precision.
const beyondRounding = 1e-6

// Mean returns the mean of each feature over all records: Σ_j Sum_hj / N.
func (s Stats) Mean() []float64 {
	d, _ := s.Sum.Dims()
	p := make([]float64, d)
	for h := range p {
		p[h] = s.MeanOf(h)
	}
	return p
}

// MeanOf returns the mean of one feature.
func (s Stats) MeanOf(h int) float64 {
	sum := 0.0
	for _, v := range s.Sum.RawRowView(h) {
		sum += v
	}
	return sum / s.N
}

// HardStep returns the sum of the statistics of known groups: labels holds the
// component of every record, by record number. Its state has the layout of
// EStep's, with the likelihood left at zero, so that an M-step turns a
// partition into parameters.
func (t *Table) HardStep(labels []int32) pass.Sum { return hardStep{eStep{t: t}, labels} }

// CountedStats is the state of HardStep for groups of so many records, of which so many have
// each feature, where nothing is squared.
func CountedStats(n []int, has [][]float64) []float64 {
	k := len(n)
	state := make([]float64, 2+k+k*len(has[0]))
	for j, n := range n {
		state[1] += float64(n)
		state[2+j] = float64(n)
		for h, v := range has[j] {
			state[2+k+h*k+j] = v
		}
	}
	return state
}

type hardStep struct {
	eStep
	labels []int32
}

func (s hardStep) Add(state []float64, b pass.Block) error {
	k := s.t.K
	count, sum := state[2:2+k], state[s.heads():]
	squares := s.t.squares(b.Rows)
	for i := range b.Rows.N() {
		j := int(s.labels[b.First+i])
		state[1]++
		count[j]++
		if squares != nil {
			state[2+k+j] += squares[i]
		}
		if b.Rows.IsDense() {
			for h, v := range b.Rows.DenseRow(i) {
				sum[h*k+j] += v
			}
			continue
		}
		index, value := b.Rows.Row(i)
		column := sum[j:]
		if value == nil {
			for _, h := range index {
				column[int(h)*k]++
			}
			continue
		}
		for e, h := range index {
			column[int(h)*k] += float64(value[e])
		}
	}
	return nil
}
