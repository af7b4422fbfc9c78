package inference_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// presences are records of two classes, with the same records as answers.
func presences(t *testing.T, n int) (p mixture.Params, rows, hot sparse.Rows, questions mixture.Params) {
	t.Helper()
	p = mixture.New(mat.NewDense(5, 2, []float64{.8, .2, .7, .1, .3, .6, .9, .4, .15, .55}), []float64{.55, .45})
	draw, err := bernoulli.New(bernoulli.Options{}).Sample(p, stream.New(2, "presences"), n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	b := sparse.NewBuilder(10, true)
	for i := range n {
		var index []uint32
		for h := range 5 {
			at := 2 * h
			if draw.Rows.At(i, h) != 0 {
				at++
			}
			index = append(index, uint32(at))
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	m := mat.NewDense(10, 2, nil)
	for h := range 5 {
		for j := range 2 {
			m.Set(2*h, j, 1-p.Centers.At(h, j))
			m.Set(2*h+1, j, p.Centers.At(h, j))
		}
	}
	return p, draw.Rows, b.Rows(), mixture.New(m, p.Weights)
}

func pairs(n int) [][2]int {
	var out [][2]int
	for h := range n {
		out = append(out, [2]int{2 * h, 2*h + 2})
	}
	return out
}

// TestPresencesAreAnswers: presences, and the same records as yes or no, have
// the same standard errors and residuals.
func TestPresencesAreAnswers(t *testing.T) {
	p, rows, hot, q := presences(t, 9000)
	f := bernoulli.New(bernoulli.Options{})
	g, err := categorical.New(categorical.Options{Blocks: pairs(5)})
	if err != nil {
		t.Fatal(err)
	}
	a, err := inference.Parameters(ctx, f, p, pass.NewLocal(rows, 2), 1)
	b, err2 := inference.Parameters(ctx, g, q, pass.NewLocal(hot, 2), 1)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for j := range a.Answers {
		for c := range a.Answers[j] {
			x, y := a.Answers[j][c], b.Answers[j][c]
			if numtest.Off(x.SE, y.SE, 1e-10) || numtest.Off(x.Outer, y.Outer, 1e-10) || numtest.Off(x.Resampled, y.Resampled, 1e-10) || numtest.Off(x.Low, y.Low, 1e-9) {
				t.Errorf("class %d, column %d: %+v and %+v", j, c, x, y)
			}
		}
	}
	ra, err := inference.Residuals(ctx, f, p, pass.NewLocal(rows, 2))
	rb, err2 := inference.Residuals(ctx, g, q, pass.NewLocal(hot, 2))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for i := range ra {
		if ra[i].A != rb[i].A || ra[i].B != rb[i].B || numtest.Off(ra[i].X2, rb[i].X2, 1e-8) {
			t.Errorf("pair %+v and %+v", ra[i], rb[i])
		}
		if ra[i].Residual > 12 { // of a true model, ten pairs
			t.Errorf("residual %v of a true model", ra[i])
		}
	}
}

// TestThreeWaysAgree: under a true model with many records the information, the
// outer product and the resampled sums give standard errors alike.
func TestThreeWaysAgree(t *testing.T) {
	p, rows, _, _ := presences(t, 40000)
	e, err := inference.Parameters(ctx, bernoulli.New(bernoulli.Options{}), p, pass.NewLocal(rows, 2), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range append(e.Answers, e.Shares) {
		for _, x := range list {
			if x.Edge || numtest.Off(x.Outer/x.SE, 1, .1) || numtest.Off(x.Resampled/x.SE, 1, .3) {
				t.Errorf("%+v", x)
			}
		}
	}
}

// TestSameAnywhere: standard errors do not depend on cores, and hardly on where
// the records lie.
func TestSameAnywhere(t *testing.T) {
	p, rows, _, _ := presences(t, 9000)
	f := bernoulli.New(bernoulli.Options{})
	var first []float64
	for _, workers := range numtest.Workers() {
		e, err := inference.Parameters(ctx, f, p, pass.NewLocal(rows, workers), 1)
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		for _, list := range append(e.Answers, e.Shares) {
			for _, x := range list {
				all = append(all, x.SE, x.Outer, x.Resampled, x.Low, x.High)
			}
		}
		if first == nil {
			first = all
		}
		numtest.SameBits(t, "standard errors", all, first)
	}
}

// TestPlantedDependence: two questions that answer alike beyond their class are
// the pair that is named.
func TestPlantedDependence(t *testing.T) {
	p, rows, _, _ := presences(t, 6000)
	b := sparse.NewBuilder(6, true)
	r := stream.New(7, "copies")
	for i := range rows.N() {
		index, _ := rows.Row(i)
		index = append([]uint32(nil), index...)
		if (rows.At(i, 2) != 0) != (r.Float64() < .2) { // a copy of feature 2, one in five wrong
			index = append(index, 5)
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	wide := mat.NewDense(6, 2, nil)
	wide.Slice(0, 5, 0, 2).(*mat.Dense).Copy(p.Centers)
	for j := range 2 {
		wide.Set(5, j, .8*p.Centers.At(2, j)+.2*(1-p.Centers.At(2, j)))
	}
	list, err := inference.Residuals(ctx, bernoulli.New(bernoulli.Options{}), mixture.New(wide, p.Weights), pass.NewLocal(b.Rows(), 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 15 || list[8].A != 1 || list[8].B != 5 {
		t.Errorf("%d pairs, and the ninth is %+v", len(list), list[8])
	}
	slices.SortFunc(list, func(a, b inference.Pair) int { return cmp.Compare(b.Residual, a.Residual) })
	if top := list[0]; top.A != 2 || top.B != 5 || !top.Dependent || top.Residual < 100 || list[1].Residual > 12 {
		t.Errorf("%+v, then %+v", top, list[1])
	}
}

func TestOtherModels(t *testing.T) {
	p, rows, _, _ := presences(t, 100)
	if _, err := inference.Parameters(ctx, poisson.New(), p, pass.NewLocal(rows, 1), 1); !errors.Is(err, inference.ErrOther) {
		t.Errorf("counts: %v", err)
	}
	fit, err := inference.Classified(ctx, poisson.New(), p, pass.NewLocal(rows, 1))
	if err != nil || fit.Records != 100 || fit.Modal[0]+fit.Modal[1] != 100 {
		t.Errorf("%+v, %v", fit, err)
	}
}

// TestClassifiedByHand: one question, two classes, numbers by hand.
func TestClassifiedByHand(t *testing.T) {
	p := mixture.New(mat.NewDense(1, 2, []float64{.9, .3}), []float64{.5, .5})
	rows := sparse.FromDense([][]float64{{1}, {1}, {0}}, 1, true)
	fit, err := inference.Classified(ctx, bernoulli.New(bernoulli.Options{}), p, pass.NewLocal(rows, 1))
	if err != nil {
		t.Fatal(err)
	}
	yes, no := .75, .125 // posterior of the first class
	h := func(r float64) float64 { return -r*math.Log(r) - (1-r)*math.Log(1-r) }
	entropy := 2*h(yes) + h(no)
	ll := 2*math.Log(.6) + math.Log(.4)
	bic := -2*ll + 3*math.Log(3)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"log-likelihood", fit.LogLikelihood, ll},
		{"entropy", fit.Entropy, entropy},
		{"entropy R²", fit.EntropyR2, 1 - entropy/(3*math.Ln2)},
		{"BIC", fit.BIC, bic},
		{"AIC", fit.AIC, -2*ll + 6},
		{"adjusted BIC", fit.AdjustedBIC, -2*ll + 3*math.Log(5.0/24)},
		{"CAIC", fit.CAIC, bic + 3},
		{"ICL", fit.ICL, bic + 2*entropy},
		{"posterior", fit.Posterior[0][0], yes},
		{"posterior of the other", fit.Posterior[1][1], 1 - no},
		{"of the other among those of the first", fit.Posterior[0][1], 1 - yes},
		{"of the first among those of the other", fit.Posterior[1][0], no},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-9) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if fit.Modal[0] != 2 || fit.Modal[1] != 1 {
		t.Errorf("modal %v", fit.Modal)
	}
}
