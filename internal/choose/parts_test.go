package choose

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// twinTol is for sums of a few hundred terms of order one.
const twinTol = 1e-10

// The operator against the matrix written out, for measurements with missing
// values, columns that are left out, and documents.
func TestCorrelationsAgainstTwin(t *testing.T) {
	const n, d = 200, 7
	r := stream.New(1, "choose/test/twin")
	table, words := make([][]float64, n), make([][]float64, n)
	dense := sparse.Rows{Dim: d}
	for i := range table {
		table[i], words[i] = make([]float64, d), make([]float64, d)
		for h := range d {
			table[i][h], words[i][h] = r.NormFloat64()+3, float64(r.IntN(4))
			if r.IntN(10) == 0 {
				table[i][h] = math.NaN()
			}
		}
		dense.Dense = append(dense.Dense, table[i]...)
	}
	data := dataOf(dense, record.Real, 1)
	data.Vocab.Columns = []vocab.Column{{From: 1, To: 4}, {From: 5, To: 6}}
	checkTwin(t, data, false, meanResiduals(table))
	checkTwin(t, dataOf(sparse.FromDense(words, d, false), record.Counts, 1), true, wordResiduals(words))
}

func meanResiduals(table [][]float64) *mat.Dense {
	out := mat.NewDense(len(table), len(table[0]), nil)
	for h := range table[0] {
		sum, present := 0.0, 0.0
		for _, row := range table {
			if !math.IsNaN(row[h]) {
				sum += row[h]
				present++
			}
		}
		for i, row := range table {
			if !math.IsNaN(row[h]) {
				out.Set(i, h, row[h]-sum/present)
			}
		}
	}
	return out
}

func wordResiduals(table [][]float64) *mat.Dense {
	d := len(table[0])
	sum, total := make([]float64, d), 0.0
	for _, row := range table {
		for h, v := range row {
			sum[h] += v
			total += v
		}
	}
	out := mat.NewDense(len(table), d, nil)
	for i, row := range table {
		t := 0.0
		for _, v := range row {
			t += v
		}
		for h, v := range row {
			if t > 0 {
				out.Set(i, h, (v-t*sum[h]/total)/math.Sqrt(t))
			}
		}
	}
	return out
}

func checkTwin(t *testing.T, data fit.Training, documents bool, residuals *mat.Dense) {
	t.Helper()
	c, err := newCorrelations(ctx, data, documents)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(residuals.T(), residuals)
	d, _ := want.Dims()
	if c.active != d {
		t.Fatalf("%d features active, want %d", c.active, d)
	}
	scale := make([]float64, d)
	for h := range d {
		scale[h] = math.Sqrt(want.At(h, h))
	}
	one := mat.NewDense(d, d, nil)
	for h := range d {
		one.Set(h, h, 1)
	}
	got, err := c.apply(ctx, one)
	if err != nil {
		t.Fatal(err)
	}
	for a := range d {
		for b := range d {
			w := want.At(a, b) / (scale[a] * scale[b])
			if a != b && !documents && a >= 1 && a < 4 && b >= 1 && b < 4 {
				w = 0
			}
			if numtest.Off(got.At(a, b), w, twinTol) {
				t.Errorf("documents %v: correlation (%d, %d) is %v, want %v", documents, a, b, got.At(a, b), w)
			}
		}
	}
}

// Factors that made the errors are found again.
func TestFactors(t *testing.T) {
	const n = 8
	r := stream.New(2, "choose/test/factors")
	x, y := moment.NewCube(n), moment.NewCube(n)
	want := make([]float64, n)
	for a := range want {
		want[a] = math.Exp(r.NormFloat64())
	}
	for a := range n {
		for b := range n {
			for c := range n {
				sign := float64(2*r.IntN(2) - 1)
				x.Data[(a*n+b)*n+c] = 2 * sign * math.Sqrt(want[a]*want[b]*want[c])
			}
		}
	}
	for a, v := range factors(x, y) {
		if numtest.Off(v/want[a], 1, 1e-3) {
			t.Errorf("factor %d is %v, want %v", a, v, want[a])
		}
	}
}

// A tensor that is made of its components leaves nothing over.
func TestLeftover(t *testing.T) {
	v := mat.NewDense(3, 2, []float64{1, 2, 3, -1, .5, 0})
	w := []float64{.3, .7}
	cube := moment.NewCube(3)
	for a := range 3 {
		for b := range 3 {
			for c := range 3 {
				for j := range w {
					cube.Data[(a*3+b)*3+c] += w[j] * v.At(a, j) * v.At(b, j) * v.At(c, j)
				}
			}
		}
	}
	noise := []float64{1, 1, 2}
	if got := leftover(cube, v, w, noise); got > twinTol {
		t.Errorf("leftover %v", got)
	}
	cube.Data[2] += 3 // entry (0,0,2)
	if got := leftover(cube, v, w, noise); numtest.Off(got, 4.5, twinTol) {
		t.Errorf("leftover %v, want 4.5", got)
	}
}

func TestGrid(t *testing.T) {
	streamed := fit.Training{Run: passtest.Streamed(sparse.Rows{Ptr: []int{0}}, 1)}
	big := &search{data: streamed, o: Options{Min: 1, Max: 20}, tried: map[int]*trial{}}
	if got, want := big.grid(), []int{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20}; !slices.Equal(got, want) {
		t.Errorf("coarse grid %v, want %v", got, want)
	}
	big.o.Every = true
	if len(big.grid()) != 20 {
		t.Errorf("whole grid %v", big.grid())
	}
	for _, k := range []int{1, 2, 3, 4, 6, 8, 10, 13} {
		big.tried[k] = &trial{point: Point{K: k, BIC: math.Abs(float64(k) - 8.4)}}
	}
	if got, want := big.between(), []int{7, 9}; !slices.Equal(got, want) {
		t.Errorf("between %v, want %v", got, want)
	}
	big.last = 8
	if got, want := big.between(), []int{7}; !slices.Equal(got, want) {
		t.Errorf("between %v, want %v", got, want)
	}
}

func TestAdviceWords(t *testing.T) {
	point := func(k int, bic, held, behind, se float64) Point {
		return Point{K: k, BIC: bic, HeldOut: held, Behind: behind, BehindError: se}
	}
	for _, c := range []struct {
		name  string
		curve Curve
		want  Advice
	}{
		{
			"nothing aside",
			Curve{Points: []Point{point(1, 50, 0, 0, 0), point(2, 20, 0, 0, 0)}, Picks: Picks{BIC: 2}},
			Advice{2, 2, 2, "2 groups: more would add more parameters than they explain.", Fair},
		},
		{
			"aside wants more",
			Curve{Points: []Point{point(1, 50, -9, 3, 1), point(2, 20, -7, 1, .1), point(3, 40, -6, 0, 0)}, Picks: Picks{BIC: 2, HeldOut: 3}},
			Advice{2, 2, 3, "2 groups: more would add more parameters than they explain, though records kept aside are described slightly better by up to 3.", Fair},
		},
		{
			"aside wants fewer",
			Curve{Points: []Point{point(2, 50, -6, 0, 0), point(3, 20, -7, 1, 2)}, Picks: Picks{BIC: 3, HeldOut: 2}},
			Advice{3, 2, 3, "3 groups: more would add more parameters than they explain, though records kept aside are described no better by more than 2.", Clear},
		},
		{
			"edge",
			Curve{Points: []Point{point(3, 20, -7, 1, 2), point(4, 21, -6, 0, 0)}, Picks: Picks{BIC: 3, HeldOut: 4, Edge: 4}},
			Advice{4, 3, 4, "4 groups, because so many common patterns stand out from chance and records kept aside agree; for the number of parameters alone 3 would do.", Weak},
		},
		{
			"one point",
			Curve{Points: []Point{point(1, 20, 0, 0, 0)}, Picks: Picks{BIC: 1}},
			Advice{1, 1, 1, "Only one group could be tried.", Weak},
		},
	} {
		c.curve.Called = verdict.CalledFor(false, false)
		c.curve.advise()
		if c.curve.Advice != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, c.curve.Advice, c.want)
		}
	}
}
