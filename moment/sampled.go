package moment

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/pass"
)

// Sampled is the Source of records: moments estimated by sums over a Runner.
// It is used by one goroutine at a time; the runner works on all cores.
type Sampled struct {
	run   pass.Runner
	f     Formula
	first []float64  // state of firstSum, once known
	sums  []float64  // state of pairSum, once known, where the formula keeps pairs
	count []int32    // the same, where they were counted
	turn  *turn      // of either, as the records are shown; nil where they are as they were counted
	pairs *mat.Dense // M2 of them, once asked for
	// binary tells that e2(x) = x for all values of a Distinct formula.
	binary  bool
	buffers *singleBuffers
	kept    *weights32 // of the records, where they are known
	some    *inPlace   // those of the records that count, see Sketch; nil for all
}

// NewSampled returns the moments of the runner's records by the formula.
// binary says that all values are 0 or 1.
func NewSampled(run pass.Runner, f Formula, binary bool) *Sampled {
	return &Sampled{run: run, f: f, binary: binary, buffers: new(singleBuffers)}
}

// Dim returns the number of features.
func (s *Sampled) Dim() int { return s.run.Dim() }

// Workers returns the number of workers, 0 or less for all cores.
func (s *Sampled) Workers() int { return s.run.Can().Workers }

// GivesRows implements RowSource.
func (s *Sampled) GivesRows() bool { return true }

// team is the workers for loops over all features.
func (s *Sampled) team() spectral.Team { return spectral.Team(s.Workers()) }

// Formula returns the formula.
func (s *Sampled) Formula() Formula { return s.f }

// Counts are the sums over records that need no basis.
type Counts struct {
	N                         float64   // records
	Length1, Length2, Length3 float64   // denominators of M1, M2, M3
	Sum                       []float64 // Σ r·x per feature, not scaled
	Frequency                 []float64 // records that hold the feature
}

// Counts returns those sums.
func (s *Sampled) Counts(ctx context.Context) (*Counts, error) {
	if _, err := s.scan(ctx); err != nil {
		return nil, err
	}
	d := s.Dim()
	return &Counts{
		N:       s.first[atN],
		Length1: s.first[atLength1], Length2: s.first[atLength2], Length3: s.first[atLength3],
		Sum:       s.first[firstHeads:][:d],
		Frequency: s.first[firstHeads+d:][:d],
	}, nil
}

// Rescale returns the same moments for features divided by scale; sums already
// made are kept.
func (s *Sampled) Rescale(scale []float64) *Sampled {
	t := *s
	t.f.Scale, t.pairs = scale, nil
	return &t
}

// scan runs the given sums, and with them, in the same pass, those of first
// order and the pair counts if they are not known yet.
func (s *Sampled) scan(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	n := len(sums)
	if s.first == nil {
		sums = append(sums, newFirstSum(&s.f, s.Dim()))
	}
	wantPairs := s.f.Pairs && !s.paired()
	if wantPairs {
		sums = append(sums, pairSum{&s.f, s.Dim()})
	}
	if len(sums) == 0 {
		return nil, nil
	}
	states, err := s.run.Run(ctx, sums...)
	if err != nil {
		return nil, err
	}
	if s.first == nil {
		s.first = states[n]
	}
	if wantPairs {
		s.sums = states[len(states)-1]
	}
	return states[:n], nil
}

func (s *Sampled) scale(h int) float64 {
	if s.f.Scale == nil {
		return 1
	}
	return s.f.Scale[h]
}

// First returns M1 of the scaled features.
func (s *Sampled) First(ctx context.Context) ([]float64, error) {
	if _, err := s.scan(ctx); err != nil {
		return nil, err
	}
	if err := s.enough(); err != nil {
		return nil, err
	}
	m1 := make([]float64, s.Dim())
	for h := range m1 {
		m1[h] = s.first[firstHeads+h] / s.first[atLength1] / s.scale(h)
	}
	return m1, nil
}

// ErrTooFew says that the records cannot carry third moments.
type ErrTooFew struct{ Reason string }

func (e *ErrTooFew) Error() string { return "moment: " + e.Reason }

func (s *Sampled) enough() error {
	if s.first[atN] == 0 {
		return &ErrTooFew{"no records"}
	}
	if s.first[atLength3] <= 0 {
		return &ErrTooFew{fmt.Sprintf("none of the %.0f records has three entries or more: third moments need records of at least three words", s.first[atN])}
	}
	return nil
}

// Matrix returns M2 whole when the formula keeps pairs, and nil otherwise.
func (s *Sampled) Matrix(ctx context.Context) (*mat.SymDense, error) {
	if !s.f.Pairs {
		return nil, nil
	}
	m2, err := s.matrix(ctx)
	if err != nil {
		return nil, err
	}
	return mat.NewSymDense(s.Dim(), m2.RawMatrix().Data), nil
}

// matrix returns M2 whole, both halves, of a formula that keeps pairs.
func (s *Sampled) matrix(ctx context.Context) (*mat.Dense, error) {
	var err error
	if s.pairs == nil {
		s.pairs, err = s.pairMatrix(ctx)
	}
	return s.pairs, err
}

// Project implements Source.
func (s *Sampled) Project(ctx context.Context, b *mat.Dense, want Want) (*Projection, error) {
	d, l := b.Dims()
	if d != s.Dim() {
		return nil, fmt.Errorf("moment: basis of %d rows for %d features", d, s.Dim())
	}
	sum := &projectSum{f: &s.f, d: d, l: l, stride: l, want: want, shared: s.shared()}
	if s.f.Pairs {
		sum.want &^= Second
	}
	if s.f.Single && want&^(Second|Core) == 0 {
		sum.stride = (l + kernel.Lanes32 - 1) / kernel.Lanes32 * kernel.Lanes32
		sum.single = s.newSingle(sum, b)
		defer sum.single.close()
	}
	sum.basis = sync.OnceValue(func() []float64 { return s.scaledBasis(b, sum.stride) })
	if sum.single == nil && sum.Len() > 0 {
		sum.basis() // all workers will ask for it at once, and would be woken one after the other
	}
	state, err := s.add(ctx, sum, b)
	if err != nil {
		return nil, err
	}
	if err := s.enough(); err != nil {
		return nil, err
	}
	return s.finish(ctx, sum, b, state, want)
}

// add adds up what the basis b sees.
func (s *Sampled) add(ctx context.Context, sum *projectSum, b *mat.Dense) ([]float64, error) {
	if sum.Len() == 0 {
		_, err := s.scan(ctx)
		return nil, err
	}
	if s.some != nil { // of second order alone
		return s.some.add(ctx, par.State{Size: sum.Len(), Late: sum.Late()}, func(state func() []float64, block []pass.Block) error {
			if len(block) == 1 {
				return sum.AddLate(state, block[0])
			}
			sum.single.add(state, block...)
			return nil
		})
	}
	states, err := s.scan(ctx, pass.Given(sum, b.RawMatrix().Data))
	if err != nil {
		return nil, err
	}
	return states[0], nil
}

// shared reports that e2(x) = x and that all orders weigh records alike.
func (s *Sampled) shared() bool {
	return s.f.Weigh == nil && !s.f.Pairs && s.f.Law.linear(s.binary)
}

// scaledBasis returns the basis with row h divided by the scale of h, rows so
// many numbers apart.
func (s *Sampled) scaledBasis(b *mat.Dense, stride int) []float64 {
	d, _ := b.Dims()
	out := make([]float64, d*stride)
	for h := range d {
		f := 1 / s.scale(h)
		for a, v := range b.RawRowView(h) {
			out[h*stride+a] = f * v
		}
	}
	return out
}

// finish turns sums into moments: it subtracts what stands on the diagonals,
// scales, and divides.
func (s *Sampled) finish(ctx context.Context, sum *projectSum, b *mat.Dense, state []float64, want Want) (*Projection, error) {
	d, l := b.Dims()
	second, mixed, core, slices, rows := sum.parts(state)
	if sum.shared {
		mixed = second
	}
	out := &Projection{}
	if want&Second != 0 {
		var err error
		if out.Second, err = s.finishSecond(ctx, b, second, sum.stride, !sum.shared || want&thirdOrders == 0); err != nil {
			return nil, err
		}
	}
	if want&thirdOrders == 0 {
		return out, nil
	}
	n3 := 1 / s.first[atLength3]
	// g = Σ v·e2(x)⊗z and c = Σ v·c(x), both of the scaled features.
	g, c := mat.NewDense(d, l, nil), make([]float64, d)
	s.team().Rows(d, l, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			f := n3 / (s.scale(h) * s.scale(h))
			if mixed != nil {
				addScaled(g.RawRowView(h), f, mixed[h*sum.stride:][:l])
			}
			c[h] = s.first[firstHeads+3*d+h] * f / s.scale(h)
		}
	})
	if want&Core != 0 {
		var err error
		if out.Core, err = s.finishCore(ctx, core, sum.single, b, g, c); err != nil {
			return nil, err
		}
	}
	if want&Slices != 0 {
		out.Slices = s.finishSlices(b, g, c, slices, n3)
	}
	if want&Rows != 0 {
		out.Rows = mat.NewDense(d, l, nil)
		for h := range d {
			bh, gh, row := b.RawRowView(h), g.RawRowView(h), out.Rows.RawRowView(h)
			addScaled(row, n3/s.scale(h), rows[h*l:][:l])
			for a := range row {
				row[a] += bh[a] * (c[h]*bh[a] - 2*gh[a])
			}
		}
	}
	return out, nil
}

// finishCore returns the core: the packed sums divided by the number of triples, less
// the diagonal's correction by the rows of g (d×l) and c (d). It overwrites sums, and g
// where the correction is made in single precision.
func (s *Sampled) finishCore(ctx context.Context, sums []float64, single *single, b, g *mat.Dense, c []float64) (*Cube, error) {
	_, l := b.Dims()
	for i := range sums {
		sums[i] /= s.first[atLength3]
	}
	if single != nil {
		takeThird(s.team(), g, b, c)
		err := single.correct(ctx, s.Workers(), sums, b, g)
		return Unpack(sums, l), err
	}
	core := Unpack(sums, l)
	return core, correctCoreOn(ctx, s.Workers(), core, b, g, c)
}

// finishSecond returns M2·B, in the memory of the sums where that is free.
func (s *Sampled) finishSecond(ctx context.Context, b *mat.Dense, second []float64, stride int, free bool) (*mat.Dense, error) {
	d, l := b.Dims()
	var out *mat.Dense
	if s.f.Pairs {
		m2, err := s.matrix(ctx)
		if err != nil {
			return nil, err
		}
		return product(ctx, s.Workers(), nil, m2, b)
	}
	n2 := 1 / s.first[atLength2]
	if free && stride == l && s.f.Scale == nil {
		out = mat.NewDense(d, l, second[:d*l])
		s.team().Rows(d, l, func(lo, hi int) {
			for h := lo; h < hi; h++ {
				row, f := out.RawRowView(h), s.first[firstHeads+2*d+h]
				for a, v := range b.RawRowView(h) {
					row[a] = n2 * (row[a] - f*v)
				}
			}
		})
		return out, nil
	}
	out = mat.NewDense(d, l, nil)
	s.team().Rows(d, l, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			row := out.RawRowView(h)
			addScaled(row, n2/s.scale(h), second[h*stride:][:l])
			addScaled(row, -n2*s.first[firstHeads+2*d+h]/(s.scale(h)*s.scale(h)), b.RawRowView(h))
		}
	})
	return out, nil
}

func (s *Sampled) finishSlices(b, g *mat.Dense, c, slices []float64, n3 float64) *mat.Dense {
	d, l := b.Dims()
	kk := l * (l + 1) / 2
	out := mat.NewDense(d, kk, nil)
	for h := range d {
		bh, gh, row := b.RawRowView(h), g.RawRowView(h), out.RawRowView(h)
		addScaled(row, n3/s.scale(h), slices[h*kk:][:kk])
		at := 0
		for a := range l {
			for e := a; e < l; e++ {
				row[at] += c[h]*bh[a]*bh[e] - bh[a]*gh[e] - gh[a]*bh[e]
				at++
			}
		}
	}
	return out
}
