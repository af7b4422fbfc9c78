package gaussian

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Four groups in two features, by splitting in two twice ([T] Fig. 6.5). Where
// the four lie evenly in all directions nothing stands out from the noise of a
// model of two, and the moments go without its correction.
func TestOvercomplete(t *testing.T) {
	const n, seeds = 2000, 3
	for name, c := range map[string]struct {
		centers []float64
		least   float64 // mean ARI after EM; KMeans has 1, 0.97, 0.99, 1 (algorithms §6)
	}{
		"square":    {[]float64{-3, 3, -3, 3, -3, -3, 3, 3}, 0.95},
		"bundles":   {[]float64{-6, -4, 4, 6, 0, 3, 0, 3}, 0.85},
		"collinear": {[]float64{-9, -3, 3, 9, 0, 0, 0, 0}, 0.97},
		"cross":     {[]float64{-4, 4, 0, 0, 0, 0, -4, 4}, 0.95},
	} {
		p := NewParams(mat.NewDense(2, 4, c.centers), []float64{0.25, 0.25, 0.25, 0.25}, []float64{1, 1, 1, 1})
		for _, steps := range []int{0, 20} {
			mean := 0.0
			for seed := range uint64(seeds) {
				draw, err := Family{}.Sample(p, stream.New(seed, "fig"), n, family.Shape{})
				if err != nil {
					t.Fatal(err)
				}
				groups := make([]int, n)
				split(t, draw.Rows, steps, groups)
				split(t, draw.Rows, steps, groups)
				ari, err := agree.ARI(groups, draw.Labels)
				if err != nil {
					t.Fatal(err)
				}
				mean += ari / seeds
			}
			t.Logf("%s, %d steps of EM a split: ARI %.3f", name, steps, mean)
			if steps > 0 && mean < c.least {
				t.Errorf("%s: ARI %.3f, want %.2f", name, mean, c.least)
			}
		}
	}
}

// split splits every group in two.
func split(t *testing.T, rows sparse.Rows, steps int, groups []int) {
	t.Helper()
	of := map[int][]int{}
	for i, g := range groups {
		of[g] = append(of[g], i)
	}
	for g, list := range of {
		part, f := rows.Pick(list), New(Options{})
		p := familytest.Learn(t, f, pass.NewLocal(part, 0), 2, steps)
		out := make([]float64, 2*len(list))
		if err := f.Posterior(p, pass.Block{Rows: part}, out); err != nil {
			t.Fatal(err)
		}
		for i, j := range best(out, 2) {
			groups[list[i]] = 2*g + j
		}
	}
}
