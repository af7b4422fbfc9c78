package decompose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
)

// wholePasses bounds the power steps on an M2 that is known whole.
const wholePasses = 40

// sketchSteps is the number of power steps on a sample of the records.
const sketchSteps = 2

// wholeResidual is the residual asked of an M2 that is known whole, where a step
// costs no scan.
const wholeResidual = 1e-5

// findBasis finds an orthonormal basis of the leading subspace of M2 by
// randomised subspace iteration, and the third moment in it. Where possible
// the scan for the third moment is the last one for M2: it is joined to the
// scan that is expected to settle the subspace.
func findBasis(ctx context.Context, src moment.Source, k int, o Options, core bool) (*basis, error) {
	f := &finder{src: src, k: k, o: o, core: core, most: orDefault(o.Passes, defaultPasses)}
	first, err := src.First(ctx)
	if err != nil {
		return nil, err
	}
	b, err := f.find(ctx)
	if err != nil {
		return nil, err
	}
	b.first, b.passes = first, f.passes
	return b, nil
}

type finder struct {
	src          moment.Source
	k            int
	o            Options
	core         bool // the third moment is wanted in the basis
	settled      bool // nothing is left to scan
	passes, most int
}

func (f *finder) find(ctx context.Context) (*basis, error) {
	d := f.src.Dim()
	l := f.k + orDefault(f.o.Extra, defaultExtra)
	if f.o.Extra <= 0 && moment.Columns(f.src, l) > l { // columns come in steps
		l = moment.Columns(f.src, f.k+leastExtra)
	}
	l = min(d, l)
	if l == d { // no subspace to look for
		return f.project(ctx, identity(d), true)
	}
	if whole, ok := f.src.(moment.Unbounded); ok {
		m2, err := whole.Matrix(ctx)
		if err != nil {
			return nil, err
		}
		if m2 != nil {
			return f.fromWhole(ctx, m2, l)
		}
	}
	return f.fromScans(ctx, l)
}

// fromWhole iterates on a known M2 until the subspace has settled; one scan
// then gives the third moment.
func (f *finder) fromWhole(ctx context.Context, m2 *mat.SymDense, l int) (*basis, error) {
	d := f.src.Dim()
	full := mat.NewDense(d, d, nil)
	full.Copy(m2)
	least := f.o.Residual
	if least == 0 {
		least = wholeResidual
	}
	q := spectral.Orth(spectral.Random(f.o.stream("basis"), d, l))
	var b *basis
	for range wholePasses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, l := q.Dims()
		z := mat.NewDense(d, l, nil)
		kernel.DenseMul(z.RawMatrix().Data, full.RawMatrix().Data, d, q.RawMatrix().Data, l)
		b = f.newBasis(q, z)
		if b.residual(f.k) <= least {
			break
		}
		q = spectral.Orth(z)
	}
	return b, f.addCore(ctx, b)
}

// fromScans iterates by scans of the source, each of which tells M2 on l more
// directions. Beside the l best directions so far stand the l into which M2
// moves them, and the best l of both are kept (a block Krylov step): that
// costs no scan more than a power step and finds noisy subspaces in far fewer.
func (f *finder) fromScans(ctx context.Context, l int) (*basis, error) {
	r := f.o.stream("basis")
	q, err := moment.Sketch(ctx, f.src, l, sketchSteps, r)
	if err != nil {
		return nil, err
	}
	sketched := q != nil
	if !sketched {
		f.passes++
		p, err := f.src.Project(ctx, spectral.Random(r, f.src.Dim(), l), moment.Second)
		if err != nil {
			return nil, err
		}
		q = spectral.Team(moment.Workers(f.src)).Orthonormalise(p.Second)
	}
	_, rank := q.Dims()
	last := rank < l || f.passes+1 >= f.most // M2 has, or may have, no more to show
	b, err := f.project(ctx, q, last)
	for err == nil {
		residual := b.residual(f.k)
		converged, left := residual <= f.o.residual(), residual*b.decay(f.k)
		if sketched { // errors of the sample go faster: see Sketch
			left *= b.decay(f.k)
			sketched = false
		}
		switch {
		case f.settled: // converged, or as near as the passes allow
			return b, nil
		case converged:
			return b, f.addCore(ctx, b)
		case f.passes+1 >= f.most || left <= f.o.residual():
			b, err = f.project(ctx, b.team.Orth(b.z), true)
		default:
			b, err = f.grow(ctx, b)
		}
	}
	return nil, err
}

// grow scans M2 on the directions into which it moves the basis, and keeps the
// best of old and new.
func (f *finder) grow(ctx context.Context, b *basis) (*basis, error) {
	d, l := b.q.Dims()
	var both mat.Dense
	both.Augment(b.q, b.z)
	all := b.team.Orth(&both)
	_, m := all.Dims()
	if m <= l { // M2 does not leave the basis
		return f.project(ctx, b.q, true)
	}
	f.passes++
	p, err := f.src.Project(ctx, mat.DenseCopyOf(all.Slice(0, d, l, m)), moment.Second)
	if err != nil {
		return nil, err
	}
	var z mat.Dense
	z.Augment(b.z, p.Second)
	wide := f.newBasis(all, &z)
	q, mq := new(mat.Dense), new(mat.Dense)
	best := wide.vectors.Slice(0, m, 0, l).(*mat.Dense)
	wide.team.Mul(q, all, best)
	wide.team.Mul(mq, &z, best)
	return f.newBasis(q, mq), nil
}

// addCore scans the third moment in a basis whose M2 is known.
func (f *finder) addCore(ctx context.Context, b *basis) error {
	if !f.core {
		return nil
	}
	f.passes++
	p, err := f.src.Project(ctx, b.q, moment.Core)
	if err == nil {
		b.core = p.Core
	}
	return err
}

// project scans the source once for M2·q and, where that is the last scan, for M3 in q.
func (f *finder) project(ctx context.Context, q *mat.Dense, last bool) (*basis, error) {
	want := moment.Second
	if f.settled = last; last && f.core {
		want |= moment.Core
	}
	f.passes++
	p, err := f.src.Project(ctx, q, want)
	if err != nil {
		return nil, err
	}
	b := f.newBasis(q, p.Second)
	b.core = p.Core
	return b, nil
}

// newBasis does the Rayleigh-Ritz step for q and z = M2·q.
func (f *finder) newBasis(q, z *mat.Dense) *basis {
	var small mat.Dense
	b := &basis{q: q, z: z, team: teamOf(f.src)}
	b.team.Cross(&small, q, z)
	b.values, b.vectors = spectral.SymEig(&small)
	return b
}

// teamOf returns the cores for products of matrices as long as the records of a source.
func teamOf(src moment.Source) spectral.Team { return spectral.Team(par.Workers(moment.Workers(src))) }

// residual returns the largest ‖M2·v − λv‖ of the k leading Ritz pairs, as a
// share of the k-th eigenvalue.
func (b *basis) residual(k int) float64 {
	k = min(k, len(b.values))
	_, l := b.q.Dims()
	var v, mv mat.Dense
	top := b.vectors.Slice(0, l, 0, k).(*mat.Dense)
	b.team.Mul(&v, b.q, top)
	b.team.Mul(&mv, b.z, top)
	worst := b.team.Furthest(&v, &mv, b.values)
	if worst == 0 {
		return 0
	}
	return worst / math.Max(b.values[k-1], math.SmallestNonzeroFloat64)
}

// decay estimates by how much a power step shrinks the residual: the last Ritz
// value stands for the largest outside the basis.
func (b *basis) decay(k int) float64 {
	l := len(b.values)
	if k >= l || !(b.values[k-1] > 0) {
		return 1
	}
	return math.Min(1, math.Abs(b.values[l-1])/b.values[k-1])
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}
