package inference

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func close9(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) { // NaN is none
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// Draws 1, 2, 6 and some that failed: mean 3, squares about it 14, over 3 − 1.
func TestSpreadByHand(t *testing.T) {
	se, low, high := spread([]float64{4}, [][]float64{{1}, {2}, nil, {math.Inf(1)}, {6}, {math.NaN()}})
	close9(t, "standard error", se[0], math.Sqrt(7))
	close9(t, "low", low[0], 4-quantile*math.Sqrt(7))
	close9(t, "high", high[0], 4+quantile*math.Sqrt(7))
}

// Records put without error have the means of their groups, and the standard errors
// of textbooks; one drawn twice counts twice.
func TestMeansByHand(t *testing.T) {
	one := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	s := &steps{k: 2, modal: []int{0, 1}, wrong: one, back: one}
	of, y := []int32{0, 0, 0, 1, 1}, []float64{1, 2, 6, 10, math.NaN()}
	d := s.means(of, y, nil)
	close9(t, "mean", d.Modal[0], 3)
	close9(t, "corrected mean", d.BCH[0], 3)
	close9(t, "naive error", d.Naive[0], math.Sqrt(14./2/3))
	close9(t, "error with known classes", d.Fixed[0], math.Sqrt(14)/3)
	close9(t, "records", float64(d.N), 4)
	twice, listed := s.means(of, y, []float64{2, 1, 1, 1, 1}), s.means(append(of, 0), append(y, 1), nil)
	close9(t, "mean of records drawn again", twice.BCH[0], 10./4)
	close9(t, "naive error of records drawn again", twice.Naive[0], listed.Naive[0])
	close9(t, "error of records drawn again", twice.Fixed[0], listed.Fixed[0])
}

// The means of classes that are told apart with errors are those of the greatest likelihood,
// where classes spread differently: another mean of either says less.
func TestLikeliestMeans(t *testing.T) {
	r := stream.New(4, "test/likeliest")
	s := &steps{k: 2, modal: []int{0, 1}, share: []float64{.6, .4}, wrong: mat.NewDense(2, 2, []float64{.8, .2, .3, .7})}
	var of []int32
	var y []float64
	for i := range 400 {
		c, told := 0, int32(0)
		if i%5 > 2 {
			c, told = 1, 1
		}
		if r.Float64() > s.wrong.At(c, c) {
			told = 1 - told
		}
		of, y = append(of, told), append(y, float64(5*c)+float64(1+2*c)*r.NormFloat64())
	}
	got := s.likeliest(of, y, []float64{1, 4})
	if some := s.likeliest(append(of, 0), append(y, math.NaN()), []float64{1, 4}); !slices.Equal(some, got) {
		t.Errorf("with one outcome missing %v, without it %v", some, got)
	}
	// likelihood at means, each class with the spread that fits them best.
	likelihood := func(mean []float64) float64 {
		spread, total := []float64{1, 9}, 0.0
		for range 200 {
			w, square := make([]float64, 2), make([]float64, 2)
			total = 0
			for i, told := range of {
				var p [2]float64
				for c := range p {
					p[c] = s.share[c] * s.wrong.At(c, int(told)) * distuv.Normal{Mu: mean[c], Sigma: math.Sqrt(spread[c])}.Prob(y[i])
				}
				total += math.Log(p[0] + p[1])
				for c := range p {
					w[c] += p[c] / (p[0] + p[1])
					square[c] += p[c] / (p[0] + p[1]) * (y[i] - mean[c]) * (y[i] - mean[c])
				}
			}
			for c := range spread {
				spread[c] = square[c] / w[c]
			}
		}
		return total
	}
	best := likelihood(got)
	for _, off := range [][]float64{{.1, 0}, {-.1, 0}, {0, .2}, {0, -.2}} {
		if other := likelihood([]float64{got[0] + off[0], got[1] + off[1]}); other > best {
			t.Errorf("means %v have the log-likelihood %.4f, %v beside them %.4f", got, best, off, other)
		}
	}
}

// The largest class is the one that the others are measured against; a class of too few
// records, and an answer that all or none give, have no parameter and no interval.
func TestParametersOfALayout(t *testing.T) {
	f := bernoulli.New(bernoulli.Options{})
	centers := mat.NewDense(2, 4, []float64{.5, .5, .5, .5, .5, .5, 1e-9, .5})
	p := mixture.New(centers, []float64{.25, .4998, .25, .0002})
	l, err := newLayout(f, p, 200)
	if err != nil {
		t.Fatal(err)
	}
	if l.top != 1 || !slices.Equal(l.weight, []int{0, -1, 1, -1}) || l.heads() != 2 || l.n != 2+2+2+1 {
		t.Errorf("largest class %d, weights %v, %d parameters", l.top, l.weight, l.n)
	}
	rows := sparse.FromDense([][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, 2, true)
	e, err := Alone(t.Context(), f, p, pass.NewLocal(rows.Pick(slices.Repeat([]int{0, 1, 2, 3}, 50)), 1))
	if err != nil {
		t.Fatal(err)
	}
	for c, x := range e.Shares {
		if edge := c == 3; x.Edge != edge || math.IsNaN(x.Low) != edge {
			t.Errorf("class %d: %+v", c, x)
		}
	}
}

// Errors of classification are taken back: of ten records of each class, with one
// and two put wrongly, the inverse of the shares gives the true means.
func TestCorrectionByHand(t *testing.T) {
	wrong := mat.NewDense(2, 2, []float64{.9, .1, .2, .8})
	back := mat.NewDense(2, 2, nil)
	if err := back.Inverse(wrong); err != nil {
		t.Fatal(err)
	}
	s := &steps{k: 2, modal: []int{0, 1}, wrong: wrong, back: back}
	var of []int32
	var y []float64
	for i := range 10 { // of value 5
		of, y = append(of, int32(i/9)), append(y, 5)
	}
	for i := range 10 { // of value 8
		of, y = append(of, 1-int32(i/8)), append(y, 8)
	}
	d := s.means(of, y, nil)
	close9(t, "first mean", d.BCH[0], 5)
	close9(t, "second mean", d.BCH[1], 8)
}

// Where classes are certain, the interval of a share is that of a count.
func TestAloneByHand(t *testing.T) {
	p := mixture.New(mat.NewDense(1, 2, []float64{1e-12, 1 - 1e-12}), []float64{.75, .25})
	rows := sparse.FromDense([][]float64{{0}, {0}, {1}, {0}}, 1, true)
	e, err := Alone(t.Context(), bernoulli.New(bernoulli.Options{}), p, pass.NewLocal(rows, 1))
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		if want := math.Sqrt(.75 * .25 / 4); numtest.Off(e.Shares[c].Outer, want, 1e-6) {
			t.Errorf("class %d has the standard error %v, want %v", c, e.Shares[c].Outer, want)
		}
	}
}

// The draws of parts, once more by their list: squares over as many draws, times
// 100/99 for a mean that was drawn too.
func TestDrawsByHand(t *testing.T) {
	l := &layout{n: 1}
	parts := make([]float64, resampled)
	total := 0.0
	for i := range parts {
		parts[i] = float64(i % 7)
		total += parts[i]
	}
	got := l.drawn(mat.NewSymDense(1, []float64{.5}), parts, 3)
	r, want := stream.New(3, "inference parts"), 0.0
	for range draws {
		sum := -total
		for range resampled {
			sum += parts[r.IntN(resampled)]
		}
		want += sum * sum / 4
	}
	close9(t, "variance", got.At(0, 0)/(want/draws*100/99), 1)
}

// Of four sets drawn two gain as much as the records, which count too: 3 of 5.
func TestGainsByHand(t *testing.T) {
	b := &Bootstrap{Ratio: 2}
	b.compare([]float64{2, 0, 3, 1})
	close9(t, "P", b.P, .6)
	close9(t, "mean", b.Mean, 1.5)
	close9(t, "upper", b.Upper, 3)
}
