// Package regress fits small, dense logistic regressions with a ridge penalty:
// does a grouping predict an outcome? can a classifier tell two samples apart?
//
// It takes a table of numbers and a class per row and gives a Model with
// probabilities of classes. The objective is strictly convex, so the answer is
// one point, found by damped Newton steps without randomness. It must not know
// what the columns mean; their scale matters to the penalty and is the caller's.
package regress

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Settings of a fit. The zero value works.
type Settings struct {
	Ridge         float64 // weight λ of the penalty λ/2·Σ w²; 0 means 1. The intercepts are free
	MaxIterations int     // Newton steps; 0 means 100
	Tolerance     float64 // on the largest entry of the gradient, per record; 0 means 1e-9
}

// Model is a fitted regression. It is immutable.
type Model struct {
	classes int
	coef    *mat.Dense // (d+1)×m; row 0 holds the intercepts; m = 1 for two classes, else m = classes
	steps   int
}

// ConvergenceError says that the steps ended before the gradient vanished.
type ConvergenceError struct {
	Iterations int
	Gradient   float64 // largest entry, per record
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("regress: no convergence after %d steps (gradient %.3g a record); raise the ridge penalty or scale the columns", e.Iterations, e.Gradient)
}

// mostParams bounds the side of the Newton matrix: 4096² numbers are 134 MB.
const mostParams = 4096

// Fit fits a regression of the class y (0 to classes-1) on the rows of x (n×d).
// Two classes get one logit, more get a softmax with one column a class. Every
// class needs at least one row.
func Fit(x mat.Matrix, y []int, classes int, s Settings) (*Model, error) {
	if err := s.fill(); err != nil {
		return nil, err
	}
	if err := check(x, y, classes); err != nil {
		return nil, err
	}
	p := newProblem(x, y, classes, s.Ridge)
	if len(p.theta) > mostParams {
		return nil, fmt.Errorf("regress: %d coefficients, at most %d are supported; use fewer columns or classes", len(p.theta), mostParams)
	}
	steps, err := p.minimise(s)
	if err != nil {
		return nil, err
	}
	coef := mat.NewDense(p.d, p.m, nil)
	for c := range p.m {
		for h := range p.d {
			coef.Set(h, c, p.theta[c*p.d+h])
		}
	}
	return &Model{classes: classes, coef: coef, steps: steps}, nil
}

// fill puts defaults in the place of zeros and refuses nonsense.
func (s *Settings) fill() error {
	if !(s.Ridge >= 0) || math.IsInf(s.Ridge, 0) {
		return fmt.Errorf("regress: ridge penalty %v, want a number >= 0", s.Ridge)
	}
	if s.MaxIterations < 0 || !(s.Tolerance >= 0) {
		return fmt.Errorf("regress: %d iterations to tolerance %v, want numbers >= 0", s.MaxIterations, s.Tolerance)
	}
	if s.Ridge == 0 {
		s.Ridge = 1
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	if s.Tolerance == 0 {
		s.Tolerance = 1e-9
	}
	return nil
}

// check reports the first thing that cannot be fitted.
func check(x mat.Matrix, y []int, classes int) error {
	n, d := x.Dims()
	if n != len(y) {
		return fmt.Errorf("regress: %d rows but %d classes", n, len(y))
	}
	if classes < 2 {
		return fmt.Errorf("regress: %d classes, want at least 2", classes)
	}
	size := make([]int, classes)
	for i, c := range y {
		if c < 0 || c >= classes {
			return fmt.Errorf("regress: row %d has class %d, want 0 to %d", i+1, c, classes-1)
		}
		size[c]++
	}
	for c, s := range size {
		if s == 0 {
			return fmt.Errorf("regress: class %d has no row; leave it out and renumber", c)
		}
	}
	for i := range n {
		for h := range d {
			if v := x.At(i, h); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("regress: row %d, column %d is %v, want a finite number", i+1, h+1, v)
			}
		}
	}
	return nil
}

// Probabilities returns the n×classes probabilities of the rows of x.
func (m *Model) Probabilities(x mat.Matrix) (*mat.Dense, error) {
	n, d := x.Dims()
	rows, cols := m.coef.Dims()
	if d != rows-1 {
		return nil, fmt.Errorf("regress: rows of %d columns for a model of %d", d, rows-1)
	}
	out := mat.NewDense(n, m.classes, nil)
	for i := range n {
		p := out.RawRowView(i)
		for c := range cols {
			eta := m.coef.At(0, c)
			for h := range d {
				eta += m.coef.At(h+1, c) * x.At(i, h)
			}
			p[m.classes-cols+c] = eta // two classes: class 0 keeps the logit 0
		}
		softmax(p)
	}
	return out, nil
}

// Predict returns the most probable class of each row, the lower one in a tie.
func (m *Model) Predict(x mat.Matrix) ([]int, error) {
	p, err := m.Probabilities(x)
	if err != nil {
		return nil, err
	}
	n, _ := p.Dims()
	out := make([]int, n)
	for i := range out {
		for c, v := range p.RawRowView(i) {
			if v > p.At(i, out[i]) {
				out[i] = c
			}
		}
	}
	return out, nil
}

// Accuracy returns the share of rows whose predicted class is y.
func (m *Model) Accuracy(x mat.Matrix, y []int) (float64, error) {
	got, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	if len(got) != len(y) || len(y) == 0 {
		return 0, fmt.Errorf("regress: %d rows against %d classes", len(got), len(y))
	}
	right := 0
	for i, c := range got {
		if c == y[i] {
			right++
		}
	}
	return float64(right) / float64(len(y)), nil
}
