package decompose_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/decomposetest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
)

// The bound holds for moments with small errors, goes by their size, and its parts are
// those of the definitions.
func TestPerturbation(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		p := decomposetest.Random(seed, 12, 3)
		s := decompose.Perturbation(p)
		var scaled, m2 mat.Dense
		scaled.Apply(func(_, j int, v float64) float64 { return v * p.Weights[j] }, p.Centers)
		m2.Mul(&scaled, p.Centers.T())
		if far := math.Abs(mat.Norm(&m2, 2) - s.Norm2); !(far <= 1e-10) {
			t.Errorf("seed %d: ‖M2‖ is off by %g", seed, far)
		}
		third := 0.0
		for a := range 12 {
			for b := range 12 {
				for c := range 12 {
					v := 0.0
					for j, w := range p.Weights {
						v += w * p.Centers.At(a, j) * p.Centers.At(b, j) * p.Centers.At(c, j)
					}
					third += v * v
				}
			}
		}
		if far := math.Abs(math.Sqrt(third) - s.Norm3); !(far <= 1e-10) {
			t.Errorf("seed %d: ‖M3‖ is off by %g", seed, far)
		}
		row := mat.Row(nil, s.Feature, p.Centers)
		gap := math.Min(math.Abs(row[0]-row[1]), math.Min(math.Abs(row[0]-row[2]), math.Abs(row[1]-row[2])))
		if numtest.Off(gap, s.AlphaR, 1e-12) {
			t.Errorf("seed %d: feature %d tells components apart by %g, not %g", seed, s.Feature, gap, s.AlphaR)
		}
		const size = 1e-9
		r, err := decompose.SVTD(context.Background(), decomposetest.Perturbed(p, size, seed), 3, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// Errors of single entries of the given size: those of the moments as a whole are
		// at most 12^(3/2) times as large.
		moved, _ := decomposetest.Distance(r.Params, p)
		if bound := s.Factor * size * math.Pow(12, 1.5); moved > bound || s.Factor < 1 || math.IsInf(s.Factor, 0) {
			t.Errorf("seed %d: centers moved by %g, bound %g (factor %g)", seed, moved, bound, s.Factor)
		}
	}
	same := mixture.New(mat.NewDense(3, 2, []float64{1, 1, 2, 2, 3, 3}), []float64{.5, .5})
	if s := decompose.Perturbation(same); !math.IsInf(s.Factor, 1) {
		t.Errorf("two equal components: factor %g", s.Factor)
	}
}

// Kruskal's condition by hand: independent centers, two that are parallel, three in a
// plane, four in general position in a plane.
func TestKruskal(t *testing.T) {
	for _, c := range []struct {
		name    string
		d, k    int
		columns []float64 // row by row
		rank    int
		unique  bool
	}{
		{"one", 2, 1, []float64{1, 2}, 1, true},
		{"independent", 3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, true},
		{"parallel", 3, 3, []float64{1, 2, 0, 1, 2, 0, 0, 0, 1}, 1, false},
		{"three in a plane", 3, 3, []float64{1, 0, 1, 0, 1, 1, 0, 0, 0}, 2, false},
		{"four of rank three", 3, 4, []float64{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1}, 3, false},
		{"two of a plane", 2, 2, []float64{1, 1, 0, 1}, 2, true},
		{"a center of zeros", 2, 2, []float64{1, 0, 1, 0}, 0, false},
	} {
		rank, unique := decompose.Kruskal(mat.NewDense(c.d, c.k, c.columns))
		if rank != c.rank || unique != c.unique {
			t.Errorf("%s: rank %d, unique %v, want %d, %v", c.name, rank, unique, c.rank, c.unique)
		}
	}
	// five of rank four, no four of them dependent: 3·4 ≥ 2·5 + 2 is just enough
	five := mat.NewDense(4, 5, []float64{1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1})
	if rank, unique := decompose.Kruskal(five); rank != 4 || !unique {
		t.Errorf("five of rank four: rank %d, unique %v", rank, unique)
	}
}
