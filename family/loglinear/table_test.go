package loglinear_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// tol is a few hundred roundings of numbers of size one.
const tol = 1e-12

// randomTable returns coefficients for d features and k components.
func randomTable(d, k int, quadratic bool) *loglinear.Table {
	r, t := stream.New(1, "table"), loglinear.NewTable(d, k)
	stream.Normals(r, t.Bias)
	stream.Normals(r, t.Slope)
	if quadratic {
		t.Quad = make([]float64, k)
		for j := range t.Quad {
			t.Quad[j] = -.1 * r.Float64()
		}
	}
	return t
}

// layouts returns the same kind of records in all layouts, with their numbers.
func layouts(n, d int) map[string]sparse.Rows {
	r := stream.New(2, "rows")
	out := map[string]sparse.Rows{}
	for _, layout := range []string{"binary", "valued", "dense"} {
		table := make([][]float64, n)
		for i := range table {
			table[i] = make([]float64, d)
			for h := range d {
				if r.IntN(3) == 0 {
					table[i][h] = float64(1 + r.IntN(3))
				}
				if layout == "binary" && table[i][h] > 0 {
					table[i][h] = 1
				}
			}
		}
		if layout != "dense" {
			out[layout] = sparse.FromDense(table, d, layout == "binary")
			continue
		}
		rows := sparse.Rows{Dim: d}
		for _, row := range table {
			rows.Dense = append(rows.Dense, row...)
		}
		out[layout] = rows
	}
	return out
}

// joint is the definition: bias_j + Σ_h x_h slope_hj + quad_j |x|².
func joint(t *loglinear.Table, rows sparse.Rows, i, j int) float64 {
	s := t.Bias[j]
	for h := range t.D {
		x := rows.At(i, h)
		s += x * t.Slope[h*t.K+j]
		if t.Quad != nil {
			s += x * x * t.Quad[j]
		}
	}
	return s
}

// TestEStepAgreesWithDefinition compares scores, posteriors and statistics with
// sums over entries of rows, in all layouts, over more than one panel.
func TestEStepAgreesWithDefinition(t *testing.T) {
	const n, d, k = 600, 7, 3
	for layout, rows := range layouts(n, d) {
		for _, quadratic := range []bool{false, true} {
			table := randomTable(d, k, quadratic)
			scores, post, logp := make([]float64, n*k), make([]float64, n*k), make([]float64, n)
			table.Scores(rows, scores)
			table.Posterior(rows, post, logp)
			state, err := pass.RunOne(context.Background(), pass.NewLocal(rows, 2), table.EStep())
			if err != nil {
				t.Fatal(err)
			}
			s := table.Stats(state)
			var total, squares [k]float64
			var sums [d][k]float64
			likelihood := 0.0
			for i := range n {
				norm := 0.0
				for j := range k {
					near(t, layout+" score", scores[i*k+j], joint(table, rows, i, j))
					norm += math.Exp(joint(table, rows, i, j))
				}
				likelihood += math.Log(norm)
				near(t, layout+" log density", logp[i], math.Log(norm))
				for j := range k {
					p := math.Exp(joint(table, rows, i, j)) / norm
					near(t, layout+" posterior", post[i*k+j], p)
					total[j] += p
					for h := range d {
						sums[h][j] += p * rows.At(i, h)
						squares[j] += p * rows.At(i, h) * rows.At(i, h)
					}
				}
			}
			near(t, layout+" log-likelihood", s.LogLikelihood, likelihood)
			near(t, layout+" records", s.N, n)
			mean, weights := s.Mean(), s.Weights()
			for j := range k {
				near(t, layout+" count", s.Count[j], total[j])
				near(t, layout+" weight", weights[j], total[j]/n)
				if quadratic {
					near(t, layout+" squares", s.Square[j], squares[j])
				}
				for h := range d {
					near(t, layout+" sum", s.Sum.At(h, j), sums[h][j])
				}
			}
			for h := range d {
				near(t, layout+" mean", mean[h], (sums[h][0]+sums[h][1]+sums[h][2])/n)
			}
			if !quadratic && s.Square != nil {
				t.Error("squares without a quadratic part")
			}
		}
	}
}

func TestSoftmax(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x, want []float64
		total   float64
	}{
		{[]float64{0, 0}, []float64{.5, .5}, math.Ln2},
		{[]float64{1000, 1000 + math.Log(3)}, []float64{.25, .75}, 1000 + math.Log(4)},
		{[]float64{-1000, -inf}, []float64{1, 0}, -1000},
		{[]float64{-inf, -inf}, []float64{.5, .5}, -inf},
	} {
		if got := loglinear.Softmax(c.x); got != c.total && !(math.Abs(got-c.total) < tol*1000) {
			t.Errorf("log of the sum is %v, want %v", got, c.total)
		}
		for j, v := range c.want {
			near(t, "share", c.x[j], v)
		}
	}
}

// TestZeroWeight: a component of weight zero gets nothing, whatever its slopes.
func TestZeroWeight(t *testing.T) {
	table := randomTable(4, 2, false)
	table.Bias[1] = math.Inf(-1)
	for layout, rows := range layouts(50, 4) {
		post := make([]float64, 50*2)
		table.Posterior(rows, post, nil)
		for i := range 50 {
			if post[2*i] != 1 || post[2*i+1] != 0 {
				t.Fatalf("%s: posteriors %v", layout, post[2*i:2*i+2])
			}
		}
	}
}

func TestEStepRefusesOtherFeatures(t *testing.T) {
	rows := sparse.FromDense([][]float64{{1, 0, 1}}, 3, true)
	if _, err := pass.RunOne(context.Background(), pass.NewLocal(rows, 1), loglinear.NewTable(2, 2).EStep()); err == nil {
		t.Error("records of three features pass for a table of two")
	}
}

func TestEmptied(t *testing.T) {
	if w := loglinear.Emptied([]float64{5, .2, 1}); len(w) != 1 || w[0].Code != "component-emptied" {
		t.Errorf("warnings %v", w)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

// TestHardStep: statistics of a partition are sums over its groups.
func TestHardStep(t *testing.T) {
	const n, d, k = 90, 5, 3
	labels := make([]int32, n)
	for i := range labels {
		labels[i] = int32(i * i % k)
	}
	for layout, rows := range layouts(n, d) {
		table := randomTable(d, k, true)
		state, err := pass.RunOne(context.Background(), pass.NewLocal(rows, 1), table.HardStep(labels))
		if err != nil {
			t.Fatal(err)
		}
		s := table.Stats(state)
		for j := range k {
			count, square := 0.0, 0.0
			var sums [d]float64
			for i := range n {
				if int(labels[i]) != j {
					continue
				}
				count++
				for h := range d {
					x := rows.At(i, h)
					sums[h] += x
					square += x * x
				}
			}
			near(t, layout+" count", s.Count[j], count)
			near(t, layout+" squares", s.Square[j], square)
			for h := range d {
				near(t, layout+" sum", s.Sum.At(h, j), sums[h])
			}
		}
		near(t, layout+" records", s.N, n)
	}
}

// Statistics of groups that were counted are those of a pass over their records.
func TestCountedStats(t *testing.T) {
	rows := sparse.Rows{Dim: 3, Ptr: []int{0, 2, 3, 3, 5}, Index: []uint32{0, 2, 1, 1, 2}}
	table := randomTable(3, 2, false)
	want, err := pass.RunOne(t.Context(), pass.NewLocal(rows, 1), table.HardStep([]int32{1, 0, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if got := loglinear.CountedStats([]int{1, 3}, [][]float64{{0, 1, 0}, {1, 1, 2}}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
