package decompose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
)

// thirds looks at the third moment T = M3(W,W,W) of many components without holding
// its k³ numbers. A scan shows T(·,x,x) for the columns x of a matrix, for as many
// products as M2 of that many columns takes.
type thirds struct {
	src moment.Source
	w   *Whitened
}

const (
	// roughAngle ends the sweeps over contractions: what is left of it after a step or two
	// is less than their errors.
	roughAngle = .05
	// turns is the number of steps from there, each a scan: the error of one is of the
	// order of the square of the one before, up to that of the moments.
	turns = 3
)

// autoByScans is Auto without the core: a rotation that jointly diagonalises a few
// contractions of the third moment, then steps towards the one that makes the whole most
// diagonal, which use all of it; centers as from the core. There is one answer from the
// third moment, and one from M2.
func autoByScans(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := whiten(ctx, src, k, o, false)
	if err != nil {
		return nil, err
	}
	t := thirds{src, w}
	rot, err := t.rotation(ctx, o)
	if err != nil {
		return nil, err
	}
	seen, err := t.seen(ctx, rot.O)
	if err != nil {
		return nil, err
	}
	rot.Off = offColumns(rot.O, seen)
	s := w.sign(rot.O, o)
	all := []candidate{w.fromThird(s, s.v, seen)}
	if !o.BestOnly {
		all = w.distinct(append(all, w.fromSecond(s)))
	}
	r := w.result(all...)
	r.Warnings = append(r.Warnings, s.warnings()...)
	r.Diagnostics.Objective, r.Diagnostics.Sweeps, r.Diagnostics.Converged = rot.Off, rot.Sweeps, rot.Converged
	r.Diagnostics.Passes = w.Passes
	return r, nil
}

// seen returns the matrix whose columns are T(·,x,x) for the columns x.
func (t thirds) seen(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	t.w.Passes++
	return moment.Thirds(ctx, t.src, t.w.W, x)
}

// rotation returns the rotation that makes T most diagonal.
func (t thirds) rotation(ctx context.Context, o Options) (spectral.Rotation, error) {
	rot, err := t.start(ctx, o)
	if err != nil {
		return rot, err
	}
	for range turns {
		seen, err := t.seen(ctx, rot.O)
		if err != nil {
			return rot, err
		}
		next := nearestRotation(seen)
		if next == nil { // some component has no third moment
			break
		}
		rot.O = next
	}
	return rot, nil
}

// start is the rotation that the source knows, or that of contractions for random v, which
// weigh direction a of the whitening as Auto does its slices.
func (t thirds) start(ctx context.Context, o Options) (spectral.Rotation, error) {
	k := t.w.K()
	if own, ok := t.src.(Starter); ok {
		if start := own.Rotation(k); start != nil {
			return spectral.Rotation{O: start, Converged: true}, nil
		}
	}
	v := spectral.Random(o.stream("contractions"), k, moment.Contracted)
	for a := range k {
		f := math.Pow(t.w.Eigen[a]/t.w.Eigen[0], autoExponent)
		for m := range moment.Contracted {
			v.Set(a, m, f*v.At(a, m))
		}
	}
	slices, err := moment.Contractions(ctx, t.src, t.w.W, v)
	if err != nil {
		return spectral.Rotation{}, err
	}
	t.w.Passes += 1 + moment.Contracted
	joint := spectral.NewJoint(k, len(slices))
	for a := range k {
		for e := a; e < k; e++ {
			for m, s := range slices {
				joint.At(a, e)[m] = s.At(a, e)
			}
		}
	}
	return joint.Diagonalise(ctx, roughAngle), ctx.Err()
}

// nearestRotation returns the rotation nearest to t, t·(tᵀt)^-½, or nil where there is
// no one such.
func nearestRotation(t *mat.Dense) *mat.Dense {
	k, _ := t.Dims()
	var g, left mat.Dense
	spectral.MulTrans(&g, t, t)
	values, vectors := spectral.SymEig(&g)
	if !(values[k-1] > rankTol*values[0]) {
		return nil
	}
	scaled := mat.DenseCopyOf(vectors)
	root := make([]float64, k)
	for j, v := range values {
		root[j] = 1 / math.Sqrt(v)
	}
	scaleColumns(scaled, root)
	spectral.Mul(&left, scaled, mat.DenseCopyOf(vectors.T()))
	out := new(mat.Dense)
	spectral.Mul(out, t, &left)
	return out
}

// offColumns returns the share of the squares of T(·,o,o), over the columns of a
// rotation, that does not lie along o.
func offColumns(o, seen *mat.Dense) float64 {
	on, all := 0.0, 0.0
	k, _ := o.Dims()
	for j := range k {
		along := 0.0
		for a := range k {
			along += o.At(a, j) * seen.At(a, j)
			all += seen.At(a, j) * seen.At(a, j)
		}
		on += along * along
	}
	if all == 0 {
		return 0
	}
	return math.Max(0, 1-on/all)
}
