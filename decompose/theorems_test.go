package decompose

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// exactly is the rounding of sums over some hundred products.
const exactly = 1e-10

func anyMixture(seed uint64, d, k int) mixture.Params {
	r := stream.New(seed, "test/theorems")
	centers, weights := mat.NewDense(d, k, nil), make([]float64, k)
	for j := range k {
		weights[j] = .2 + r.Float64()
		for h := range d {
			centers.Set(h, j, .05+.7*r.Float64())
		}
	}
	normalise(weights)
	return mixture.New(centers, weights)
}

func whole(t *testing.T, src moment.Source) *moment.Projection {
	t.Helper()
	d := src.Dim()
	one := mat.NewDense(d, d, nil)
	for h := range d {
		one.Set(h, h, 1)
	}
	p, err := src.Project(t.Context(), one, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTwoMomentsDoNotTell is [T] Thm 1.2.2: M̂ = M Ω^½ O diag(Oᵀω^½)^-1 with
// ω̂ = (Oᵀω^½)² has the first two moments of (M, ω) for any rotation O, and another third.
func TestTwoMomentsDoNotTell(t *testing.T) {
	const d, k = 9, 3
	p := anyMixture(1, d, k)
	random := mat.NewDense(k, k, nil)
	stream.Normals(stream.New(2, "test/theorems"), random.RawMatrix().Data)
	o := spectral.Orth(random)
	var a, b mat.Dense
	root := mat.NewDense(k, 1, nil)
	for j, w := range p.Weights {
		root.Set(j, 0, math.Sqrt(w))
	}
	a.Scale(1, p.Centers)
	for j := range k {
		scaleColumn(&a, j, math.Sqrt(p.Weights[j]))
	}
	b.Mul(&a, o)
	var q mat.Dense
	q.Mul(o.T(), root)
	weights := make([]float64, k)
	for j := range k {
		scaleColumn(&b, j, 1/q.At(j, 0))
		weights[j] = q.At(j, 0) * q.At(j, 0)
	}
	other := mixture.New(&b, weights)
	m, n := moment.NewExact(p), moment.NewExact(other)
	m1, _ := m.First(t.Context())
	n1, _ := n.First(t.Context())
	for h := range m1 {
		if numtest.Off(m1[h], n1[h], exactly) {
			t.Fatalf("M1 of feature %d: %v and %v", h, m1[h], n1[h])
		}
	}
	x, y := whole(t, m), whole(t, n)
	if !mat.EqualApprox(x.Second, y.Second, exactly) {
		t.Error("M2 differs")
	}
	differs := 0.0
	for i, v := range x.Core.Data {
		differs = math.Max(differs, math.Abs(v-y.Core.Data[i]))
	}
	if differs < 1e-3 {
		t.Errorf("M3 differs by %v only: the test shows nothing", differs)
	}
}

// presences draws n records of independent presences.
func presences(p mixture.Params, n int) sparse.Rows {
	r := stream.New(3, "test/theorems")
	b := sparse.NewBuilder(p.Dim(), true)
	for range n {
		u, y := r.Float64(), 0
		for u > p.Weights[y] && y < p.K()-1 {
			u -= p.Weights[y]
			y++
		}
		var index []uint32
		for h := range p.Dim() {
			if r.Float64() < p.Centers.At(h, y) {
				index = append(index, uint32(h))
			}
		}
		if err := b.Add(index, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// TestRawMoments is [T] Thm 4.3.1: raw moments of presences are those of the model but for
// products of a feature with itself, which are off by Σωμ⁽²⁾ − M1² at most.
func TestRawMoments(t *testing.T) {
	const d, n = 8, 40000
	p := anyMixture(4, d, 3)
	raw := whole(t, moment.NewSampled(pass.NewLocal(presences(p, n), 1), moment.Formula{Law: moment.Raw()}, true))
	exact := moment.NewExact(p)
	want := whole(t, exact)
	m1, err := exact.First(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chance := 5 / (2 * math.Sqrt(n)) // five standard errors of a share
	for h := range d {
		for m := range d {
			off, most := math.Abs(raw.Second.At(h, m)-want.Second.At(h, m)), chance
			if h == m {
				most += m1[h] - m1[h]*m1[h] // x² = x
			}
			if !(off <= most) {
				t.Errorf("M2 of %d and %d is off by %v, more than %v", h, m, off, most)
			}
		}
		if off := raw.Second.At(h, h) - want.Second.At(h, h); off < chance {
			t.Errorf("the diagonal of feature %d is not off (%v): the test shows nothing", h, off)
		}
	}
}

// TestDiscriminants is [T] Thm 6.2.1: for the rows d_1, d_2 of any feasible D the records
// have Σ⟨d_j, x⟩²/n = 1 and Σ⟨d_1, x⟩⟨d_2, x⟩ = 0.
func TestDiscriminants(t *testing.T) {
	const n = 3000
	rows := presences(anyMixture(5, 12, 4), n)
	w, err := Whiten(t.Context(), moment.NewSampled(pass.NewLocal(rows, 1), moment.Formula{Law: moment.Raw()}, true), 2, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := w.Rotation(t.Context(), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	var d mat.Dense
	d.Mul(w.W, o)
	z := make([]float64, 2*n)
	rows.MulTo(z, d.RawMatrix().Data, 2)
	var sums [3]float64
	for i := range n {
		a, b := z[2*i], z[2*i+1]
		sums[0] += a * a / n
		sums[1] += b * b / n
		sums[2] += a * b / n
	}
	for i, want := range []float64{1, 1, 0} {
		if numtest.Off(sums[i], want, 1e-6) { // of a subspace that was iterated
			t.Errorf("sum %d is %v, want %v", i, sums[i], want)
		}
	}
}
