package lda_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

const (
	// twinTol is some hundred roundings of numbers of size one.
	twinTol = 1e-12
	// exactTol is the promise on exact moments.
	exactTol = 1e-9
)

const allWants = moment.Second | moment.Core | moment.Slices | moment.Rows

// whole is a Source of full arrays: slow and obvious.
type whole struct {
	m1 []float64
	m2 *mat.Dense
	m3 []float64 // d×d×d
}

func newWhole(d int) *whole {
	return &whole{make([]float64, d), mat.NewDense(d, d, nil), make([]float64, d*d*d)}
}

func (s *whole) Dim() int                                 { return len(s.m1) }
func (s *whole) First(context.Context) ([]float64, error) { return s.m1, nil }

func (s *whole) Project(_ context.Context, b *mat.Dense, _ moment.Want) (*moment.Projection, error) {
	d, l := b.Dims()
	p := &moment.Projection{
		Second: mat.NewDense(d, l, nil), Core: moment.NewCube(l),
		Slices: mat.NewDense(d, l*(l+1)/2, nil), Rows: mat.NewDense(d, l, nil),
	}
	p.Second.Mul(s.m2, b)
	for r := range d {
		at := 0
		for a := range l {
			for c := range l {
				v := 0.0
				for x := range d {
					for y := range d {
						v += s.m3[(r*d+x)*d+y] * b.At(x, a) * b.At(y, c)
					}
				}
				if c >= a {
					p.Slices.Set(r, at, v)
					at++
				}
				if c == a {
					p.Rows.Set(r, a, v)
				}
				for e := range l {
					p.Core.Data[(e*l+a)*l+c] += v * b.At(r, e)
				}
			}
		}
	}
	return p, nil
}

// corrected applies [T] Thm 3.3.1 entry by entry, and the scales of Source.
func (s *whole) corrected(a0 float64) *whole {
	d := s.Dim()
	out := newWhole(d)
	copy(out.m1, s.m1)
	for h := range d {
		for l := range d {
			out.m2.Set(h, l, (a0+1)*(s.m2.At(h, l)-a0/(a0+1)*s.m1[h]*s.m1[l]))
			for m := range d {
				m12 := s.m2.At(h, l)*s.m1[m] + s.m2.At(l, m)*s.m1[h] + s.m2.At(m, h)*s.m1[l]
				v := s.m3[(h*d+l)*d+m] - a0/(a0+2)*m12 + 2*a0*a0/((a0+2)*(a0+1))*s.m1[h]*s.m1[l]*s.m1[m]
				out.m3[(h*d+l)*d+m] = (a0 + 1) * (a0 + 2) / 2 * v
			}
		}
	}
	return out
}

// ofTuples lists the pairs and triples of word places of every document.
func ofTuples(table [][]float64, d int) *whole {
	s := newWhole(d)
	n1, n2, n3 := 0.0, 0.0, 0.0
	for _, row := range table {
		var words []int
		for h, v := range row {
			for range int(v) {
				words = append(words, h)
			}
		}
		for a, x := range words {
			s.m1[x]++
			n1++
			for b, y := range words {
				if b == a {
					continue
				}
				s.m2.Set(x, y, s.m2.At(x, y)+1)
				n2++
				for c, z := range words {
					if c != a && c != b {
						s.m3[(x*d+y)*d+z]++
						n3++
					}
				}
			}
		}
	}
	for i := range s.m1 {
		s.m1[i] /= n1
	}
	s.m2.Scale(1/n2, s.m2)
	for i := range s.m3 {
		s.m3[i] /= n3
	}
	return s
}

func TestSourceAgreesWithTwin(t *testing.T) {
	const n, d, l, a0 = 15, 5, 3, 1.7
	r := stream.New(3, "twin")
	table := make([][]float64, n)
	for i := range table {
		table[i] = make([]float64, d)
		for h := range d {
			table[i][h] = float64(r.IntN(4))
		}
	}
	ctx := context.Background()
	run := pass.NewLocal(sparse.FromDense(table, d, false), 2)
	src, err := newFamily(t, lda.Options{Alpha0: a0, Weights: moment.Length}).Source(ctx, run, l)
	if err != nil {
		t.Fatal(err)
	}
	compareSources(t, src, ofTuples(table, d).corrected(a0), spectral.Random(r, d, l))
	m2, err := src.(*lda.Source).Matrix(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := ofTuples(table, d).corrected(a0).m2
	for h := range d {
		for m := range d {
			near(t, "M2 whole", m2.At(h, m), want.At(h, m), twinTol)
		}
	}
}

// compareSources compares all that two sources show in a basis.
func compareSources(t *testing.T, got, want moment.Source, b *mat.Dense) {
	t.Helper()
	ctx := context.Background()
	p, err := got.Project(ctx, b, allWants)
	if err != nil {
		t.Fatal(err)
	}
	q, err := want.Project(ctx, b, allWants)
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[string][2][]float64{
		"Second": {p.Second.RawMatrix().Data, q.Second.RawMatrix().Data},
		"Core":   {p.Core.Data, q.Core.Data},
		"Slices": {p.Slices.RawMatrix().Data, q.Slices.RawMatrix().Data},
		"Rows":   {p.Rows.RawMatrix().Data, q.Rows.RawMatrix().Data},
	}
	for name, pair := range pairs {
		for i, v := range pair[0] {
			near(t, name, v, pair[1][i], twinTol)
		}
	}
	m1, _ := got.First(ctx)
	m2, _ := want.First(ctx)
	for i := range m1 {
		near(t, "M1", m1[i], m2[i], twinTol)
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

// ofDirichlet computes the raw moments of words from the Dirichlet integrals:
// E θ_iθ_j and E θ_iθ_jθ_l are ratios of rising powers.
func ofDirichlet(centers *mat.Dense, alpha []float64) *whole {
	d, k := centers.Dims()
	s := newWhole(d)
	a0 := 0.0
	for _, a := range alpha {
		a0 += a
	}
	for i, a := range alpha {
		for h := range d {
			s.m1[h] += a / a0 * centers.At(h, i)
		}
	}
	rising := func(topics ...int) float64 {
		count, v := make([]float64, k), 1.0
		for n, j := range topics {
			v *= (alpha[j] + count[j]) / (a0 + float64(n))
			count[j]++
		}
		return v
	}
	for i := range k {
		for j := range k {
			for h := range d {
				for l := range d {
					s.m2.Set(h, l, s.m2.At(h, l)+rising(i, j)*centers.At(h, i)*centers.At(l, j))
				}
			}
			for c := range k {
				e := rising(i, j, c)
				for h := range d {
					for l := range d {
						for m := range d {
							s.m3[(h*d+l)*d+m] += e * centers.At(h, i) * centers.At(l, j) * centers.At(m, c)
						}
					}
				}
			}
		}
	}
	return s
}

func randomModel(seed uint64, d, k int, a0 float64) (mixture.Params, []float64) {
	r := stream.New(seed, "model")
	m, w, sum := mat.NewDense(d, k, nil), make([]float64, k), 0.0
	for j := range k {
		col, total := make([]float64, d), 0.0
		for h := range col {
			col[h] = r.ExpFloat64()
			total += col[h]
		}
		for h := range col {
			m.Set(h, j, col[h]/total)
		}
		w[j] = .3 + r.Float64()
		sum += w[j]
	}
	alpha := make([]float64, k)
	for j := range w {
		w[j] /= sum
		alpha[j] = a0 * w[j]
	}
	return mixture.New(m, w), alpha
}

// Moments of known (μ, α) give μ and α back.
func TestExact(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		d, k int
		a0   float64
	}{{9, 1, 1}, {9, 2, .1}, {12, 3, 1}, {14, 6, 5}, {6, 6, 20}, {12, 4, 50}} {
		truth, alpha := randomModel(uint64(c.d*c.k), c.d, c.k, c.a0)
		src, err := lda.NewSource(ofDirichlet(truth.Centers, alpha), c.a0)
		if err != nil {
			t.Fatal(err)
		}
		compareSources(t, src, moment.NewExact(truth), spectral.Random(stream.New(1, "exact"), c.d, c.k))
		p, warnings, err := newFamily(t, lda.Options{}).Normalise(ctx, src, decomposed(t, src, c.k))
		if err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
		_, match := meanL1(t, truth.Centers, p.Centers)
		for j, m := range match {
			near(t, "alpha", p.Extra[lda.Alpha].At(m, 0), alpha[j], exactTol*100)
			for h := range c.d {
				near(t, "center", p.Centers.At(h, m), truth.Centers.At(h, j), exactTol)
			}
		}
	}
}

// alphaTol is the width of the last bracket, plus the flat side.
const alphaTol = 0.05

func TestAlpha0(t *testing.T) {
	ctx := context.Background()
	for _, a0 := range []float64{.4, 1, 3, 12} {
		truth, alpha := randomModel(7, 14, 4, a0)
		src, err := lda.EstimateSource(ctx, ofDirichlet(truth.Centers, alpha), 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "alpha0", src.Alpha0()/a0, 1, alphaTol)
		w, e, eigen, ok := src.Whitening(ctx, 4)
		if !ok {
			t.Fatal("no whitening after an estimate")
		}
		known, err := lda.NewSource(src.Raw(), src.Alpha0())
		if err != nil {
			t.Fatal(err)
		}
		checkWhitening(t, src, known, w, e)
		if p, _, err := newFamily(t, lda.Options{}).Normalise(ctx, src, rotated(t, src, w, e, eigen)); err != nil {
			t.Error(err)
		} else if l1, _ := meanL1(t, truth.Centers, p.Centers); l1 > alphaTol {
			t.Errorf("alpha0 %v: topics off by %v", a0, l1)
		}
	}
}

// checkWhitening: WᵀM2W = I, E = M2·W, and what the view remembers is what a
// scan would show.
func checkWhitening(t *testing.T, src, known moment.Source, w, e *mat.Dense) {
	t.Helper()
	ctx := context.Background()
	want, err := known.Project(ctx, w, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	got, err := src.Project(ctx, w, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	var eye mat.Dense
	eye.Mul(w.T(), want.Second)
	_, k := w.Dims()
	for i := range k {
		for j := range k {
			one := 0.0
			if i == j {
				one = 1
			}
			near(t, "WᵀM2W", eye.At(i, j), one, exactTol)
		}
	}
	for i, v := range want.Second.RawMatrix().Data {
		near(t, "remembered M2·W", got.Second.RawMatrix().Data[i], v, exactTol)
		near(t, "E", e.RawMatrix().Data[i], v, exactTol)
	}
	for i, v := range want.Core.Data {
		near(t, "remembered core", got.Core.Data[i], v, exactTol*100)
	}
}

// Below the floor the estimate says so in words.
func TestAlpha0Floor(t *testing.T) {
	truth, alpha := randomModel(7, 14, 4, .05)
	ctx := context.Background()
	src, err := lda.EstimateSource(ctx, ofDirichlet(truth.Centers, alpha), 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, warnings, err := newFamily(t, lda.Options{}).Normalise(ctx, src, decomposed(t, src, 4))
	if err != nil {
		t.Fatal(err)
	}
	if src.Alpha0() != .3 || len(warnings) != 1 || warnings[0].Code != "alpha0-small" {
		t.Errorf("alpha0 %v with warnings %v", src.Alpha0(), warnings)
	}
}
