package decompose

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
)

// theorem is [T] Thm 2.2.1 by the words of its proof, on matrices as they are.
type theorem struct {
	k, d         int
	e, pinv      *mat.Dense   // d×k, k×d
	u            *mat.Dense   // d×k
	sigma        []float64    // falling
	m2           *mat.Dense   // d×d
	m3           []*mat.Dense // d slices
	r            int
	alphaR, alM2 float64
}

func theoremOf(t *testing.T, p mixture.Params) *theorem {
	t.Helper()
	d, k := p.Centers.Dims()
	x := &theorem{d: d, k: k, m2: mat.NewDense(d, d, nil), r: -1}
	outer := func(to *mat.Dense, f float64, j int) {
		for a := range d {
			for b := range d {
				to.Set(a, b, to.At(a, b)+f*p.Centers.At(a, j)*p.Centers.At(b, j))
			}
		}
	}
	for j, w := range p.Weights {
		outer(x.m2, w, j)
	}
	for r := range d {
		slice := mat.NewDense(d, d, nil)
		for j, w := range p.Weights {
			outer(slice, w*p.Centers.At(r, j), j)
		}
		x.m3 = append(x.m3, slice)
		least := math.Inf(1)
		for i := range k {
			for j := range i {
				least = math.Min(least, math.Abs(p.Centers.At(r, i)-p.Centers.At(r, j)))
			}
		}
		if least > x.alphaR {
			x.r, x.alphaR = r, least
		}
	}
	var svd mat.SVD
	if !svd.Factorize(x.m2, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u mat.Dense
	svd.UTo(&u)
	x.u, x.sigma = mat.DenseCopyOf(u.Slice(0, d, 0, k)), svd.Values(nil)
	x.alM2 = math.Inf(1)
	for i := range k {
		next := 0.0 // of a rank of k
		if i+1 < k {
			next = x.sigma[i+1]
		}
		x.alM2 = math.Min(x.alM2, x.sigma[i]*x.sigma[i]-next*next)
	}
	x.e, x.pinv = mat.NewDense(d, k, nil), mat.NewDense(k, d, nil)
	for a := range k {
		for h := range d {
			x.e.Set(h, a, x.u.At(h, a)*math.Sqrt(x.sigma[a]))
			x.pinv.Set(a, h, x.u.At(h, a)/math.Sqrt(x.sigma[a]))
		}
	}
	return x
}

func (x *theorem) f(e float64) float64 {
	roots := mat.NewDiagDense(x.k, nil)
	for a := range x.k {
		roots.SetDiag(a, math.Sqrt(x.sigma[a]))
	}
	vectors := math.Sqrt(8*float64(x.k)) * e * (2*mat.Norm(x.m2, 2) + e) / x.alM2
	values := e / (2 * math.Sqrt(x.sigma[x.k-1]))
	return mat.Norm(roots, 2)*vectors + mat.Norm(x.u, 2)*values + vectors*values
}

func (x *theorem) h(e float64, slice *mat.Dense) float64 {
	var gram, inverse, rest mat.Dense
	gram.Mul(x.e.T(), x.e)
	if inverse.Inverse(&gram) != nil {
		return math.Inf(1)
	}
	rest.Mul(x.e, x.pinv)
	for h := range x.d {
		rest.Set(h, h, rest.At(h, h)-1)
	}
	pinv := mat.Norm(x.pinv, 2)
	tau := pinv*pinv + mat.Norm(&inverse, 2)*mat.Norm(&rest, 2)
	f, m := x.f(e), mat.Norm(slice, 2)
	return 2*f*tau*pinv*m + pinv*pinv*e + 2*e*f*tau*pinv + f*f*tau*tau*(m+e)
}

// hypothesis is inequality 2.6.
func (x *theorem) hypothesis(e float64) bool {
	var left, hr mat.Dense
	left.Mul(x.pinv, x.m3[x.r])
	hr.Mul(&left, x.pinv.T())
	c := mat.Norm(&hr, 2) * (1 + math.Sqrt(1-1/float64(x.k)))
	right := x.alphaR * x.alphaR / (math.Sqrt2 * (2*c + math.Sqrt(x.alphaR*x.alphaR+4*c*c)))
	return x.h(e, x.m3[x.r]) <= right
}

func anyCenters(seed uint64, d, k int) mixture.Params {
	r := stream.New(seed, "decompose/test/theorem")
	p := mixture.New(mat.NewDense(d, k, nil), make([]float64, k))
	for h := range d {
		for j := range k {
			p.Centers.Set(h, j, r.Float64())
		}
	}
	sum := 0.0
	for j := range k {
		p.Weights[j] = .3 + r.Float64()
		sum += p.Weights[j]
	}
	for j := range k {
		p.Weights[j] /= sum
	}
	return p
}

// γ is the largest error that inequality 2.6 allows, and the gaps are those of the theorem.
func TestGammaByTheWordsOfTheProof(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		p := anyCenters(seed, 7, 2+int(seed%3))
		s, x := Perturbation(p), theoremOf(t, p)
		if s.Feature != x.r || numtest.Off(s.AlphaR, x.alphaR, 1e-12) || numtest.Off(s.AlphaM2, x.alM2, 1e-9*x.alM2) {
			t.Errorf("seed %d: feature %d, gaps %v and %v, want %d, %v and %v", seed, s.Feature, s.AlphaR, s.AlphaM2, x.r, x.alphaR, x.alM2)
		}
		if s.Gamma <= 0 || !x.hypothesis(s.Gamma*(1-1e-6)) || x.hypothesis(s.Gamma*(1+1e-6)) {
			t.Errorf("seed %d: γ %g is not where inequality 2.6 ends", seed, s.Gamma)
		}
		for _, e := range []float64{s.Gamma * 1e-6, s.Gamma * .5} {
			want := 0.0
			turn := 2 * math.Sqrt2 * x.h(e, x.m3[x.r]) / x.alphaR
			for i, slice := range x.m3 {
				row := mat.Norm(p.Centers.Slice(i, i+1, 0, x.k), 2)
				want = math.Max(want, 2*row*turn+x.h(e, slice))
			}
			if got, ok := s.Rows(e); !ok || got < want*(1-1e-9) || got > 3*want { // rows and slices need not be largest together
				t.Errorf("seed %d: rows move by %g at the most (%v), the proof says %g", seed, got, ok, want)
			}
		}
		if _, ok := s.Rows(s.Gamma * 1.01); ok {
			t.Errorf("seed %d: the theorem says something above γ", seed)
		}
	}
	if s := Perturbation(mixture.New(mat.NewDense(3, 1, []float64{1, 2, 3}), []float64{1})); s.Gamma != 0 {
		t.Errorf("one component: γ %v", s.Gamma)
	}
	same := mixture.New(mat.NewDense(3, 2, []float64{1, 1, 2, 2, 3, 3}), []float64{.5, .5})
	if s := Perturbation(same); s.Gamma != 0 || s.Feature != -1 {
		t.Errorf("two equal components: γ %v", s.Gamma)
	}
}

// SVTD of moments that are off by less than γ keeps to the bound: [T] Alg. 1 by its words.
func TestRowsStayWithinTheBound(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		p := anyCenters(seed, 6, 2)
		s, x := Perturbation(p), theoremOf(t, p)
		size := s.Gamma * .9
		r := rand.New(rand.NewPCG(seed, 1))
		m2, slices := disturbed(r, x, size)
		got := algorithmOne(t, m2, slices, x.k, x.r)
		bound, ok := s.Rows(size)
		for i := range x.d {
			want := mat.Row(nil, i, p.Centers)
			row := got.RawRowView(i)
			if i == 0 && math.Abs(row[0]-want[0]) > math.Abs(row[1]-want[0]) { // in the other order
				for h := range x.d {
					v := got.RawRowView(h)
					v[0], v[1] = v[1], v[0]
				}
			}
			if far := math.Hypot(row[0]-want[0], row[1]-want[1]); !ok || !(far <= bound) {
				t.Errorf("seed %d: row %d moved by %g, bound %g", seed, i, far, bound)
			}
		}
	}
}

// disturbed returns moments that are off by size, M2 and M3 as a whole.
func disturbed(r *rand.Rand, x *theorem, size float64) (*mat.Dense, []*mat.Dense) {
	d := x.d
	second, third := mat.NewDense(d, d, nil), make([]*mat.Dense, d)
	for i := range third {
		third[i] = mat.NewDense(d, d, nil)
	}
	two, three := 0.0, 0.0
	for a := range d {
		for b := range d {
			v := r.NormFloat64()
			second.Set(a, b, second.At(a, b)+v)
			second.Set(b, a, second.At(b, a)+v)
			for c := range d {
				v := r.NormFloat64()
				for _, at := range [][3]int{{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
					third[at[0]].Set(at[1], at[2], third[at[0]].At(at[1], at[2])+v)
				}
			}
		}
	}
	two = mat.Norm(second, 2)
	for _, m := range third {
		three = math.Hypot(three, mat.Norm(m, 2))
	}
	second.Scale(size/two, second)
	second.Add(second, x.m2)
	for i := range third {
		third[i].Scale(size/three, third[i])
		third[i].Add(third[i], x.m3[i])
	}
	return second, third
}

// algorithmOne is [T] Alg. 1 for the feature r: the rows of the centers.
func algorithmOne(t *testing.T, m2 *mat.Dense, m3 []*mat.Dense, k, r int) *mat.Dense {
	t.Helper()
	d, _ := m2.Dims()
	var svd mat.SVD
	if !svd.Factorize(m2, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u mat.Dense
	svd.UTo(&u)
	sigma, pinv := svd.Values(nil), mat.NewDense(k, d, nil)
	for a := range k {
		for h := range d {
			pinv.Set(a, h, u.At(h, a)/math.Sqrt(sigma[a]))
		}
	}
	white := func(slice *mat.Dense) *mat.Dense {
		var left, out mat.Dense
		left.Mul(pinv, slice)
		out.Mul(&left, pinv.T())
		return &out
	}
	var of mat.SVD
	if !of.Factorize(white(m3[r]), mat.SVDFull) {
		t.Fatal("no rotation")
	}
	var o mat.Dense
	of.UTo(&o)
	out := mat.NewDense(d, k, nil)
	for i, slice := range m3 {
		var left, h mat.Dense
		left.Mul(o.T(), white(slice))
		h.Mul(&left, &o)
		for j := range k {
			out.Set(i, j, h.At(j, j))
		}
	}
	return out
}

// The sample bounds by hand, and from documents one by one.
func TestSampleBoundsOfDocuments(t *testing.T) {
	if got, want := SampleBound(.01, math.Exp(-2)), .1+.2; numtest.Off(got, want, 1e-12) {
		t.Errorf("bound %v, want %v", got, want)
	}
	lengths := []float64{4, 7, 3, 12}
	words, all, squares := 0.0, 0.0, 0.0
	for _, c := range lengths {
		words += c
		all += c * (c - 1)
		squares += c * (c - 1) * c * (c - 1)
	}
	got := SampleBoundOfWords(squares/(all*all), words, slices.Max(lengths), all, .05)
	if want := math.Sqrt(12*12+42*42+6*6+132*132)/192 + math.Sqrt(math.Log(20))*12*math.Sqrt(26)/192; numtest.Off(got, want, 1e-12) {
		t.Errorf("bound of words %v, want %v", got, want)
	}
}
