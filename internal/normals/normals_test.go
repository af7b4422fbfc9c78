package normals

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// twins draws two clouds with the correlation .8, six deviations apart.
func twins(seed uint64, n int) (Table, []int) {
	r := stream.New(seed, "test/normals")
	t, label := Table{N: n, D: 2, X: make([]float64, 0, 2*n)}, make([]int, n)
	for i := range n {
		label[i] = r.IntN(2)
		a, b := r.NormFloat64(), r.NormFloat64()
		t.X = append(t.X, a+float64(label[i]), .8*a+.6*b-5*float64(label[i]))
	}
	return t, label
}

// One cloud of known rows: mean, covariance and likelihood by hand.
func TestOneCloudByHand(t *testing.T) {
	table := Table{N: 4, D: 2, X: []float64{1, 1, -1, -1, 1, -1, -1, 1}}
	m := EM(table, Members(make([]int, 4), 1), 1, Options{Shape: Tied})
	v := 1 + ridge
	want := -4*math.Log(2*math.Pi*v) - 4/v
	if c := m.Covariance(0); numtest.Off(c[0], v, 1e-12) || numtest.Off(c[1], 0, 1e-12) || numtest.Off(m.LogLik, want, 1e-9) {
		t.Errorf("covariance %v, log-likelihood %v, want %v and %v", c, m.LogLik, v, want)
	}
	if n := m.Parameters(); n != 5 {
		t.Errorf("%d parameters, want 2 means and 3 numbers of a covariance", n)
	}
}

// EM raises the likelihood from step to step, with every shape and tail.
func TestClimbs(t *testing.T) {
	table, _ := twins(1, 300)
	r := stream.New(1, "test/start")
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		for _, nu := range []float64{0, 4} {
			start := KMeans(table, 3, 2, r)
			last := math.Inf(-1)
			for steps := range 12 {
				m := EM(table, start, 3, Options{Shape: shape, Nu: nu, Steps: steps})
				if m.LogLik < last-1 { // the prior moves with the pooled spread
					t.Errorf("%v, tails %v: %v after %d steps, %v before", shape, nu, m.LogLik, steps, last)
				}
				last = m.LogLik
			}
		}
	}
}

// The clouds are found where shapes are right, and BIC prefers the right one.
func TestFindsTheShape(t *testing.T) {
	table, label := twins(2, 400)
	r := stream.New(1, "test/start")
	var bic [4]float64
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		m := EM(table, KMeans(table, 2, 2, r), 2, Options{Shape: shape, Steps: 40})
		bic[shape] = m.BIC(table.N)
		z := make([]float64, table.N*2)
		m.Scores(table, z)
		same := 0
		for i, l := range label {
			if (z[2*i] > z[2*i+1]) == (l == 0) {
				same++
			}
		}
		if same = max(same, table.N-same); same < 396 {
			t.Errorf("%v: %d of %d in their cloud", shape, same, table.N)
		}
	}
	if bic[Tied] > bic[Common] || bic[Tied] > bic[Diagonal] || bic[Tied] > bic[Own] {
		t.Errorf("BIC %v, want the least for one full covariance", bic)
	}
}

// Halving a cloud leaves every row with one membership.
func TestHalved(t *testing.T) {
	table, _ := twins(3, 50)
	m := EM(table, KMeans(table, 2, 2, stream.New(1, "x")), 2, Options{Shape: Own, Steps: 5})
	out := m.Halved(table)
	for i := range table.N {
		if sum := out[3*i] + out[3*i+1] + out[3*i+2]; numtest.Off(sum, 1, 1e-9) {
			t.Fatalf("row %d has memberships %v", i, out[3*i:][:3])
		}
	}
}

// Rows that are all alike, and more clouds than rows, give numbers.
func TestDegenerate(t *testing.T) {
	same := Table{N: 5, D: 3, X: make([]float64, 15)}
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		m := EM(same, KMeans(same, 3, 2, stream.New(1, "x")), 3, Options{Shape: shape, Steps: 5})
		if m.LogLik-m.LogLik != 0 {
			t.Errorf("%v: log-likelihood %v of equal rows", shape, m.LogLik)
		}
	}
}

// Rows of which nothing is looked at lie in one cloud, whose density is 1.
func TestNoColumns(t *testing.T) {
	none := Table{N: 5}
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		for _, nu := range []float64{0, 4} {
			m := EM(none, Members(make([]int, 5), 1), 1, Options{Shape: shape, Nu: nu, Steps: 5})
			if m.Weight[0] != 1 || numtest.Off(m.LogLik, 0, 1e-12) {
				t.Errorf("%v, tails %v: weight %v, log-likelihood %v, want 1 and 0", shape, nu, m.Weight, m.LogLik)
			}
		}
	}
}

// Along a direction without spread the density is that of the ridge, whatever the
// shape: no shape is likelier by it, nor a few large clouds likelier than more.
func TestRidgeIsTheSameForAllShapes(t *testing.T) {
	table, label := twins(4, 400)
	flat := Table{N: table.N, D: 3}
	for i := range table.N {
		x := table.Row(i)
		flat.X = append(flat.X, x[0], x[1], x[0]+x[1])
	}
	gain := func(shape Shape, k int, of []int) float64 {
		with := EM(flat, Members(of, k), k, Options{Shape: shape})
		return with.LogLik - EM(table, Members(of, k), k, Options{Shape: shape}).LogLik
	}
	want := gain(Tied, 1, make([]int, table.N))
	for _, shape := range []Shape{Tied, Own} {
		if got := gain(shape, 2, label); numtest.Off(got, want, 2) {
			t.Errorf("%v: a column that is a sum adds %.1f nats, to one cloud %.1f", shape, got, want)
		}
	}
}
