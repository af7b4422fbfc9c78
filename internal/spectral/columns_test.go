package spectral

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
)

// Long matrices that are shared out by columns or rows give the bits of one core.
func TestColumns(t *testing.T) {
	r := stream.New(1, "columns")
	for _, k := range []int{3, 20, 50} {
		d := leastNumbers/k + 301
		a, b := Random(r, d, k), Random(r, d, k+3)
		v := Random(r, d, 1).RawMatrix().Data
		var product mat.Dense
		MulTrans(&product, a, b)
		var vector mat.VecDense
		vector.MulVec(a.T(), mat.NewVecDense(d, v))
		values, order, square := make([]float64, k), make([]int, k), 0.0
		for j := range order {
			values[j], order[j] = float64(j), k-1-j
			sum := 0.0
			for h := range d {
				x := b.At(h, j) - values[j]*a.At(h, j)
				sum += x * x
			}
			square = math.Max(square, sum)
		}
		orth := Orth(a)
		turned := Team(1).Columns(a, order)
		for h := range d {
			if turned.At(h, 0) != a.At(h, k-1) || turned.At(h, k-1) != a.At(h, 0) {
				t.Fatalf("row %d is in another order", h)
			}
		}
		for _, team := range []Team{1, 2, 16} {
			var got mat.Dense
			for range 2 { // empty, then used
				if team.Cross(&got, a, b); !mat.Equal(&got, &product) {
					t.Errorf("%d columns, %d workers: Cross has other bits than MulTrans", k, team)
				}
			}
			if got := team.CrossVec(a, v); !slices.Equal(got, vector.RawVector().Data) {
				t.Errorf("%d columns, %d workers: CrossVec has other bits", k, team)
			}
			if got := team.Furthest(a, mat.DenseCopyOf(b.Slice(0, d, 0, k)), values); got != math.Sqrt(square) {
				t.Errorf("%d columns, %d workers: the furthest is %v, want %v", k, team, got, math.Sqrt(square))
			}
			if !mat.Equal(team.Orth(a), orth) || !mat.Equal(team.Columns(a, order), turned) {
				t.Errorf("%d columns, %d workers: other bits than on one", k, team)
			}
		}
	}
}
