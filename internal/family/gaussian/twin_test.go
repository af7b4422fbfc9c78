package gaussian

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// twinTol: sums of a few dozen products of numbers near one; third moments of
// numbers near ten may be off by a hundred times as much.
const twinTol = 1e-12

// tiny returns n records of d features in three groups, a tenth of the entries
// zero.
func tiny(n, d int) sparse.Rows {
	r := stream.New(5, "tiny")
	rows := sparse.Rows{Dim: d, Dense: make([]float64, n*d)}
	for i := range rows.Dense {
		if r.IntN(10) > 0 {
			far := float64((i/d%3 + 1) * (i%d + 1) % 7) // three groups, far apart
			rows.Dense[i] = float64(float32(1 + far + 0.3*r.NormFloat64()))
		}
	}
	return rows
}

func toSparse(rows sparse.Rows) sparse.Rows {
	table := make([][]float64, rows.N())
	for i := range table {
		table[i] = rows.DenseRow(i)
	}
	return sparse.FromDense(table, rows.Dim, false)
}

// slowMoments returns M2 and M3 of the lifted records by the formulas as they
// stand in algorithms §6: all eigenvectors of the covariance, whole arrays.
func slowMoments(rows sparse.Rows, s *source, k int, own bool) (*mat.Dense, *moment.Cube, []float64) {
	n, d := rows.N(), rows.Dim
	y := mat.NewDense(n, d+1, nil)
	mean := make([]float64, d)
	for i := range n {
		for h := range d {
			v := (rows.At(i, h) - s.f.shift[h]) / s.scale[h]
			y.Set(i, h, v)
			mean[h] += v / float64(n)
		}
		y.Set(i, d, s.lift)
	}
	cov := mat.NewDense(d, d, nil)
	for i := range n {
		for h := range d {
			for m := range d {
				cov.Set(h, m, cov.At(h, m)+(y.At(i, h)-mean[h])*(y.At(i, m)-mean[m])/float64(n))
			}
		}
	}
	values, vectors := spectral.SymEig(cov)
	sigma, mixed := 0.0, make([]float64, d+1)
	for a := k - 1; a < d; a++ {
		sigma += values[a] / float64(d-k+1)
		for i := range n {
			q := 0.0
			for h := range d {
				q += vectors.At(h, a) * (y.At(i, h) - mean[h])
			}
			for h := range d + 1 {
				mixed[h] += y.At(i, h) * q * q / float64(n*(d-k+1))
			}
		}
	}
	if !own {
		for h := range d {
			mixed[h] = sigma * mean[h]
		}
		mixed[d] = sigma * s.lift
	}
	m2, m3 := mat.NewDense(d+1, d+1, nil), moment.NewCube(d+1)
	m2.Mul(y.T(), y)
	m2.Scale(1/float64(n), m2)
	unit := identity(d + 1)
	unit.Set(d, d, 0)
	for h := range d {
		m2.Set(h, h, m2.At(h, h)-sigma)
	}
	for i := range n {
		m3.AddSym3(1/float64(n), y.RawRowView(i))
	}
	m3.AddPlaced(-1, unit, mixed)
	return m2, m3, mixed
}

func TestMomentsTwin(t *testing.T) {
	ctx := context.Background()
	dense := tiny(203, 5)
	for _, o := range []Options{{}, {Variance: Shared}, {Standardise: Always}} {
		for name, rows := range map[string]sparse.Rows{"dense": dense, "sparse": toSparse(dense)} {
			for _, k := range []int{1, 3} {
				src, err := New(o).Source(ctx, pass.NewLocal(rows, 2), k)
				if err != nil {
					t.Fatal(err)
				}
				s := src.(*source)
				if s.faint {
					t.Fatal("the groups are not far enough apart to be corrected for")
				}
				m2, m3, mixed := slowMoments(dense, s, k, o.Variance == Own)
				if d := mat.Norm(sub(mat.NewDense(6, 1, s.mixed), mat.NewDense(6, 1, mixed)), 2); d > twinTol {
					t.Errorf("%s %+v k=%d: m~ differs by %v", name, o, k, d)
				}
				compare(t, s, m2, m3)
				s.cov = nil // the way of many features
				compare(t, s, m2, m3)
				_, u, err := s.leading(ctx, max(k-1, 1))
				if err != nil {
					t.Fatal(err)
				}
				var uu mat.Dense
				uu.Mul(u.T(), u)
				if d := mat.Norm(sub(&uu, identity(max(k-1, 1))), 2); d > twinTol {
					t.Errorf("leading directions are not orthonormal: %v", d)
				}
			}
		}
	}
}

func sub(a, b *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Sub(a, b)
	return &c
}

// compare checks all projections of s against whole moments.
func compare(t *testing.T, s *source, m2 *mat.Dense, m3 *moment.Cube) {
	t.Helper()
	d, l := s.Dim(), 3
	b := spectral.Random(stream.New(2, "basis"), d, l)
	p, err := s.Project(context.Background(), b, moment.Second|moment.Core|moment.Slices|moment.Rows)
	if err != nil {
		t.Fatal(err)
	}
	var second mat.Dense
	second.Mul(m2, b)
	if d := mat.Norm(sub(p.Second, &second), 2); d > twinTol {
		t.Errorf("M2·B differs by %v", d)
	}
	for i, v := range m3.Congruence(b).Data {
		if numtest.Off(v, p.Core.Data[i], 100*twinTol) {
			t.Fatalf("core: %v, want %v", p.Core.Data[i], v)
		}
	}
	for r := range d {
		var half, want mat.Dense
		half.Mul(b.T(), m3.Slice(r))
		want.Mul(&half, b)
		if d := mat.Norm(sub(p.Slice(r, l), &want), 2); d > 100*twinTol {
			t.Errorf("slice %d differs by %v", r, d)
		}
		for a := range l {
			if numtest.Off(p.Rows.At(r, a), want.At(a, a), 100*twinTol) {
				t.Errorf("row %d differs", r)
			}
		}
	}
}

// Sparse and dense rows go different ways to the same E-step.
func TestEStepSparse(t *testing.T) {
	rows := tiny(40, 5)
	p := truth(1, 5, 3, 2, true)
	sum, err := New(Options{}).EStep(p, true)
	if err != nil {
		t.Fatal(err)
	}
	a, err := pass.RunOne(context.Background(), pass.NewLocal(rows, 1), sum)
	if err != nil {
		t.Fatal(err)
	}
	b, err := pass.RunOne(context.Background(), pass.NewLocal(toSparse(rows), 1), sum)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range a {
		if numtest.Off(v, b[i], twinTol*math.Max(1, math.Abs(v))) {
			t.Errorf("number %d: dense %v, sparse %v", i, v, b[i])
		}
	}
}

// The log density by the textbook formula, with scales.
func TestLogDensityTwin(t *testing.T) {
	p := truth(2, 4, 2, 1, true)
	p = p.With(ScaleOf, mat.NewDense(4, 1, []float64{1, 20, 0.5, 0})) // the last feature takes no part
	rows := tiny(9, 4)
	got := make([]float64, 9)
	if err := (Family{}).LogDensity(p, pass.Block{Rows: rows}, got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		sum := 0.0
		for j, w := range p.Weights {
			dens := w
			for h := range 3 {
				sd := p.Extra[ScaleOf].At(h, 0) * math.Sqrt(p.Extra[VarianceOf].At(0, j))
				u := (rows.At(i, h) - p.Centers.At(h, j)) / sd
				dens *= math.Exp(-u*u/2) / (sd * math.Sqrt(2*math.Pi))
			}
			sum += dens
		}
		if numtest.Off(got[i], math.Log(sum), 1e-10) {
			t.Errorf("record %d: %v, want %v", i, got[i], math.Log(sum))
		}
	}
}

// Exact moments, made of known parameters, give them back.
func TestNormaliseExact(t *testing.T) {
	ctx := context.Background()
	for _, k := range []int{1, 2, 4} {
		want := truth(7, 6, k, 1, true)
		draw, err := Family{}.Sample(want, stream.New(1, "any"), 50, family.Shape{})
		if err != nil {
			t.Fatal(err)
		}
		src, err := New(Options{Standardise: Always}).Source(ctx, draw.Runner(1), k)
		if err != nil {
			t.Fatal(err)
		}
		s := src.(*source)
		raw := lifted(s, want)
		// m~ = Σ ω_j v_j μ_j, the moments' word on the variances.
		s.noise, s.faint = 0, false
		clear(s.mixed)
		for j, w := range want.Weights {
			for h := range s.Dim() {
				s.mixed[h] += w * want.Extra[VarianceOf].At(0, j) * raw.Centers.At(h, j)
			}
			s.noise += w * want.Extra[VarianceOf].At(0, j)
		}
		got, _, err := New(Options{}).Normalise(ctx, s, raw)
		if err != nil {
			t.Fatal(err)
		}
		if c, v := relative(t, got, want); c > 1e-12 || v > 1e-9 {
			t.Errorf("k=%d: centers off by %v, variances by %v", k, c, v)
		}
	}
}

func TestBoundedLeastSquares(t *testing.T) {
	// Minimise (v1+v2−1)² + (v1−v2−2)² with v >= 0: free (1.5, −0.5), bounded (1.5, 0).
	g := mat.NewDense(2, 2, []float64{1, 1, 1, -1})
	v := []float64{1, 1}
	boundedLeastSquares(v, g, []float64{1, 2}, 0)
	if numtest.Off(v[0], 1.5, 1e-9) || v[1] != 0 {
		t.Errorf("got %v, want [1.5 0]", v)
	}
}

// Records moved far away give the same groups, moved.
func TestShift(t *testing.T) {
	p := truth(4, 6, 3, 2, true)
	draw, err := Family{}.Sample(p, stream.New(4, "shift"), 3000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	f := New(Options{})
	near := familytest.Learn(t, f, draw.Runner(0), 3, 5)
	const far = 1e6
	moved := sparse.Rows{Dim: 6, Dense: make([]float64, len(draw.Rows.Dense))}
	for i, v := range draw.Rows.Dense {
		moved.Dense[i] = v + far
	}
	back := familytest.Learn(t, f, pass.NewLocal(moved, 0), 3, 5)
	back.Centers.Apply(func(_, _ int, v float64) float64 { return v - far }, back.Centers)
	// 1e6 leaves ten digits of the records.
	if c, v := relative(t, back, near); c > 1e-7 || v > 1e-7 {
		t.Errorf("moving the records moved centers by %v, variances by %v", c, v)
	}
}

func TestErrors(t *testing.T) {
	ctx, f := context.Background(), New(Options{})
	rows := tiny(30, 3)
	if _, err := f.Source(ctx, pass.NewLocal(rows, 1), 4); err == nil {
		t.Error("4 groups in 3 features are accepted")
	} else if _, ok := err.(*TooManyError); !ok {
		t.Errorf("unexpected error %v", err)
	}
	rows.Dense[3*17+1] = math.NaN()
	_, err := f.Source(ctx, pass.NewLocal(rows, 1), 2)
	const want = "gaussian: record 18, feature 2 is missing: " + wantNumber
	if err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	var p mixture.Params = truth(1, 3, 2, 1, true)
	if err := f.Posterior(p, pass.Block{Rows: rows}, make([]float64, 60)); err != nil {
		t.Errorf("a record with a blank is not placed: %v", err)
	}
	rows.Dense[3*17+1] = math.Inf(1)
	const infinite = "gaussian: record 18, feature 2 is +Inf: " + wantNumber
	if err := f.Posterior(p, pass.Block{Rows: rows}, make([]float64, 60)); err == nil || err.Error() != infinite {
		t.Errorf("error %q, want %q", err, infinite)
	}
	if err := f.Posterior(p, pass.Block{Rows: tiny(2, 4)}, make([]float64, 4)); err == nil {
		t.Error("records of another width are accepted")
	}
}
