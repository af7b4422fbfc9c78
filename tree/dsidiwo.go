package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/stream"
)

// discriminants is D-SIDIWO ([T] Alg. 5): SIDIWO with l = 2 on raw moments, no
// model. The rows d_1, d_2 of D = (E·O)† are made as orthogonal as possible on
// the records, and a record goes to the side of the larger |⟨d_j, x⟩|. pairs
// are those of the runner's records, or nil, when scans take their place.
func discriminants(ctx context.Context, run pass.Runner, pairs *moment.PairCounts, seed uint64) (*Rule, Split, error) {
	o := decompose.Options{Seed: seed, Extra: extraColumns, Passes: settlePasses, Settle: settleTol}
	var src moment.Source
	if pairs != nil {
		p, err := newPlane(run, pairs)
		if err != nil {
			return nil, Split{}, err
		}
		src = p
	} else {
		local, ok := run.(*pass.Local)
		src = moment.NewSampled(run, moment.Formula{Diagonal: moment.Raw}, ok && local.Rows().IsBinary())
	}
	w, err := decompose.Whiten(ctx, src, 2, o)
	if err != nil {
		return nil, Split{}, err
	}
	rotation, separation := w.Pair()
	rule := &Rule{Vectors: new(mat.Dense), Absolute: true}
	rule.Vectors.Mul(w.W, rotation)
	return rule, Split{Spectrum: w.Eigen, Gap: w.Gap, Separation: separation, Stability: -1}, nil
}

// The plane of a split is sought further than a decomposition that EM refines
// needs: without EM an unsettled plane makes the rule depend on the seed
// (stability of sparse groups, 12 seeds: .834 with the usual 4 passes, .863).
const (
	settlePasses = 12
	settleTol    = 1e-4
	// settledPlane is the same for products with counted pairs.
	settledPlane  = 1e-3
	planeProducts = 40
	planeSpectrum = 2 + extraColumns // eigenvalues told
	nothingLeft   = 1e-12            // of the first eigenvalue: there is no second
)

// plane is the source of raw moments of presences whose second moment is known
// in counts of pairs. It knows the leading plane of M2.
type plane struct {
	run   pass.Runner
	first []float64
	w, e  *mat.Dense // d×2
	eigen []float64
}

func newPlane(run pass.Runner, pairs *moment.PairCounts) (*plane, error) {
	d, n := pairs.D, float64(pairs.N)
	p := &plane{run: run, first: make([]float64, d)}
	size := 0.0
	for h := range d {
		p.first[h] = pairs.Single(h) / n
		size += p.first[h] * p.first[h]
	}
	f := math.Sqrt(size / float64(d)) // the length of the mean over that of a draw
	draw := stream.New(0, "tree/plane")
	// The mean of records that are never negative lies near the first
	// direction; what is drawn brings in the second.
	fresh := func() []float64 {
		v := make([]float64, d)
		stream.Normals(draw, v)
		for h, m := range p.first {
			v[h] = 2*m + f*v[h]
		}
		return v
	}
	k := &krylov{apply: func(y, x []float64) error {
		pairs.MulTo(y, x)
		for h := range y {
			y[h] /= n
		}
		return nil
	}}
	values, vectors, _, err := k.leadingPairs(fresh, 2, planeProducts, settledPlane)
	if err != nil {
		return nil, err
	}
	if len(vectors) < 2 || !(values[1] > nothingLeft*values[0]) {
		return nil, &decompose.ErrRank{Want: 2, Got: min(1, len(vectors))}
	}
	p.eigen = values[:min(len(values), planeSpectrum)]
	p.w, p.e = mat.NewDense(d, 2, nil), mat.NewDense(d, 2, nil)
	for a, v := range vectors {
		root := math.Sqrt(values[a])
		for h, x := range v {
			p.w.Set(h, a, x/root)
			p.e.Set(h, a, x*root)
		}
	}
	return p, nil
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
	s, err := pass.RunOne(ctx, p.run, coreSum{b.RawMatrix().Data})
	if err != nil {
		return nil, err
	}
	core := spectral.Unpack(s, 2)
	core.Scale(1 / float64(p.run.Len()))
	return &moment.Projection{Core: core}, nil
}

// coreSum adds z⊗z⊗z for z = Bᵀx, b of two columns, packed.
type coreSum struct{ b []float64 }

func (coreSum) Len() int { return spectral.PackedLen(2) }

func (s coreSum) Add(state []float64, b pass.Block) error {
	z := make([]float64, 2*min(covaryPanel, b.Rows.N()))
	var xxx, xxy, xyy, yyy float64
	for lo := 0; lo < b.Rows.N(); lo += covaryPanel {
		panel := b.Rows.Slice(lo, min(lo+covaryPanel, b.Rows.N()))
		z := z[:2*panel.N()]
		panel.MulTo(z, s.b, 2)
		for ; len(z) >= 2; z = z[2:] {
			x, y := z[0], z[1]
			xx, yy := x*x, y*y
			xxx += xx * x
			xxy += xx * y
			xyy += x * yy
			yyy += yy * y
		}
	}
	for i, v := range []float64{xxx, xxy, xyy, yyy} {
		state[i] += v
	}
	return nil
}
