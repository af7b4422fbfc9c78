package inference_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/lca/lcatest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
)

// outcome returns a side column as numbers, and the row of every record.
func outcome(t *testing.T, f fitted, name string) (of []int32, y []float64) {
	t.Helper()
	of = make([]int32, f.set.Rows.N())
	if err := f.table.Rows(pass.Block{Rows: f.set.Rows}, of); err != nil {
		t.Fatal(err)
	}
	for _, v := range f.set.Side[name] {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			x = math.NaN()
		}
		y = append(y, x)
	}
	return of, y
}

// TestThreeStepReference: means by three steps and their standard errors as
// other programs give them (reference-numbers.md §7.3).
func TestThreeStepReference(t *testing.T) {
	for _, c := range []struct {
		set, column    string
		k, n           int
		modal, bch, ml []float64
		fixed, se      []float64
	}{
		{"cheating", "GPA", 2, 315, []float64{2.433, 1.815}, []float64{2.463, 1.631}, []float64{2.520, 1.355}, []float64{.085, .185}, []float64{.088, .203}},
		{
			"election", "PARTY", 3, 1300,
			[]float64{4.094, 2.233, 5.289},
			[]float64{4.124, 2.094, 5.424},
			[]float64{4.066, 1.861, 5.947},
			[]float64{.090, .077, .110},
			[]float64{.352, .115, .231},
		},
	}[:numtest.Scale(1, 2, 2)] {
		f := fit(t, lcatest.Load(t, c.set, true), c.k)
		of, y := outcome(t, f, c.column)
		d, err := inference.ThreeStep(ctx, f.table, f.table.Model(f.p), of, y, inference.DistalOptions{Draws: numtest.Scale(100, 200, 400), Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if d.N != c.n {
			t.Errorf("%s: %d records, want %d", c.column, d.N, c.n)
		}
		for j := range c.bch {
			for _, x := range []struct {
				what           string
				got, want, tol float64
			}{
				{"modal", d.Modal[j], c.modal[j], 1e-3},
				{"BCH", d.BCH[j], c.bch[j], 1e-3},
				{"ML", d.ML[j], c.ml[j], 2e-3},
				{"fixed", d.Fixed[j], c.fixed[j], 1e-3},
				// Two bootstraps of hundreds of draws differ by a tenth or two.
				{"drawn", d.SE[j], c.se[j], .35 * c.se[j]},
			} {
				if numtest.Off(x.got, x.want, x.tol) {
					t.Errorf("%s, class %d: %s %.4f, want %.4f", c.column, j+1, x.what, x.got, x.want)
				}
			}
		}
	}
}

// TestCovariateReference: cheating by GPA, log-odds of not cheating .242 +
// .703·GPA by three steps (another program, whose own EM ends a little earlier).
func TestCovariateReference(t *testing.T) {
	f := fit(t, lcatest.Load(t, "cheating", true), 2)
	of, x := outcome(t, f, "GPA")
	d, err := inference.ThreeStep(ctx, f.table, f.table.Model(f.p), of, x, inference.DistalOptions{Draws: 100, Seed: 1, Covariate: true})
	if err != nil {
		t.Fatal(err)
	}
	got := d.Logits
	// One step gives an error of .281; all steps drawn again cannot be far below
	// it, nor below that of classes held for known.
	if se := got.Drawn[0]; !(se > .9*got.SE[0] && se < .6) || numtest.Off(got.High[0]-got.Slope[0], 1.96*se, .01) || numtest.Off(got.Slope[0]-got.Low[0], 1.96*se, .01) {
		t.Errorf("drawn again: %+v", got)
	}
	if got.N != 315 || numtest.Off(got.Intercept[0], .242, .01) || numtest.Off(got.Slope[0], .703, .01) || !(got.SE[0] > .1 && got.SE[0] < .5) {
		t.Errorf("%+v", got)
	}
}
