package regress

import (
	"errors"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"gonum.org/v1/gonum/mat"
)

// close1 is far above the error left by the default tolerance of the gradient.
const close1 = 1e-7

// With one 0/1 column and hardly any penalty the fit is the log-odds of the
// 2×2 table: 3 of 10 without, 8 of 10 with.
func TestTwoByTwo(t *testing.T) {
	x, y := mat.NewDense(20, 1, nil), make([]int, 20)
	for i := range 20 {
		if i >= 10 {
			x.Set(i, 0, 1)
		}
		if i < 3 || i >= 10 && i < 18 {
			y[i] = 1
		}
	}
	m, err := Fit(x, y, 2, Settings{Ridge: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	coef := m.coef
	near(t, "intercept", coef.At(0, 0), math.Log(3.0/7))
	near(t, "slope", coef.At(1, 0), math.Log(8.0/2)-math.Log(3.0/7))
	p, err := m.Probabilities(mat.NewDense(2, 1, []float64{0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "p without", p.At(0, 1), 0.3)
	near(t, "p with", p.At(1, 1), 0.8)
	acc, err := m.Accuracy(x, y)
	if err != nil || acc != 0.75 {
		t.Errorf("accuracy %v, %v; want 15 of 20", acc, err)
	}
}

// Without a column that tells anything the probabilities are the shares, for
// any penalty, since intercepts are free.
func TestShares(t *testing.T) {
	y := []int{0, 0, 0, 1, 1, 2}
	m, err := Fit(mat.NewDense(6, 2, nil), y, 3, Settings{Ridge: 5})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Probabilities(mat.NewDense(1, 2, []float64{9, -9}))
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range []float64{3.0 / 6, 2.0 / 6, 1.0 / 6} {
		near(t, "share", p.At(0, c), want)
	}
}

// At the minimum of a convex function no small move in any direction lowers it;
// the numerical gradient, from function values alone, is zero.
func TestStationary(t *testing.T) {
	for _, classes := range []int{2, 3, 5} {
		x, y := sample(200, 4, classes)
		m, err := Fit(x, y, classes, Settings{Ridge: 0.7})
		if err != nil {
			t.Fatal(err)
		}
		p := newProblem(x, y, classes, 0.7)
		coef := m.coef
		for c := range p.m {
			for h := range p.d {
				p.theta[c*p.d+h] = coef.At(h, c)
			}
		}
		const eps = 1e-5 // central differences: error eps² + 1e-14·f/eps
		for s := range p.theta {
			at := p.theta[s]
			p.theta[s] = at + eps
			up := p.value(p.theta)
			p.theta[s] = at - eps
			down := p.value(p.theta)
			p.theta[s] = at
			if g := (up - down) / (2 * eps); !(math.Abs(g) <= 1e-5) {
				t.Errorf("%d classes: slope %g along coefficient %d", classes, g, s)
			}
		}
	}
}

// A softmax of two columns with penalty 2λ equals one logit with penalty λ:
// the optimum splits the coefficient into ±w/2.
func TestSoftmaxOfTwo(t *testing.T) {
	x, y := sample(150, 3, 2)
	one, err := Fit(x, y, 2, Settings{Ridge: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := newProblem(x, y, 2, 2)
	p.m = 2
	p.theta = make([]float64, 2*p.d)
	s := Settings{}
	if err := s.fill(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.minimise(s); err != nil {
		t.Fatal(err)
	}
	for h := range p.d {
		near(t, "log-odds", p.theta[p.d+h]-p.theta[h], one.coef.At(h, 0))
	}
}

func TestSeparable(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	y := []int{0, 0, 1, 1}
	m, err := Fit(x, y, 2, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if acc, _ := m.Accuracy(x, y); acc != 1 {
		t.Errorf("accuracy %v on separable rows", acc)
	}
	// The penalised slope solves w = Σ |x_i|·(1 − p(y_i)); intercept 0 by symmetry.
	w := m.coef.At(1, 0)
	near(t, "slope equation", w, 2*(1/(1+math.Exp(w))+2/(1+math.Exp(2*w))))
	near(t, "intercept", m.coef.At(0, 0), 0)
	var stop *ConvergenceError
	if _, err := Fit(x, y, 2, Settings{MaxIterations: 1}); !errors.As(err, &stop) || stop.Iterations != 1 || !(stop.Gradient > 0) {
		t.Errorf("one step: error %v, want a ConvergenceError", err)
	}
}

func TestSameBits(t *testing.T) {
	x, y := sample(120, 3, 4)
	a, err := Fit(x, y, 4, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fit(x, y, 4, Settings{})
	if err != nil || !mat.Equal(a.coef, b.coef) {
		t.Errorf("two fits differ: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1, 2, 3})
	for name, f := range map[string]func() error{
		"short y":       func() error { _, err := Fit(x, []int{0, 1}, 2, Settings{}); return err },
		"one class":     func() error { _, err := Fit(x, []int{0, 0, 0}, 1, Settings{}); return err },
		"class too big": func() error { _, err := Fit(x, []int{0, 1, 2}, 2, Settings{}); return err },
		"empty class":   func() error { _, err := Fit(x, []int{0, 0, 2}, 3, Settings{}); return err },
		"bad ridge":     func() error { _, err := Fit(x, []int{0, 1, 1}, 2, Settings{Ridge: -1}); return err },
		"NaN": func() error {
			_, err := Fit(mat.NewDense(2, 1, []float64{1, math.NaN()}), []int{0, 1}, 2, Settings{})
			return err
		},
		"too wide": func() error {
			_, err := Fit(mat.NewDense(2, mostParams, nil), []int{0, 1}, 2, Settings{})
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	m, err := Fit(x, []int{0, 1, 1}, 2, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(mat.NewDense(1, 2, nil)); err == nil {
		t.Error("Predict accepted rows of the wrong width")
	}
	if _, err := m.Accuracy(x, []int{1}); err == nil {
		t.Error("Accuracy accepted a short y")
	}
}

// sample returns rows whose class has its own mean, with plenty of overlap.
func sample(n, d, classes int) (*mat.Dense, []int) {
	r := stream.New(11, "regress")
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	stream.Normals(r, x.RawMatrix().Data)
	for i := range y {
		y[i] = i % classes
		x.Set(i, y[i]%d, x.At(i, y[i]%d)+1.5)
	}
	return x, y
}

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= close1) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}
