package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// discriminants is D-SIDIWO ([T] Alg. 5): SIDIWO with l = 2 on raw moments, no
// model. The rows d_1, d_2 of D = (E·O)† are made as orthogonal as possible on
// the records, and a record goes to the side of the larger |⟨d_j, x⟩|. all takes the slices
// of M3 as they are, as the paper has it, and a scan more.
func (p *plane) discriminants(ctx context.Context, all bool) (*Rule, Split, error) {
	w, err := decompose.Whiten(ctx, p, 2, decompose.Options{})
	if err != nil {
		return nil, Split{}, err
	}
	rotation, separation, err := w.Rotation(ctx, p, all)
	if err != nil {
		return nil, Split{}, err
	}
	rule := &Rule{Vectors: new(mat.Dense), Absolute: true, basis: w.W, rotation: rotation}
	rule.Vectors.Mul(w.W, rotation)
	return rule, Split{Spectrum: w.Eigen, Gap: w.Gap, Separation: separation, Stability: -1}, nil
}

const (
	// planeTol is the residual of the leading plane, as a share of its second value, that
	// ends the search: nothing comes after the plane that could mend what it is off by, and
	// every record is placed by it.
	planeTol = 1e-8
	// planeProducts ends the search where no plane stands out: 24 to 36 find it in texts and
	// in patients, 124 among 1,500 features that go together by chance alone.
	planeProducts = 200
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
		for i := range x { // alone, which is in double precision: see pairCounts.MulTo
			if _, err := v.products(ctx, y[i:i+1], x[i:i+1], []float64{0}); err != nil {
				return err
			}
			floats.Scale(1/p.n, y[i])
		}
		return nil
	})
	defer k.release()
	values, vectors, residual, err := k.leadingPairs(p.start(m.draw(2*p.Dim())), min(planeProducts, p.Dim()), planeTol)
	if err != nil {
		return nil, err
	}
	if len(vectors) < 2 || !(values[1] > nothingLeft*values[0]) {
		return nil, &decompose.ErrRank{Want: 2, Got: min(1, len(vectors))}
	}
	p.eigen = values[:min(len(values), planeSpectrum)]
	p.w, p.e = mat.NewDense(p.Dim(), 2, nil), mat.NewDense(p.Dim(), 2, nil)
	for a, v := range vectors {
		p.w.SetCol(a, v)
	}
	spectral.ClearUnmet(p.w, residual)
	for a := range vectors {
		root := math.Sqrt(values[a])
		for h := range p.Dim() {
			x := p.w.At(h, a)
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

// Project returns the core of M3 in a basis of two columns, or its slices: all that a split
// asks for.
func (p *plane) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	_, l := b.Dims()
	switch {
	case l == 2 && want == moment.Core:
		s, err := p.core(ctx, b)
		if err != nil {
			return nil, err
		}
		core := moment.Unpack(s, 2)
		core.Scale(1 / p.n)
		return &moment.Projection{Core: core}, nil
	case l == 2 && want == moment.Slices:
		s, err := p.slices(ctx, b)
		if err != nil {
			return nil, err
		}
		floats.Scale(1/p.n, s)
		return &moment.Projection{Slices: mat.NewDense(p.Dim(), squares, s)}, nil
	}
	return nil, fmt.Errorf("tree: a plane has its core and its slices, not %v of %d columns", want, l)
}

// squares is the number of entries of z⊗z, packed, for z of two numbers.
const squares = 3

// sliceSum adds x·(z⊗z) for z = Bᵀx, b of two columns: d rows of packed entries.
type sliceSum struct {
	d int
	b []float64
}

func (s sliceSum) Len() int { return squares * s.d }

func (s sliceSum) Add(state []float64, b pass.Block) error {
	z, zz := make([]float64, 2*min(covaryPanel, b.Rows.N())), make([]float64, squares*min(covaryPanel, b.Rows.N()))
	for lo := 0; lo < b.Rows.N(); lo += covaryPanel {
		panel := b.Rows.Slice(lo, min(lo+covaryPanel, b.Rows.N()))
		z, zz := z[:2*panel.N()], zz[:squares*panel.N()]
		panel.MulTo(z, s.b, 2)
		for i := range panel.N() {
			x, y := z[2*i], z[2*i+1]
			zz[squares*i], zz[squares*i+1], zz[squares*i+2] = x*x, x*y, y*y
		}
		panel.AddTransMul(state, zz, squares)
	}
	return nil
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
