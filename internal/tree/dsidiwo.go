package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// discriminants is D-SIDIWO ([T] Alg. 5): SIDIWO with l = 2 on raw moments, no
// model. The rows d_1, d_2 of D = (E·O)† are made as orthogonal as possible on
// the records, and a record goes to the side of the larger |⟨d_j, x⟩|.
func (p *plane) discriminants(ctx context.Context) (*Rule, Split, error) {
	w, err := decompose.Whiten(ctx, p, 2, decompose.Options{})
	if err != nil {
		return nil, Split{}, err
	}
	rotation, separation := w.Pair()
	rule := &Rule{Vectors: new(mat.Dense), Absolute: true, basis: w.W, rotation: rotation}
	rule.Vectors.Mul(w.W, rotation)
	return rule, Split{Spectrum: w.Eigen, Gap: w.Gap, Separation: separation, Stability: -1}, nil
}

const (
	// planeTol is the residual of the leading plane, as a share of its
	// second value, that ends the search. The plane is sought further than a
	// decomposition that EM refines needs: without EM an unsettled plane makes
	// the rule depend on chance.
	planeTol      = 1e-3
	planeProducts = 40
	planeSpectrum = 6     // eigenvalues in the evidence
	nothingLeft   = 1e-12 // of the first eigenvalue: there is no second
)

// plane is the source of raw moments that knows the leading plane of M2.
type plane struct {
	view
	n     float64
	first []float64
	w, e  *mat.Dense // d×2
	eigen []float64
}

func newPlane(ctx context.Context, v view, m *memory) (*plane, error) {
	p := &plane{view: v}
	var err error
	if p.n, p.first, _, err = v.sums(ctx); err != nil {
		return nil, err
	}
	floats.Scale(1/p.n, p.first)
	k := newKrylov(&m.vectors, func(y, x [][]float64) error {
		_, err := v.products(ctx, y, x, make([]float64, len(x)))
		for _, v := range y {
			floats.Scale(1/p.n, v)
		}
		return err
	})
	defer k.release()
	values, vectors, _, err := k.leadingPairs(p.start(m.draw(2*p.Dim())), min(planeProducts, p.Dim()), planeTol)
	if err != nil {
		return nil, err
	}
	if len(vectors) < 2 || !(values[1] > nothingLeft*values[0]) {
		return nil, &decompose.ErrRank{Want: 2, Got: min(1, len(vectors))}
	}
	p.eigen = values[:min(len(values), planeSpectrum)]
	p.w, p.e = mat.NewDense(p.Dim(), 2, nil), mat.NewDense(p.Dim(), 2, nil)
	for a, v := range vectors {
		root := math.Sqrt(values[a])
		for h, x := range v {
			p.w.Set(h, a, x/root)
			p.e.Set(h, a, x*root)
		}
	}
	return p, nil
}

// start returns two directions, from numbers that were drawn. The mean of records that
// are never negative lies near the first direction of the plane; what is drawn brings in
// the second.
func (p *plane) start(drawn []float64) [][]float64 {
	d := p.Dim()
	f := math.Max(floats.Norm(p.first, 2)/math.Sqrt(float64(d)), math.SmallestNonzeroFloat64)
	out := [][]float64{make([]float64, d), make([]float64, d)}
	for a, v := range out {
		for h, m := range p.first {
			v[h] = 2*m + f*drawn[a*d+h]
		}
	}
	return out
}

// Dim returns the number of features.
func (p *plane) Dim() int { return len(p.first) }

// First returns M1.
func (p *plane) First(context.Context) ([]float64, error) { return p.first, nil }

// Whitening returns the plane.
func (p *plane) Whitening(_ context.Context, k int) (w, e *mat.Dense, eigen []float64, ok bool) {
	return p.w, p.e, p.eigen, k == 2
}

// Project returns the core of M3 in a basis of two columns, all that a split
// asks for.
func (p *plane) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	if _, l := b.Dims(); l != 2 || want != moment.Core {
		return nil, fmt.Errorf("tree: a plane has its core alone, not %v of %d columns", want, l)
	}
	s, err := p.core(ctx, b)
	if err != nil {
		return nil, err
	}
	core := moment.Unpack(s, 2)
	core.Scale(1 / p.n)
	return &moment.Projection{Core: core}, nil
}

// coreSum adds z⊗z⊗z for z = Bᵀx, b of two columns, packed.
type coreSum struct{ b []float64 }

func (coreSum) Len() int { return moment.PackedLen(2) }

func (s coreSum) Add(state []float64, b pass.Block) error {
	z := make([]float64, 2*min(covaryPanel, b.Rows.N()))
	var sum cubes
	for lo := 0; lo < b.Rows.N(); lo += covaryPanel {
		panel := b.Rows.Slice(lo, min(lo+covaryPanel, b.Rows.N()))
		z := z[:2*panel.N()]
		panel.MulTo(z, s.b, 2)
		for ; len(z) >= 2; z = z[2:] {
			sum.add(z[0], z[1])
		}
	}
	sum.addTo(state)
	return nil
}

// cubes are Σ z⊗z⊗z for z of two numbers.
type cubes struct{ xxx, xxy, xyy, yyy float64 }

func (s *cubes) add(x, y float64) {
	xx, yy := x*x, y*y
	s.xxx += xx * x
	s.xxy += xx * y
	s.xyy += x * yy
	s.yyy += yy * y
}

func (s *cubes) addTo(packed []float64) {
	for i, v := range []float64{s.xxx, s.xxy, s.xyy, s.yyy} {
		packed[i] += v
	}
}
