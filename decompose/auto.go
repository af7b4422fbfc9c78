package decompose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// autoExponent weighs slice a of the core by the a-th eigenvalue of M2 to this
// power: 0.5 is SIDIWO's objective, 0 the plain core. Between 0.5 and 1 the
// choice makes no measurable difference.
const autoExponent = 0.75

// A Starter is a Source that knows about where the rotation lies that
// diagonalises its whitened third moment.
type Starter interface {
	// Rotation returns a k×k rotation in the coordinates of Whitening, or nil.
	Rotation(k int) *mat.Dense
}

// Auto is the default: the rotation that jointly diagonalises the slices of the
// whitened core, and as a second start the one that diagonalises the core
// itself; centers from the core, from the slices (one scan more) and from M2.
// All different answers are returned, the first being the best guess without a
// likelihood; Options.BestOnly wants no others.
//
// More components than moment.MostCubed are found without the core, where the source
// can: see thirds.
func Auto(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	if moment.Scans(src, k) {
		return autoByScans(ctx, src, k, o)
	}
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	joint, second := w.rotations(ctx, src, o)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sets := []*signed{w.sign(joint.O, o)}
	if o.BestOnly {
		return w.auto(sets, joint, w.fromCore(sets[0])), nil
	}
	if !sameRotation(joint.O, second.O) {
		sets = append(sets, w.sign(second.O, o))
	}
	all, err := w.candidates(ctx, src, sets, o)
	if err != nil {
		return nil, err
	}
	return w.auto(sets, joint, w.distinct(all)...), nil
}

// auto puts the result together.
func (w *Whitened) auto(sets []*signed, joint spectral.Rotation, all ...candidate) *Result {
	r := w.result(all...)
	if len(sets) > 1 {
		second := w.fromCore(sets[1]).ordered(max(w.team, 1))
		r.Second = &second.params
	}
	r.Warnings = append(r.Warnings, sets[0].warnings()...)
	r.note(w, joint)
	return r
}

// rotations returns both, the second unless only the best is wanted: side by side where
// neither begins from the other and they take long enough.
func (w *Whitened) rotations(ctx context.Context, src moment.Source, o Options) (joint, second spectral.Rotation) {
	if k := w.K(); o.BestOnly || k < longEnough || k > freeStart {
		if joint = w.joint(ctx, src); !o.BestOnly {
			second = diagonaliseCore(ctx, w.Core, w.secondStart(joint))
		}
		return joint, second
	}
	_ = par.Do(ctx, moment.Workers(src), 2, func(i int) error { // nothing fails
		if i == 0 {
			second = diagonaliseCore(ctx, w.Core, nil)
		} else {
			joint = w.joint(ctx, src)
		}
		return nil
	})
	return joint, second
}

// longEnough is the number of components from which on a rotation takes a part of a millisecond.
const longEnough = 12

// joint diagonalises the slices of the core, slice a times λ_a^autoExponent,
// from the start that the source knows.
func (w *Whitened) joint(ctx context.Context, src moment.Source) spectral.Rotation {
	k := w.K()
	if own, ok := src.(Starter); ok {
		if start := own.Rotation(k); start != nil {
			return w.jointFrom(ctx, start)
		}
	}
	return spectral.JointDiagonalise(ctx, w.weighted(autoExponent), k)
}

// nearAngle ends the sweeps from a start that is near: the angles of each are
// about a fiftieth of those before it, so that those left are some 1e-7.
const nearAngle = 1e-5

func (w *Whitened) jointFrom(ctx context.Context, start *mat.Dense) spectral.Rotation {
	k := w.K()
	turned := make([]float64, k*k*k) // entry (p,q,r): T(start_p, start_q, e_r)
	w.Core.Modes(turned, start, start, nil, new(moment.CubeBuffer))
	j := spectral.NewJoint(k, k)
	for r := range k {
		f := math.Pow(w.Eigen[r]/w.Eigen[0], autoExponent)
		for p := range k {
			for q := p; q < k; q++ {
				j.At(p, q)[r] = f * turned[(p*k+q)*k+r]
			}
		}
	}
	rot := j.Diagonalise(ctx, nearAngle)
	o := new(mat.Dense)
	spectral.Mul(o, start, rot.O)
	rot.O = o
	return rot
}

// freeStart is the largest k for which the second rotation starts from
// scratch; beyond, its sweeps cost k times those of the first, and it starts
// from there.
const freeStart = 24

func (w *Whitened) secondStart(joint spectral.Rotation) *mat.Dense {
	if w.K() <= freeStart {
		return nil
	}
	return joint.O
}

// candidates reads the centers in all ways, for each set of directions: from
// the core, which as a rule has the least error (Poisson counts, n = 10,000: 0.36
// against 0.42 from the slices and 0.46 from M2), from the slices, from M2.
func (w *Whitened) candidates(ctx context.Context, src moment.Source, sets []*signed, o Options) ([]candidate, error) {
	var rows []candidate
	if !o.SkipRows {
		var err error
		if rows, err = w.fromRows(ctx, src, sets...); err != nil {
			return nil, err
		}
	}
	var all []candidate
	for i, s := range sets {
		all = append(all, w.fromCore(s))
		if rows != nil {
			all = append(all, rows[i])
		}
		all = append(all, w.fromSecond(s))
	}
	return all, nil
}

// weighted returns the slices of the core, slice a times λ_a^exponent.
func (w *Whitened) weighted(exponent float64) []*mat.Dense {
	slices := make([]*mat.Dense, w.K())
	for a := range slices {
		slices[a] = mat.DenseCopyOf(w.Core.Slice(a))
		slices[a].Scale(math.Pow(w.Eigen[a]/w.Eigen[0], exponent), slices[a])
	}
	return slices
}

// note takes over how the rotation was found. Two components without a third
// moment leave the rotation between them open; in whitened coordinates a
// component has the third moment ω^-½ ≥ 1.
func (r *Result) note(w *Whitened, rot spectral.Rotation) {
	diagonal, off := w.diagonal(rot.O)
	r.Diagnostics.Objective = off
	r.Diagnostics.Sweeps = rot.Sweeps
	r.Diagnostics.Converged = rot.Converged
	r.Diagnostics.Passes = w.Passes
	open := 0
	for _, v := range diagonal {
		if !(math.Abs(v) > degenerate) {
			open++
		}
	}
	if open > 1 {
		r.warnOnce(undecided())
	}
}

// warnOnce adds a warning unless there is one of its code.
func (r *Result) warnOnce(x warn.Warning) {
	for _, y := range r.Warnings {
		if y.Code == x.Code {
			return
		}
	}
	r.Warnings = append(r.Warnings, x)
}

// objective is the share of the core's squared entries that the rotation
// leaves off the diagonal.
func (w *Whitened) objective(o *mat.Dense) float64 {
	_, off := w.diagonal(o)
	return off
}

// diagonal returns the diagonal of the core after a rotation, and the share of
// the squared entries, which as a whole it does not change, that is left off.
func (w *Whitened) diagonal(o *mat.Dense) (diagonal []float64, off float64) {
	t := w.Core.Columns(o)
	on, all := 0.0, dot(w.Core.Data, w.Core.Data)
	diagonal = make([]float64, w.K())
	for a := range diagonal {
		oa := o.RawRowView(a)
		for i, v := range t.RawRowView(a) {
			diagonal[i] += oa[i] * v
		}
	}
	for _, v := range diagonal {
		on += v * v
	}
	if all == 0 {
		return diagonal, 0
	}
	return diagonal, math.Max(0, 1-on/all)
}

// sameTol is the angle up to which two rotations, and the relative difference
// up to which two answers, are the same: far below any sampling error.
const sameTol = 1e-6

// sameRotation reports that the columns of a and b agree up to order and sign.
func sameRotation(a, b *mat.Dense) bool {
	var c mat.Dense
	c.Mul(a.T(), b)
	k, _ := c.Dims()
	for i := range k {
		best := 0.0
		for j := range k {
			best = math.Max(best, math.Abs(c.At(i, j)))
		}
		if best < 1-sameTol*sameTol { // the cosine of the angle
			return false
		}
	}
	return true
}

// distinct drops candidates that repeat an earlier one.
func (w *Whitened) distinct(all []candidate) []candidate {
	var out []candidate
	for _, c := range all {
		c = c.ordered(max(w.team, 1))
		seen := false
		for _, b := range out {
			seen = seen || sameCenters(c, b)
		}
		if !seen {
			out = append(out, c)
		}
	}
	return out
}

func sameCenters(a, b candidate) bool {
	x, y := a.params.Centers.RawMatrix().Data, b.params.Centers.RawMatrix().Data
	size := 0.0
	for _, v := range x {
		if v = math.Abs(v); v > size {
			size = v
		}
	}
	for i, v := range x {
		if !(math.Abs(v-y[i]) <= sameTol*size) {
			return false
		}
	}
	return true
}

// diagonaliseCore returns the rotation that maximises the squared diagonal of the
// core, from start on; nil is the identity.
func diagonaliseCore(ctx context.Context, core *moment.Cube, start *mat.Dense) spectral.Rotation {
	w := core.Clone()
	if start != nil {
		w = core.Congruence(start)
	}
	return spectral.DiagonaliseCube(ctx, w.Data, w.N, start)
}
