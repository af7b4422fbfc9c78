package familytest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
)

func checkName(t *testing.T, f family.Family, c Case) {
	info := f.Info()
	for what, word := range map[string]string{"Name": info.Name, "Words": info.Words, "Group": info.Group, "Paper": info.Paper} {
		if word == "" {
			t.Errorf("Info.%s is empty: reports speak of the model in it", what)
		}
	}
	if info.Unit == nil {
		t.Fatal("Info.Unit is nil: reports cannot say what a center is")
	}
	for h := range c.Params.Dim() {
		if u := info.Unit(h); u < family.Share || u > family.WordShare {
			t.Errorf("Info.Unit(%d) is %d, want one of the units", h, u)
		}
	}
	for _, s := range info.Settings {
		if s.Name == "" || s.Help == "" || len(s.Values) == 1 {
			t.Errorf("setting %+v: want a name, a help and, where there are values, at least two", s)
		}
	}
	if info.Plain && len(c.Params.Extra) > 0 {
		t.Error("Info.Plain, and the parameters have extra matrices")
	}
	for name, role := range info.Extra {
		if _, ok := c.Params.Extra[name]; !ok && role != family.CountWeight {
			t.Errorf("Info.Extra names %q, and the parameters have no such matrix", name)
		}
	}
	got := f.FreeParameters(c.Params)
	if got <= 0 || (c.Free != 0 && got != c.Free) {
		t.Errorf("FreeParameters = %d, want %d", got, c.Free)
	}
}

// checkLegal: Check accepts the case and refuses what no model can be.
func checkLegal(t *testing.T, f family.Family, c Case) {
	if err := f.Check(c.Params); err != nil {
		t.Fatalf("Check of the case's parameters: %v", err)
	}
	bad := map[string]mixture.Params{}
	p := clone(c.Params)
	p.Centers.Set(0, 0, math.NaN())
	bad["NaN center"] = p
	p = clone(c.Params)
	p.Centers.Set(0, 1, math.Inf(1))
	bad["infinite center"] = p
	p = clone(c.Params)
	p.Weights[0] = 2
	bad["weights of more than one"] = p
	p = clone(c.Params)
	p.Weights[0], p.Weights[1] = -p.Weights[0], p.Weights[1]+2*p.Weights[0]
	bad["negative weight"] = p
	p = clone(c.Params)
	p.Weights = append(p.Weights, 0)
	bad["more weights than components"] = p
	for name, p := range bad {
		if f.Check(p) == nil {
			t.Errorf("Check accepts parameters with %s", name)
		}
		if _, err := f.EStep(p, true); err == nil {
			t.Errorf("EStep accepts parameters with %s", name)
		}
	}
	for i, p := range c.Illegal {
		if f.Check(p) == nil {
			t.Errorf("Check accepts illegal parameters %d of the case", i)
		}
	}
}

// sampleSigmas is the number of standard errors that a mean of a sample may be
// off: beyond 6 a deviation has probability 2e-9, times some hundred means.
const sampleSigmas = 6

// checkSample: means of samples approach the centers (law of large numbers),
// labels have the shares of the weights, and one stream gives one sample.
func checkSample(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, 4*c.n())
	if count(d) != 4*c.n() {
		t.Fatalf("Sample returned %d records, want %d", count(d), 4*c.n())
	}
	again := draw(t, f, c, 4*c.n())
	for i := range min(d.Rows.N(), 100) {
		for h := range d.Rows.Dim {
			if a, b := d.Rows.At(i, h), again.Rows.At(i, h); a != b && !math.IsNaN(a) {
				t.Fatal("the same stream gave two different samples")
			}
		}
	}
	if c.NoMean {
		return
	}
	if c.NoLabels {
		var m1 mat.VecDense
		m1.MulVec(c.Params.Centers, mat.NewVecDense(c.Params.K(), c.Params.Weights))
		compareMean(t, c, d, func(int) bool { return true }, m1.RawVector().Data)
		return
	}
	shares := make([]float64, c.Params.K())
	for _, j := range d.Labels {
		shares[j] += 1 / float64(len(d.Labels))
	}
	for j, w := range c.Params.Weights {
		if diff := math.Abs(shares[j] - w); diff > sampleSigmas*math.Sqrt(w*(1-w)/float64(len(d.Labels))) {
			t.Errorf("share of component %d is %.4f, weight %.4f", j+1, shares[j], w)
		}
		compareMean(t, c, d, func(i int) bool { return d.Labels[i] == j }, mat.Col(nil, j, c.Params.Centers))
	}
}

func compareMean(t *testing.T, c Case, d family.Draw, use func(int) bool, want []float64) {
	t.Helper()
	got, n := mean(c, d.Rows, use)
	variance := make([]float64, len(got))
	totals := d.Rows.Totals()
	for i := range d.Rows.N() {
		if !use(i) || (c.Proportions && totals[i] == 0) {
			continue
		}
		f := 1.0
		if c.Proportions {
			f = 1 / totals[i]
		}
		for h, m := range got {
			v := f*d.Rows.At(i, h) - m
			variance[h] += v * v / n
		}
	}
	for h, m := range got {
		// 3/n stands for the variance that a handful of rare events hides.
		if diff := math.Abs(m - want[h]); diff > sampleSigmas*math.Sqrt(variance[h]/n+3/(n*n)) {
			t.Errorf("feature %d: mean of %d sampled rows is %.5f, center %.5f", h+1, int(n), m, want[h])
		}
	}
}

// checkReorder: a permuted model gives permuted posteriors.
func checkReorder(t *testing.T, f family.Family, c Case) {
	k := c.Params.K()
	order := make([]int, k)
	for j := range order {
		order[j] = (j + 1) % k
	}
	before := clone(c.Params)
	q := f.Reorder(c.Params, order)
	if !same(before, c.Params) {
		t.Error("Reorder changed its input")
	}
	if err := f.Check(q); err != nil {
		t.Fatalf("reordered parameters are refused: %v", err)
	}
	if f.FreeParameters(q) != f.FreeParameters(c.Params) {
		t.Error("reordering changed the number of free parameters")
	}
	d := draw(t, f, c, 200)
	n := d.Rows.N()
	a, b := make([]float64, n*k), make([]float64, n*k)
	if err := f.Posterior(c.Params, whole(d), a); err != nil {
		t.Fatal(err)
	}
	if err := f.Posterior(q, whole(d), b); err != nil {
		t.Fatal(err)
	}
	tol := posteriorTol
	if c.Bound {
		tol = roundsTol
	}
	for i := range n {
		for j, from := range order {
			if math.Abs(b[i*k+j]-a[i*k+from]) > tol {
				t.Fatalf("row %d: component %d of the reordered model has %v, was %v", i, j+1, b[i*k+j], a[i*k+from])
			}
		}
	}
	back := make([]int, k)
	for c, j := range order {
		back[j] = c
	}
	if !same(f.Reorder(q, back), before) {
		t.Error("reordering there and back is not the same model")
	}
	if s := f.Reorder(c.Params, []int{k - 1}); s.K() != 1 || s.Dim() != c.Params.Dim() {
		t.Error("Reorder to a single component has the wrong shape")
	}
}
