package moment

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/pass"
)

// BlockedOptions steers NewBlocked. The zero value works.
type BlockedOptions struct {
	Scale []float64 // the moments are those of x_h/Scale_h; +Inf drops a feature; nil means no scaling
	Pairs bool      // keep the whole M2 from one scan: for short rows and small d
}

// Blocked is the Source of records whose features come in blocks that depend on
// each other by construction: a code and its parents, the levels of a question,
// the parts of a view. Two features of one block are never multiplied, so the
// entries of the moments inside a block are zero: Complete fills them in.
//
// With z_b = Σ_{h in b} x_h b_h, z = Σ_b z_b and S = Σ_b z_b z_bᵀ a record gives
//
//	Second   x_h (z − z_b(h))
//	Core     z⊗z⊗z − S⊗z placed three ways + 2 Σ_b z_b⊗z_b⊗z_b
//	Slices   x_h [ (z − z_b)(z − z_b)ᵀ − S + z_b z_bᵀ ],  b = b(h)
//
// It is used by one goroutine at a time; the runner works on all cores.
type Blocked struct {
	run   pass.Runner
	of    []int // block of each feature; features in no block have one of their own
	o     BlockedOptions
	n     float64
	sum   []float64 // Σ x per feature, once known
	pairs *mat.SymDense
}

// NewBlocked returns the moments of the runner's records for the given blocks,
// runs of features [from, to) in rising order that do not overlap.
func NewBlocked(run pass.Runner, blocks [][2]int, o BlockedOptions) (*Blocked, error) {
	of, err := blockOf(blocks, run.Dim())
	if err != nil {
		return nil, err
	}
	if o.Scale != nil && len(o.Scale) != run.Dim() {
		return nil, fmt.Errorf("moment: %d scales for %d features", len(o.Scale), run.Dim())
	}
	return &Blocked{run: run, of: of, o: o}, nil
}

// blockOf returns the number of the block of every feature: those of blocks
// first, then one for each feature alone.
func blockOf(blocks [][2]int, d int) ([]int, error) {
	of, at, alone := make([]int, d), 0, len(blocks)
	skip := func(to int) {
		for ; at < to; at++ {
			of[at] = alone
			alone++
		}
	}
	for i, b := range blocks {
		if b[0] < at || b[1] <= b[0] || b[1] > d {
			return nil, fmt.Errorf("moment: block %d is features %d to %d: blocks must rise, hold a feature and lie within %d features", i+1, b[0]+1, b[1], d)
		}
		skip(b[0])
		for ; at < b[1]; at++ {
			of[at] = i
		}
	}
	skip(d)
	return of, nil
}

// Dim returns the number of features.
func (s *Blocked) Dim() int { return s.run.Dim() }

func (s *Blocked) scale(h int) float64 {
	if s.o.Scale == nil {
		return 1
	}
	return s.o.Scale[h]
}

// scan runs the given sums and, the first time, those that need no basis.
func (s *Blocked) scan(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	want := len(sums)
	if s.sum == nil {
		sums = append(sums, newFirstSum(&Formula{Law: Raw()}, s.Dim()))
		if s.o.Pairs {
			sums = append(sums, pairSum{&Formula{}, s.Dim()})
		}
	}
	if len(sums) == 0 {
		return nil, nil
	}
	states, err := s.run.Run(ctx, sums...)
	if err != nil {
		return nil, err
	}
	if s.sum == nil {
		if s.n = states[want][atN]; s.n == 0 {
			return nil, &ErrTooFew{"no records"}
		}
		s.sum = states[want][firstHeads:][:s.Dim()]
		if s.o.Pairs {
			s.pairs = s.acrossPairs(states[want+1])
		}
	}
	return states[:want], nil
}

// acrossPairs turns pair sums into M2 with zeros inside the blocks.
func (s *Blocked) acrossPairs(state []float64) *mat.SymDense {
	d := s.Dim()
	at, m2 := pairSum{d: d}, mat.NewSymDense(d, nil)
	for h := range d {
		for m := h + 1; m < d; m++ {
			if s.of[h] != s.of[m] {
				m2.SetSym(h, m, state[at.pairRow(h)+m]/s.n/(s.scale(h)*s.scale(m)))
			}
		}
	}
	return m2
}

// First returns M1 of the scaled features.
func (s *Blocked) First(ctx context.Context) ([]float64, error) {
	if _, err := s.scan(ctx); err != nil {
		return nil, err
	}
	m1 := make([]float64, s.Dim())
	for h, v := range s.sum {
		m1[h] = v / s.n / s.scale(h)
	}
	return m1, nil
}

// Matrix returns M2 whole where pairs are kept, and nil otherwise.
func (s *Blocked) Matrix(ctx context.Context) (*mat.SymDense, error) {
	if !s.o.Pairs {
		return nil, nil
	}
	_, err := s.scan(ctx)
	return s.pairs, err
}

// Project implements Source.
func (s *Blocked) Project(ctx context.Context, b *mat.Dense, want Want) (*Projection, error) {
	d, l := b.Dims()
	if d != s.Dim() {
		return nil, fmt.Errorf("moment: basis of %d rows for %d features", d, s.Dim())
	}
	sum := &blockedSum{of: s.of, d: d, l: l, b: make([]float64, d*l), want: want}
	if s.o.Pairs {
		sum.want &^= Second
	}
	for h := range d {
		addScaled(sum.b[h*l:][:l], 1/s.scale(h), b.RawRowView(h))
	}
	var state []float64
	if sum.Len() > 0 {
		states, err := s.scan(ctx, sum)
		if err != nil {
			return nil, err
		}
		state = states[0]
	} else if _, err := s.scan(ctx); err != nil {
		return nil, err
	}
	return s.finish(sum, b, state, want), nil
}

// finish scales the sums and divides them by n.
func (s *Blocked) finish(sum *blockedSum, b *mat.Dense, state []float64, want Want) *Projection {
	d, l := b.Dims()
	p := sum.parts(state)
	out := &Projection{}
	rows := func(t []float64, width int) *mat.Dense {
		m := mat.NewDense(d, width, nil)
		for h := range d {
			addScaled(m.RawRowView(h), 1/(s.n*s.scale(h)), t[h*width:][:width])
		}
		return m
	}
	if want&Second != 0 {
		if s.o.Pairs {
			out.Second = mat.NewDense(d, l, nil)
			out.Second.Mul(s.pairs, b)
		} else {
			out.Second = rows(p.second, l)
		}
	}
	if want&Core != 0 {
		out.Core = Unpack(p.core, l)
		out.Core.Scale(1 / s.n)
		g, c := mat.NewDense(d, l, nil), make([]float64, d)
		for h := range d {
			f := 1 / (s.n * s.scale(h) * s.scale(h))
			addScaled(g.RawRowView(h), f, p.mixed[h*l:][:l])
			c[h] = 2 * f * p.cubes[h] / s.scale(h)
		}
		correctCore(out.Core, b, g, c)
	}
	if want&Slices != 0 {
		out.Slices = rows(p.slices, l*(l+1)/2)
	}
	if want&Rows != 0 {
		out.Rows = rows(p.rows, l)
	}
	return out
}
