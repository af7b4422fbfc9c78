package decompose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// SIDIWO finds the rotation that leaves least off the diagonals of all
// whitened slices together, for any number l of pseudo-centers up to the rank
// of M2, fewer than the components included ([T] Alg. 3, [H] Alg. 1). l = 2 is
// solved in closed form. Centers come from M̂Ω̂^½ = D† = E·O.
//
// By default slice H_r is seen through the leading subspace, H_r = Σ_a E_ra T_a,
// so that the sum over all d slices is that of the l slices λ_a^½ T_a and no scan
// is needed, and squares are summed instead of norms. Options.AllSlices is the
// objective as the papers write it: the slices as they are, and for l > 2 the sum of
// norms Σ_{i≠j} (Σ_r (DM3,rDᵀ)_ij²)^½. It costs a scan and is no better on data
// (experiments: slices).
func SIDIWO(ctx context.Context, src moment.Source, l int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, l, o)
	if err != nil {
		return nil, err
	}
	rot, separation, err := w.joined(ctx, src, o.AllSlices)
	if err != nil {
		return nil, err
	}
	s := w.sign(rot.O, o)
	r := w.result(w.fromSecond(s))
	r.Warnings = append(r.Warnings, s.warnings()...)
	r.note(w, rot)
	r.Diagnostics.Separation = separation
	if separation < degenerate {
		r.warnOnce(undecided())
	}
	return r, nil
}

// Rotation returns the rotation O of SIDIWO, D = (E·O)†, and how clearly the data choose it,
// from 0 to 1; all takes the slices of M3 of src as they are: see SIDIWO.
func (w *Whitened) Rotation(ctx context.Context, src moment.Source, all bool) (o *mat.Dense, separation float64, err error) {
	rot, separation, err := w.joined(ctx, src, all)
	return rot.O, separation, err
}

// joined is Rotation with what the search tells.
func (w *Whitened) joined(ctx context.Context, src moment.Source, all bool) (rot spectral.Rotation, separation float64, err error) {
	if !all {
		rot, separation = diagonalise(ctx, w.weighted(0.5), w.K())
		return rot, separation, ctx.Err()
	}
	slices, err := w.compressed(ctx, src)
	if err != nil {
		return rot, 0, err
	}
	if rot, separation = diagonalise(ctx, slices, w.K()); w.K() > 2 {
		rot = spectral.LeastNorms(ctx, slices, w.K(), rot)
	}
	return rot, separation, ctx.Err()
}

// diagonalise returns the best rotation of the slices and, for l = 2, how much
// better it is than the worst.
func diagonalise(ctx context.Context, slices []*mat.Dense, l int) (rot spectral.Rotation, separation float64) {
	if l != 2 {
		return spectral.JointDiagonalise(ctx, slices, l), 1
	}
	p := newPair(slices)
	theta, least, separation := p.best()
	s, c := math.Sincos(theta)
	rot = spectral.Rotation{O: mat.NewDense(2, 2, []float64{c, s, -s, c}), Converged: true}
	if all := p.all; all > 0 {
		rot.Off = 2 * least / all
	}
	return rot, separation
}

// pair holds the sums that decide the case l = 2 ([T] Thm 5.3.3, [H] Thm 3.3):
// with h = H_r[1,2] and f = H_r[1,1] − H_r[2,2],
//
//	A = Σ h²   B = Σ f²/4   C = Σ hf/2
//	F(θ) = Σ_r (OᵀH_rO)[1,2]² = (A+B)/2 + (A−B)/2 cos 4θ + C sin 4θ
//
// for O = [[cos θ, sin θ], [−sin θ, cos θ]].
type pair struct{ a, b, c, all float64 }

func newPair(slices []*mat.Dense) pair {
	p := pair{}
	for _, s := range slices {
		x, y, h := s.At(0, 0), s.At(1, 1), s.At(0, 1)
		f := x - y
		p.a += h * h
		p.b += f * f / 4
		p.c += h * f / 2
		p.all += x*x + y*y + 2*h*h
	}
	return p
}

// best returns the angle of least F, that least, and how diagonalisable the
// slices are: the range of F over its middle, from 0 (any rotation is as good)
// to 1 (all slices become diagonal).
func (p pair) best() (theta, least, separation float64) {
	swing := math.Hypot(p.a-p.b, 2*p.c)
	if !(swing > 0) {
		return 0, (p.a + p.b) / 2, 0
	}
	theta = math.Atan2(-2*p.c, p.b-p.a) / 4
	return theta, math.Max(0, (p.a+p.b-swing)/2), math.Min(1, swing/(p.a+p.b))
}

// degenerate is the relative gap below which a rotation is arbitrary: rounding
// errors decide.
const degenerate = 1e-10

func undecided() warn.Warning {
	return warn.New(warn.Serious, "no-separation",
		"Try another method, or ask for fewer groups.",
		"The data do not say how to tell the groups apart: they would look the same in any mixture.")
}

// compressed scans all d slices of M3 in whitened coordinates and returns at
// most k(k+1)/2 matrices with the same sum of squares off the diagonal under
// every rotation: the rows of R in the QR factors of the packed slices, entries
// off the diagonal times √2.
func (w *Whitened) compressed(ctx context.Context, src moment.Source) ([]*mat.Dense, error) {
	p, err := src.Project(ctx, w.W, moment.Slices)
	if err != nil {
		return nil, err
	}
	w.Passes++
	return compress(p.Slices, w.K()), nil
}

func compress(packed *mat.Dense, k int) []*mat.Dense {
	d, m := packed.Dims()
	rows := mat.DenseCopyOf(packed)
	scalePacked(rows, k, math.Sqrt2)
	if d > m {
		var qr mat.QR
		qr.Factorize(rows)
		var r mat.Dense
		qr.RTo(&r)
		rows = mat.DenseCopyOf(r.Slice(0, m, 0, m))
		d = m
	}
	scalePacked(rows, k, 1/math.Sqrt2)
	out := make([]*mat.Dense, d)
	all := moment.Projection{Slices: rows}
	for r := range out {
		out[r] = all.Slice(r, k)
	}
	return out
}

// scalePacked multiplies the entries off the diagonal of packed symmetric
// matrices.
func scalePacked(rows *mat.Dense, k int, f float64) {
	d, _ := rows.Dims()
	for r := range d {
		row, at := rows.RawRowView(r), 0
		for a := range k {
			for b := a; b < k; b++ {
				if a != b {
					row[at] *= f
				}
				at++
			}
		}
	}
}
