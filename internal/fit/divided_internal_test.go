package fit

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"

	"github.com/moiety-go/moiety/record"
)

// denseOf returns rows of presences as a matrix.
func denseOf(rows sparse.Rows) *mat.Dense {
	x := mat.NewDense(rows.N(), rows.Dim, nil)
	for i := range rows.N() {
		index, _ := rows.Row(i)
		for _, h := range index {
			x.Set(i, int(h), 1)
		}
	}
	return x
}

// Without EM the groups of d-sidiwo are those of [T] Alg. 5, by its words: the vectors lie in
// the leading subspace of XᵀX/n, whiten it, and every record is put to the largest
// |⟨d_j, x⟩|, in the fit, after it and from a file. With EM a model places.
func TestDiscriminantsPlace(t *testing.T) {
	const k, n, d = 3, 900, 12
	rows := synth.ExponentialBernoulli(4, n, d, k, synth.UniformWeights).Rows
	data := Training{Run: pass.NewLocal(rows, 2), Vocab: vocab.Numbered(d), Kind: record.Presence}
	for _, all := range []string{"", AllSlices} {
		s := Settings{K: k, Method: dsidiwo, Refine: None, Slices: all, Seed: 1, Spec: model.Spec{Model: "bernoulli"}}
		o, err := Flat(t.Context(), data, s)
		if err != nil {
			t.Fatal(err)
		}
		rule := o.Model.Provenance.Rule
		if rule == nil {
			t.Fatal("the model has no rule")
		}
		x, v := denseOf(rows), mat.NewDense(k, d, slices.Concat(rule.Vectors...))
		var m2, left, whitened, z mat.Dense
		m2.Mul(x.T(), x)
		m2.Scale(1./n, &m2)
		left.Mul(v, &m2)
		whitened.Mul(&left, v.T())
		if !mat.EqualApprox(&whitened, mat.NewDiagDense(k, []float64{1, 1, 1}), 1e-7) {
			t.Errorf("D·M2·Dᵀ is %v", mat.Formatted(&whitened))
		}
		var eigen mat.EigenSym
		sym := mat.NewSymDense(d, m2.RawMatrix().Data)
		eigen.Factorize(sym, true)
		var vectors, outside mat.Dense
		eigen.VectorsTo(&vectors)
		outside.Mul(v, vectors.Slice(0, d, 0, d-k))
		if off := mat.Norm(&outside, 2); !(off <= 1e-6*mat.Norm(v, 2)) {
			t.Errorf("the vectors are off the leading subspace by %v", off)
		}
		z.Mul(x, v.T())
		data, err := o.Model.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		read, err := model.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		placer, err := NewPlacer(&Outcome{Model: read})
		if err != nil {
			t.Fatal(err)
		}
		group, sure, err := placer.Place(pass.Block{Rows: rows})
		if err != nil || !slices.Equal(group, o.Group) || !slices.Equal(sure, o.Probability) {
			t.Errorf("the model from a file places otherwise than the fit (%v)", err)
		}
		for i := range n {
			best := 0
			for j := range k {
				if numtest.Off(z.At(i, j), 0, math.Abs(z.At(i, best))) {
					best = j
				}
			}
			if o.Group[i] != int32(best) {
				t.Fatalf("record %d lies in %d, its largest discriminant is %d", i, o.Group[i], best)
			}
		}
	}
	o, err := Flat(t.Context(), data, Settings{K: k, Method: dsidiwo, Seed: 1, Spec: model.Spec{Model: "bernoulli"}})
	if err != nil || o.Model.Provenance.Rule != nil {
		t.Errorf("a refined model places by a rule (%v)", err)
	}
}

// Spectral clustering without EM keeps its parts: every record has the nearest center of
// its embedding, by the words of the method.
func TestSpectralPartsStay(t *testing.T) {
	const k, n, d = 3, 250, 15
	rows := synth.ExponentialBernoulli(6, n, d, k, synth.UniformWeights).Rows
	data := Training{Run: pass.NewLocal(rows, 2), Vocab: vocab.Numbered(d), Kind: record.Presence}
	s := Settings{K: k, Method: spectralClustering, Refine: None, Seed: 1, Spec: model.Spec{Model: "bernoulli"}}
	o, err := Flat(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	x := denseOf(rows)
	degree := make([]float64, n)
	var kernel mat.Dense
	kernel.Mul(x, x.T())
	for i := range n {
		degree[i] = math.Max(mat.Sum(kernel.Slice(i, i+1, 0, n)), 1) // of a record without features too
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, kernel.At(i, j)/math.Sqrt(degree[i]*degree[j]))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		t.Fatal("no eigenvectors")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	point := func(i, a int) float64 { return vectors.At(i, n-1-a) / math.Sqrt(degree[i]) }
	centers, size := mat.NewDense(k, k, nil), make([]float64, k)
	for i, g := range o.Group {
		size[g]++
		for a := range k {
			centers.Set(int(g), a, centers.At(int(g), a)+point(i, a))
		}
	}
	for i, g := range o.Group {
		best, least := 0, math.Inf(1)
		for j := range k {
			far := 0.0
			for a := range k {
				v := point(i, a) - centers.At(j, a)/size[j]
				far += v * v
			}
			if far < least {
				best, least = j, far
			}
		}
		if int32(best) != g {
			t.Fatalf("record %d lies in part %d, the nearest center is that of %d", i, g, best)
		}
	}
}
