package decompose

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// ThreeView learns from three views, random thirds of the features, that are
// independent inside a component (Anandkumar et al. 2012; 3V-MoM of [T] Fig. 4.1).
// Only products of features of different views are looked at, so that nothing has
// to be known of a feature's products with itself; the price is that every view
// must tell all components apart, with a third of the features. As in SVTD the
// slice whose eigenvalues lie furthest apart gives the rotation.
func ThreeView(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	v, err := newViews(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	return v.result(v.widest(), o), nil
}

// ThreeViewTPM is ThreeView with the rotation from the tensor power method on the
// third moment between the views (Anandkumar et al. 2014; 3V-TPM of [T] Fig. 4.1).
func ThreeViewTPM(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	v, err := newViews(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	t, r := v.core.Clone(), o.stream("three-view-tpm")
	found := mat.NewDense(k, k, nil)
	for j := range k {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, lambda, _ := powerSearch(t, r, o)
		found.SetCol(j, x)
		t.AddSym3(-lambda, x)
	}
	return v.result(found, o), nil
}

// mostViewed is the largest number of features whose d×d products are formed.
const mostViewed = 4096

// views holds the moments between three views of the features. All three are
// whitened by the same E, so that the components are the columns of one rotation
// and nothing has to be matched across views.
type views struct {
	w      *Whitened
	view   []int              // of each feature, 0 to 2
	slices *moment.Projection // in the basis [W_0 | W_1 | W_2], d×3k
	core   *moment.Cube       // k×k×k: M3(W_0, W_1, W_2), made symmetric
}

func newViews(ctx context.Context, src moment.Source, k int, o Options) (*views, error) {
	if src == nil {
		return nil, errNoSource
	}
	d := src.Dim()
	if k < 1 || 3*k > d {
		return nil, &ErrRank{Want: k, Got: min(max(k, 0), d/3)}
	}
	if d > mostViewed {
		return nil, fmt.Errorf("decompose: three views take at most %d features, not %d; leave rare features out, or choose another method", mostViewed, d)
	}
	v := &views{w: &Whitened{}, view: make([]int, d)}
	var of [3][]int
	for at, h := range o.stream("three-view").Perm(d) {
		v.view[h] = at * 3 / d
	}
	for h, s := range v.view {
		of[s] = append(of[s], h)
	}
	if err := v.whiten(ctx, src, of, k); err != nil {
		return nil, err
	}
	b := mat.NewDense(d, 3*k, nil)
	for s, features := range of {
		v.dual(b, s, features, k)
	}
	p, err := src.Project(ctx, b, moment.Core|moment.Slices)
	if err != nil {
		return nil, err
	}
	v.w.Passes++
	v.slices, v.core = p, between(p.Core, k)
	return v, nil
}

// whiten factors the second moment as E·Eᵀ. Blocks inside a view are those of the
// rank-k product C_va·C_ba†·C_bv of the view with the two others.
func (v *views) whiten(ctx context.Context, src moment.Source, of [3][]int, k int) error {
	d := src.Dim()
	m1, err := src.First(ctx)
	if err != nil {
		return err
	}
	p, err := src.Project(ctx, identity(d), moment.Second)
	if err != nil {
		return err
	}
	m2 := mat.DenseCopyOf(p.Second)
	for s := range of {
		inside(m2, p.Second, of[s], of[(s+1)%3], of[(s+2)%3], k)
	}
	values, vectors := spectral.SymEig(m2)
	if !(values[k-1] > rankTol*values[0]) {
		got := 0
		for got < k && values[got] > rankTol*values[0] {
			got++
		}
		return &ErrRank{Want: k, Got: got}
	}
	v.w.E, v.w.W = mat.NewDense(d, k, nil), mat.NewDense(d, k, nil)
	for a := range k {
		root := math.Sqrt(values[a])
		for h := range d {
			v.w.E.Set(h, a, vectors.At(h, a)*root)
			v.w.W.Set(h, a, vectors.At(h, a)/root)
		}
	}
	v.w.First, v.w.Mean = m1, mulTransVec(v.w.W, m1)
	v.w.Eigen, v.w.Gap, v.w.Passes = values[:min(d, k+1)], gap(values, k), 1
	return nil
}

// inside writes the block of a view, symmetric.
func inside(dst, m2 *mat.Dense, v, a, b []int, k int) {
	inverse, _ := spectral.PseudoInverse(part(m2, b, a), k) // |a|×|b|
	var left, block mat.Dense
	left.Mul(part(m2, v, a), inverse)
	block.Mul(&left, part(m2, b, v))
	for i, h := range v {
		for j, g := range v {
			dst.Set(h, g, (block.At(i, j)+block.At(j, i))/2)
		}
	}
}

func part(m *mat.Dense, rows, cols []int) *mat.Dense {
	out := mat.NewDense(len(rows), len(cols), nil)
	for i, h := range rows {
		for j, g := range cols {
			out.Set(i, j, m.At(h, g))
		}
	}
	return out
}

// dual writes W_s, the transposed pseudo-inverse of the view's rows of E, into
// columns s·k and on of b.
func (v *views) dual(b *mat.Dense, s int, features []int, k int) {
	e := mat.NewDense(len(features), k, nil)
	for i, h := range features {
		e.SetRow(i, v.w.E.RawRowView(h))
	}
	inverse, _ := spectral.PseudoInverse(e, k) // k×|view|
	for i, h := range features {
		for a := range k {
			b.Set(h, s*k+a, inverse.At(a, i))
		}
	}
}

// between returns the block of the core with one side in each view.
func between(core *moment.Cube, k int) *moment.Cube {
	out := moment.NewCube(k)
	at := func(a, b, c int) float64 { return core.At(a, k+b, 2*k+c) }
	for a := range k {
		for b := range k {
			for c := range k {
				out.Data[(a*k+b)*k+c] = (at(a, b, c) + at(a, c, b) + at(b, a, c) + at(b, c, a) + at(c, a, b) + at(c, b, a)) / 6
			}
		}
	}
	return out
}

// slice returns H_r, seen from the two views that feature r is not in.
func (v *views) slice(r int) *mat.Dense {
	k := v.w.K()
	all := v.slices.Slice(r, 3*k)
	a, b := (v.view[r]+1)%3*k, (v.view[r]+2)%3*k
	out := mat.NewDense(k, k, nil)
	for p := range k {
		for q := range k {
			out.Set(p, q, (all.At(a+p, b+q)+all.At(a+q, b+p))/2)
		}
	}
	return out
}

// widest returns the eigenvectors of the slice whose eigenvalues lie furthest
// apart.
func (v *views) widest() *mat.Dense {
	best, widest := identity(v.w.K()), math.Inf(-1)
	for r := range v.view {
		values, vectors := spectral.SymEig(v.slice(r))
		if g := leastGap(values); finite(values) && g > widest {
			best, widest = vectors, g
		}
	}
	return best
}

// result reads row r of the centers from the diagonal of OᵀH_rO and the weights
// from M1.
func (v *views) result(o *mat.Dense, opts Options) *Result {
	k := v.w.K()
	centers := mat.NewDense(len(v.view), k, nil)
	dual := dualOf(o)
	for j := range k {
		scaleColumn(dual, j, 1/math.Sqrt(dot(mat.Col(nil, j, dual), mat.Col(nil, j, dual))))
	}
	for r := range v.view {
		var t mat.Dense
		t.Mul(v.slice(r), dual)
		for j := range k {
			centers.Set(r, j, dot(mat.Col(nil, j, dual), mat.Col(nil, j, &t)))
		}
	}
	weights, floored := nnls(centers, v.w.First), false
	for j, x := range weights {
		if !(x >= opts.leastWeight()) {
			weights[j], floored = opts.leastWeight(), true
		}
	}
	normalise(weights)
	r := v.w.result(candidate{params: mixture.New(centers, weights)})
	r.Diagnostics.Objective = leftOff(v.core, o)
	r.Warnings = append(r.Warnings, (&signed{floored: floored}).warnings()...)
	return r
}

// leftOff returns the share of the squared entries of a cube that a rotation leaves
// off the diagonal.
func leftOff(t *moment.Cube, o *mat.Dense) float64 {
	_, share := (&Whitened{W: o, Core: t}).diagonal(o)
	return share
}
