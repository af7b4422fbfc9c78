package kept

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/presence"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Learned is what sums say.
type Learned struct {
	Params mixture.Params // in the numbering of the model before
	// Loss is the part of the directions that tell the groups apart which the kept
	// basis does not hold, of 1.
	Loss float64
	// Moments says that the groups are those of the moments, and not those of before
	// that went on: they describe the newest records better.
	Moments bool
}

// MostLoss is the loss beyond which a pass over all records is asked for. Where all
// records had drifted (d=60, k=4, 20,000 records, 12 laws on their way to others) a
// loss of .15 stood for centers that were off by .014 to .03 instead of .005 to .02 in
// a basis of their own, and one of .3 for .04 to .06; without drift it was .03 to .1.
const MostLoss = .15

// Fit learns from sums in which the newest records are; before is the model so far.
func (s *Sums) Fit(ctx context.Context, fam family.Family, before mixture.Params, newest pass.Runner, seed uint64) (*Learned, error) {
	on, _, err := fam.MStep(s.Steps, before, 1)
	if err != nil {
		return nil, err
	}
	out := &Learned{Params: on}
	of, loss, err := s.moments(ctx, fam, before.K(), seed)
	if err != nil { // too little for moments: the groups go on
		return out, nil
	}
	out.Loss = loss
	match, err := agree.Columns(on.Centers, of.Centers)
	if err != nil {
		return nil, err
	}
	of = fam.Reorder(of, match)
	goes, err := likelihood(ctx, fam, on, newest)
	if err != nil {
		return nil, err
	}
	says, err := likelihood(ctx, fam, of, newest)
	if err != nil {
		return nil, err
	}
	if says > goes {
		out.Params, out.Moments = of, true
	}
	return out, nil
}

func likelihood(ctx context.Context, fam family.Family, p mixture.Params, run pass.Runner) (float64, error) {
	if run == nil {
		return 0, nil
	}
	step, err := fam.EStep(p, true)
	if err != nil {
		return 0, err
	}
	state, err := pass.RunOne(ctx, run, step)
	if err != nil {
		return 0, err
	}
	return state[0], nil
}

// moments decomposes the kept moments, and says what of their directions the basis
// does not hold.
func (s *Sums) moments(ctx context.Context, fam family.Family, k int, seed uint64) (mixture.Params, float64, error) {
	src, loss := presence.NewSource(s.N, s.Single, s.Double, min(1, s.N/2), 0), 0.0
	cube := moment.Unpack(s.Core, s.size())
	src.Core = func(_ context.Context, b *mat.Dense) ([]float64, error) {
		a, lost, err := within(s.Basis, b, src.Scale)
		loss = max(loss, lost)
		if err != nil {
			return nil, err
		}
		return congruent(cube, a), nil
	}
	std, err := src.Standard(ctx, k)
	if err != nil {
		return mixture.Params{}, 0, err
	}
	raw, err := decompose.Auto(ctx, std, k, decompose.Options{Seed: seed, SkipRows: true, BestOnly: true})
	if err != nil {
		return mixture.Params{}, 0, err
	}
	p, _, err := fam.Normalise(ctx, std, raw.Params)
	return p, loss, err
}

func (s *Sums) size() int {
	_, l := s.Basis.Dims()
	return l
}

// within returns the coordinates of directions b in the basis, by least squares in
// units of scale, and the part of them that is outside: the root of its mean square
// over the directions, each of length one.
func within(basis, b *mat.Dense, scale []float64) (*mat.Dense, float64, error) {
	d, l := basis.Dims()
	_, k := b.Dims()
	x, y := mat.NewDense(d, l, nil), mat.NewDense(d, k, nil)
	for h, f := range scale {
		if math.IsInf(f, 1) {
			continue
		}
		for a := range l {
			x.Set(h, a, basis.At(h, a)*f)
		}
		for a := range k {
			y.Set(h, a, b.At(h, a)*f)
		}
	}
	var a, rest mat.Dense
	if err := a.Solve(x, y); err != nil {
		if _, ill := err.(mat.Condition); !ill {
			return nil, 0, err
		}
	}
	rest.Mul(x, &a)
	rest.Sub(y, &rest)
	square := 0.0
	for j := range k {
		square += math.Pow(mat.Norm(rest.ColView(j), 2)/max(mat.Norm(y.ColView(j), 2), 1e-300), 2)
	}
	return &a, math.Sqrt(square / float64(k)), nil
}

// congruent returns the cube of other directions, a (l×k) in those of t, packed.
func congruent(t *moment.Cube, a *mat.Dense) []float64 {
	c := t.Congruence(a)
	out := make([]float64, 0, moment.PackedLen(c.N))
	for x := range c.N {
		for y := x; y < c.N; y++ {
			for z := y; z < c.N; z++ {
				out = append(out, c.At(x, y, z))
			}
		}
	}
	return out
}
