package decompose

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
)

// bruteNNLS tries every set of free variables.
func bruteNNLS(a *mat.Dense, b []float64) (best []float64, least float64) {
	d, k := a.Dims()
	least = math.Inf(1)
	for set := range 1 << k {
		x := make([]float64, k)
		if set > 0 {
			var at []int
			for j := range k {
				if set>>j&1 == 1 {
					at = append(at, j)
				}
			}
			cols := mat.NewDense(d, len(at), nil)
			for c, j := range at {
				cols.SetCol(c, mat.Col(nil, j, a))
			}
			var z mat.Dense
			if z.Solve(cols, mat.NewDense(d, 1, b)) != nil {
				continue
			}
			for c, j := range at {
				x[j] = z.At(c, 0)
			}
		}
		feasible := true
		for _, v := range x {
			feasible = feasible && v >= 0
		}
		if e := lengthOfRest(a, x, b); feasible && e < least {
			best, least = x, e
		}
	}
	return best, least
}

func lengthOfRest(a *mat.Dense, x, b []float64) float64 {
	var r mat.VecDense
	r.MulVec(a, mat.NewVecDense(len(x), x))
	r.SubVec(&r, mat.NewVecDense(len(b), b))
	return mat.Norm(&r, 2)
}

func TestNNLSAgainstAllSets(t *testing.T) {
	const tol = 1e-10
	r := stream.New(1, "test/nnls")
	for range 100 {
		d, k := 3+r.IntN(8), 1+r.IntN(5)
		a := spectral.Random(r, d, min(d, k))
		b := make([]float64, d)
		stream.Normals(r, b)
		got := nnls(a, b)
		want, least := bruteNNLS(a, b)
		if e := lengthOfRest(a, got, b); e > least+tol {
			t.Fatalf("rest %g, best %g", e, least)
		}
		for j, v := range got {
			if v < 0 || numtest.Off(v, want[j], tol*(1+math.Abs(want[j]))) {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
	}
}

// Equal columns: one of them carries the weight, nothing is NaN.
func TestNNLSDependentColumns(t *testing.T) {
	a := mat.NewDense(3, 3, []float64{1, 1, 0, 2, 2, 0, 3, 3, 1})
	b := []float64{1, 2, 4}
	x := nnls(a, b)
	if e := lengthOfRest(a, x, b); e > 1e-12 || !finite(x) {
		t.Errorf("got %v, rest %g", x, e)
	}
	if x := nnls(mat.NewDense(3, 2, nil), b); x[0] != 0 || x[1] != 0 {
		t.Errorf("zero columns: %v", x)
	}
	weights, floored := leastSquaresWeights(mat.NewDense(3, 2, nil), b, Options{})
	if weights[0] != 0.5 || floored {
		t.Errorf("zero centers: weights %v", weights)
	}
}
