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

const (
	alsStarts     = 5
	alsIterations = 500
)

// ALS fits T ≈ Σ_j a_j⊗b_j⊗c_j by alternating least squares ([T] 1.3), on the
// whitened core, or with Options.Direct on M3 itself where d is at most
// DirectDim. The first start comes from the eigenvectors of two contractions,
// as in Jennrich's algorithm, the second from the unfolding; the others are
// random. The best fit is kept.
func ALS(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	if o.Direct {
		return directALS(ctx, src, k, o)
	}
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	f, err := fitALS(ctx, w.Core, w.K(), o)
	if err != nil {
		return nil, err
	}
	v, _ := f.symmetric()
	s, merged := w.signAny(v, o)
	if s == nil {
		return nil, errNotFinite
	}
	r := w.result(w.fromSecond(s))
	r.Warnings = append(append(r.Warnings, s.warnings()...), merged...)
	r.Diagnostics.Sweeps, r.Diagnostics.Converged = f.iterations, f.converged
	r.Diagnostics.Objective = f.lack
	return r, nil
}

// directALS forms M3 from its slices in the identity basis and sees it in the k
// leading directions of its unfolding, without which ALS is many times slower
// and no better. A component
// λ_j v_j⊗v_j⊗v_j with unit v_j has the center c_j v_j with ω_j c_j³ = λ_j, and
// M1 = Σ_j ω_j c_j v_j.
func directALS(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	d := src.Dim()
	if d > DirectDim {
		return nil, fmt.Errorf("decompose: ALS without whitening needs at most %d features, not %d; use it with whitening", DirectDim, d)
	}
	if k < 1 || k > d {
		return nil, &ErrRank{Want: k, Got: min(max(k, 0), d)}
	}
	m1, err := src.First(ctx)
	if err != nil {
		return nil, err
	}
	p, err := src.Project(ctx, identity(d), moment.Slices)
	if err != nil {
		return nil, err
	}
	t := moment.NewCube(d)
	for r := range d {
		copy(t.Data[r*d*d:], p.Slice(r, d).RawMatrix().Data)
	}
	u := unfoldingBasis(t, k)
	f, err := fitALS(ctx, t.Congruence(u), k, o)
	if err != nil {
		return nil, err
	}
	inside, lambda := f.symmetric()
	v := new(mat.Dense)
	v.Mul(u, inside)
	params, floored := directParams(v, lambda, m1, o)
	w := &Whitened{First: m1, Gap: 1, Passes: 1}
	r := w.result(candidate{params: params})
	r.Warnings = append(r.Warnings, (&signed{floored: floored}).warnings()...)
	r.Diagnostics.Sweeps, r.Diagnostics.Converged = f.iterations, f.converged
	r.Diagnostics.Objective = f.lack
	return r, nil
}

func directParams(v *mat.Dense, lambda, m1 []float64, o Options) (mixture.Params, bool) {
	centers, floored := mat.DenseCopyOf(v), false
	first := nnls(v, m1)
	weights := make([]float64, len(lambda))
	least := o.leastWeight()
	for j, l := range lambda {
		c := math.Sqrt(l / math.Max(first[j], math.SmallestNonzeroFloat64))
		if weights[j] = first[j] / c; !(weights[j] >= least) || math.IsInf(c, 0) {
			weights[j], floored = least, true
			c = math.Cbrt(l / least)
		}
		scaleColumn(centers, j, c)
	}
	normalise(weights)
	return mixture.New(centers, weights), floored
}

// factors are the outcome of one run of ALS: unit columns and their scale.
type factors struct {
	abc        [3]*mat.Dense // n×k
	iterations int
	converged  bool
	lack       float64 // ‖T − model‖²/‖T‖²
}

// alsTol is the relative change of the lack of fit, and of the entries of the
// factors, at which the iteration ends.
const alsTol = 1e-13

// fitALS returns the best of several runs on a k×k×k cube.
func fitALS(ctx context.Context, t *moment.Cube, k int, o Options) (*factors, error) {
	r := o.stream("als")
	all := math.Sqrt(dot(t.Data, t.Data))
	if all == 0 || math.IsNaN(all) || math.IsInf(all, 0) {
		return nil, errNotFinite
	}
	unit := t.Clone() // tolerances are those of a cube of norm 1
	unit.Scale(1 / all)
	var best *factors
	for i := range orDefault(o.Starts, alsStarts) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := spectral.Random(r, t.N, k)
		switch {
		case i == 0:
			more := spectral.Random(r, t.N, 1)
			if v, _, _ := quotient(unit.Contract(mat.Col(nil, 0, start)), unit.Contract(mat.Col(nil, 0, more))); v != nil {
				start = v
			}
		case i == 1:
			start = unfoldingBasis(unit, k)
		}
		f := runALS(unit, start, orDefault(o.Iterations, alsIterations))
		if best == nil || f.lack < best.lack {
			best = f
		}
		if best.lack < alsTol { // exact
			break
		}
	}
	best.abc[2].Scale(all, best.abc[2])
	return best, nil
}

// unfoldingBasis returns the leading eigenvectors of Σ_a T_a T_aᵀ (the higher
// order singular vectors).
func unfoldingBasis(t *moment.Cube, k int) *mat.Dense {
	n := t.N
	u := mat.NewDense(n, n*n, t.Data)
	var g mat.Dense
	g.Mul(u, u.T())
	_, v := spectral.SymEig(&g)
	return mat.DenseCopyOf(v.Slice(0, n, 0, k))
}

func runALS(t *moment.Cube, start *mat.Dense, most int) *factors {
	f := &factors{lack: math.Inf(1)}
	for m := range f.abc {
		f.abc[m] = mat.DenseCopyOf(start)
		unitColumns(f.abc[m])
	}
	for f.iterations < most && !f.converged {
		f.iterations++
		moved := 0.0
		for m := range f.abc {
			next := f.update(t, m)
			if m < 2 {
				unitColumns(next)
				moved = math.Max(moved, furthest(next, f.abc[m]))
			}
			f.abc[m] = next
		}
		f.lack = f.distance(t)
		f.converged = moved < alsTol
	}
	return f
}

// update solves the least squares of mode m with the two others fixed:
// A·[(BᵀB)∘(CᵀC)] = T(·,b_j,c_j).
func (f *factors) update(t *moment.Cube, m int) *mat.Dense {
	b, c := f.abc[(m+1)%3], f.abc[(m+2)%3]
	_, k := b.Dims()
	var bb, cc, out mat.Dense
	bb.Mul(b.T(), b)
	cc.Mul(c.T(), c)
	bb.MulElem(&bb, &cc)
	x := contractPairs(t, b, c)
	if err := out.Solve(&bb, x.T()); err != nil && !finite(out.RawMatrix().Data) || !finite(out.RawMatrix().Data) {
		for j := range k { // columns that coincide: let rounding tell them apart
			bb.Set(j, j, bb.At(j, j)*(1+ridge))
		}
		if err := out.Solve(&bb, x.T()); err != nil && !finite(out.RawMatrix().Data) {
			return f.abc[m]
		}
	}
	return mat.DenseCopyOf(out.T())
}

// ridge keeps the normal equations of ALS solvable when columns coincide.
const ridge = 1e-10

// contractPairs returns the n×k matrix with columns T(·,b_j,c_j).
func contractPairs(t *moment.Cube, b, c *mat.Dense) *mat.Dense {
	n := t.N
	_, k := b.Dims()
	out := mat.NewDense(n, k, nil)
	var tc mat.Dense // n²×k: rows (a,b), entry Σ_c T_abc c_cj
	tc.Mul(mat.NewDense(n*n, n, t.Data), c)
	for a := range n {
		row := out.RawRowView(a)
		for e := range n {
			x, y := tc.RawRowView(a*n+e), b.RawRowView(e)
			for j := range row {
				row[j] += x[j] * y[j]
			}
		}
	}
	return out
}

// distance returns ‖T − model‖² of a cube of norm 1.
func (f *factors) distance(t *moment.Cube) float64 {
	x := contractPairs(t, f.abc[0], f.abc[1])
	var g, h mat.Dense
	g.Mul(f.abc[0].T(), f.abc[0])
	for _, m := range f.abc[1:] {
		h.Mul(m.T(), m)
		g.MulElem(&g, &h)
	}
	cross := dot(x.RawMatrix().Data, f.abc[2].RawMatrix().Data)
	return math.Min(1, math.Max(0, 1-2*cross+mat.Sum(&g)))
}

// symmetric returns one unit direction for each component, the mean of its
// three factors brought to a common sign, with a positive scale.
func (f *factors) symmetric() (v *mat.Dense, lambda []float64) {
	n, k := f.abc[0].Dims()
	v, lambda = mat.NewDense(n, k, nil), make([]float64, k)
	for j := range k {
		a, b, c := mat.Col(nil, j, f.abc[0]), mat.Col(nil, j, f.abc[1]), mat.Col(nil, j, f.abc[2])
		lambda[j] = unit(c)
		sb, sc := math.Copysign(1, dot(a, b)), math.Copysign(1, dot(a, c))
		// a⊗b⊗c = (sb·sc) a⊗(sb·b)⊗(sc·c), and the sign moves into all three.
		for i := range a {
			a[i] = sb * sc * (a[i] + sb*b[i] + sc*c[i])
		}
		unit(a)
		v.SetCol(j, a)
	}
	return v, lambda
}

func unitColumns(m *mat.Dense) {
	_, k := m.Dims()
	for j := range k {
		c := mat.Col(nil, j, m)
		unit(c)
		m.SetCol(j, c)
	}
}

// furthest returns the largest difference of entries, up to the sign of the
// columns.
func furthest(a, b *mat.Dense) float64 {
	n, k := a.Dims()
	far := 0.0
	for j := range k {
		x, y := mat.Col(nil, j, a), mat.Col(nil, j, b)
		s := math.Copysign(1, dot(x, y))
		for i := range n {
			far = math.Max(far, math.Abs(x[i]-s*y[i]))
		}
	}
	return far
}
