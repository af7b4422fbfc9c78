package inference

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/lca/lcatest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// TestNumericalHessian: the information is minus the second derivative of the
// log-likelihood, worked out by differences that share no code with it.
func TestNumericalHessian(t *testing.T) {
	for _, c := range []struct {
		name string
		k    int
	}{{"alzheimer", 2}, {"gss82", 3}, {"cheating", 2}, {"carcinoma", 3}} {
		set := lcatest.Load(t, c.name, false)
		againstDifferences(t, c.name, set.Rows, set.Questions, set.Blocks(), c.k)
	}
}

// TestNumericalHessianOfDrawnRecords is the same without real data: three classes that answer
// five questions, one of them with three answers.
func TestNumericalHessianOfDrawnRecords(t *testing.T) {
	r := stream.New(8, "test/hessian")
	p := [3][5]float64{{.9, .8, .7, .2, .1}, {.1, .2, .8, .9, .7}, {.5, .1, .1, .3, .9}}
	b := sparse.NewBuilder(11, true)
	for i := range 600 {
		var index []uint32
		for q, v := range p[[]int{0, 0, 0, 1, 1, 2}[i%6]] {
			a := uint32(0)
			if r.Float64() < v {
				a = 1
			} else if q == 4 && r.Float64() < .4 {
				a = 2
			}
			index = append(index, uint32(2*q)+a)
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	var questions []family.Question
	var blocks [][2]int
	for q := range 5 {
		to := 2*q + 2 + q/4
		questions = append(questions, family.Question{From: 2 * q, To: to})
		blocks = append(blocks, [2]int{2 * q, to})
	}
	againstDifferences(t, "drawn", b.Rows(), questions, blocks, 3)
}

func againstDifferences(t *testing.T, name string, rows sparse.Rows, questions []family.Question, blocks [][2]int, k int) {
	t.Helper()
	const tol = 1e-4 // relative, of every standard error
	f, err := categorical.New(categorical.Options{Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	run := pass.NewLocal(rows, 2)
	table, err := lca.Gather(context.Background(), run, questions, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	found, err := table.Search(context.Background(), k, lca.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := table.Params(found.Model, mixture.Params{})
	got, err := Parameters(context.Background(), f, p, run, 1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLayout(f, p, run.Len())
	if err != nil {
		t.Fatal(err)
	}
	v, ok := inverse(l.differences(table), l.n)
	if !ok {
		t.Fatalf("%s: the differences are not positive", name)
	}
	want := l.estimates(v, nil, nil)
	for j, e := range got.Shares {
		near(t, name, e.SE, want.Shares[j].SE, tol)
	}
	for j, list := range got.Answers {
		for a, e := range list {
			near(t, name, e.SE, want.Answers[j][a].SE, tol)
		}
	}
}

func near(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if both := math.IsNaN(got) && math.IsNaN(want); !both && numtest.Off(got, want, tol*want) {
		t.Errorf("%s: standard error %v, want %v", name, got, want)
	}
}

// moved returns the model with its free log-odds moved by x.
func (l *layout) moved(x []float64) lca.Model {
	m := lca.Model{K: l.k, Weights: make([]float64, l.k), P: append([]float64(nil), l.m.P...)}
	sum := 0.0
	for c, w := range l.m.Weights {
		if a := l.weight[c]; a >= 0 {
			w *= math.Exp(x[a])
		}
		m.Weights[c] = w
		sum += w
	}
	for c := range m.Weights {
		m.Weights[c] /= sum
	}
	for c := range l.k {
		for q := range l.Questions() {
			from, to, sum := l.First(q), l.First(q)+l.Answers(q), 0.0
			for j := from; j < to; j++ {
				if a := l.answer[c][j]; a >= 0 {
					m.P[j*l.k+c] *= math.Exp(x[a])
				}
				sum += m.P[j*l.k+c]
			}
			for j := from; j < to; j++ {
				m.P[j*l.k+c] /= sum
			}
		}
	}
	return m
}

// differences returns minus the matrix of second differences, upper half, by
// two steps whose leading error cancels (Richardson).
func (l *layout) differences(table *lca.Table) []float64 {
	const h = 2e-3
	at := func(a, b int, da, db float64) float64 {
		x := make([]float64, l.n)
		x[a] += da
		x[b] += db
		return table.LogLikelihood(l.moved(x))
	}
	second := func(a, b int, h float64) float64 {
		return (at(a, b, h, h) - at(a, b, h, -h) - at(a, b, -h, h) + at(a, b, -h, -h)) / (4 * h * h)
	}
	out := make([]float64, l.n*l.n)
	for a := range l.n {
		for b := a; b < l.n; b++ {
			out[a*l.n+b] = -(4*second(a, b, h) - second(a, b, 2*h)) / 3
		}
	}
	return out
}

func TestInverseRefusesWhatIsNotPositive(t *testing.T) {
	if _, ok := inverse([]float64{1, 2, 0, 1}, 2); ok {
		t.Error("a matrix with a negative eigenvalue was inverted")
	}
	v, ok := inverse([]float64{4, 2, 0, 2}, 2)
	if want := mat.NewSymDense(2, []float64{.5, -.5, -.5, 1}); !ok || !mat.EqualApprox(v, want, 1e-14) {
		t.Errorf("inverse %v", mat.Formatted(v))
	}
}

// TestLogitInterval against numbers by hand: log(.2/.8) ± 1.959964·.05/.16 is
// −1.998783 and −.773805, 1/(1+7.38006) and 1/(1+2.16800).
func TestLogitInterval(t *testing.T) {
	low, high := logitInterval(.2, .05)
	if numtest.Off(low, .119331, 1e-6) || numtest.Off(high, .315656, 1e-6) {
		t.Errorf("%.6f to %.6f", low, high)
	}
}
