// Package kept goes on with groups of presences where the records are gone: sums of
// them are kept, new records add theirs, and withdrawn ones take theirs away.
//
// Kept are the numbers of records, of every code and of every pair of codes, which
// are whole and exact; the products of three codes in a few directions, the kept
// basis, which agree with a pass over all records to 1e-12; and the expected records
// and codes of every group, each batch's under the model of its time (incremental EM,
// Neal and Hinton 1998). What the basis does not hold of later records is lost: Fit
// says how much of what tells groups apart that is.
//
// Step in the flow: after a fit. It must not know files of data.
package kept

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/presence"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Sums are those of some records, the shards.
type Sums struct {
	Shards []string  // ids of what was added, each once
	N      float64   // records
	Single []float64 // records of every code
	Double []float64 // of every pair, packed as presence.Doubles
	Basis  *mat.Dense
	Core   []float64 // products of three codes in the basis, packed
	Steps  []float64 // the state of the E-step of the family
	// Scaled says that older records count less: counts are no whole numbers any more.
	Scaled bool
}

// extra is the number of directions of the basis beyond the groups, so that groups
// may turn a little.
const extra = 8

// Begin sums up records whose groups were found, and chooses the basis.
func Begin(ctx context.Context, fam family.Family, run pass.Runner, p mixture.Params, shard string) (*Sums, error) {
	d, k := run.Dim(), p.K()
	states, err := run.Run(ctx, presence.Records{}, presence.Singles{Dim: d}, presence.Doubles{Dim: d})
	if err != nil {
		return nil, err
	}
	src := presence.NewSource(states[0][0], states[1], states[2], 1, 0)
	src.Core = func(ctx context.Context, b *mat.Dense) ([]float64, error) {
		_, l := b.Dims()
		return pass.RunOne(ctx, run, presence.Cores{Basis: b.RawMatrix().Data, L: l, Norm: math.Inf(1)})
	}
	basis, err := directions(ctx, src, k)
	if err != nil {
		return nil, err
	}
	empty := &Sums{Basis: basis}
	return empty.Of(ctx, fam, run, p, shard)
}

// directions returns the leading directions of the completed second moment, for
// codes as they are.
func directions(ctx context.Context, src *presence.Source, k int) (*mat.Dense, error) {
	std, err := src.Standard(ctx, k)
	if err != nil {
		return nil, err
	}
	m2, err := src.Matrix(ctx)
	if err != nil {
		return nil, err
	}
	_, e, _, _ := std.Whitening(ctx, k)
	d := src.Dim()
	full := mat.NewDense(d, d, nil)
	full.Copy(m2)
	for h := range d {
		v := 0.0
		for _, x := range e.RawRowView(h) {
			v += x * x
		}
		full.Set(h, h, v)
	}
	_, vectors := spectral.SymEig(full)
	l := min(k+extra, d)
	out := mat.NewDense(d, l, nil)
	for h, f := range src.Scale {
		for a := range l {
			out.Set(h, a, vectors.At(h, a)/f)
		}
	}
	return out, nil
}

// Of sums up other records in the same basis, with expectations under p.
func (s *Sums) Of(ctx context.Context, fam family.Family, run pass.Runner, p mixture.Params, shard string) (*Sums, error) {
	d, l := s.Basis.Dims()
	if run.Dim() != d {
		return nil, fmt.Errorf("kept: records of %d codes, and sums of %d", run.Dim(), d)
	}
	step, err := fam.EStep(p, true)
	if err != nil {
		return nil, err
	}
	states, err := run.Run(ctx, presence.Records{}, presence.Singles{Dim: d}, presence.Doubles{Dim: d},
		presence.Cores{Basis: s.Basis.RawMatrix().Data, L: l, Norm: math.Inf(1)}, step)
	if err != nil {
		return nil, err
	}
	return &Sums{
		Shards: []string{shard}, N: states[0][0], Single: states[1], Double: states[2],
		Basis: s.Basis, Core: states[3], Steps: states[4],
	}, nil
}

// ErrTwice says that records are in the sums already.
var ErrTwice = errors.New("these records are in the sums already, and would count twice")

// ErrNever says that records are not in the sums.
var ErrNever = errors.New("these records were never added")

// Merge adds the sums of other records.
func (s *Sums) Merge(o *Sums) error {
	if err := s.alike(o); err != nil {
		return err
	}
	for _, shard := range o.Shards {
		if slices.Contains(s.Shards, shard) {
			return fmt.Errorf("kept: %w", ErrTwice)
		}
	}
	s.Shards = append(slices.Clone(s.Shards), o.Shards...)
	s.Scaled = s.Scaled || o.Scaled
	s.each(o, func(x, y float64) float64 { return x + y })
	return nil
}

// Sub takes the sums of records away: whole shards by their ids, or single records
// (no shards in o), of which only impossible ones are noticed: those that leave fewer
// records with a code or a pair than none.
func (s *Sums) Sub(o *Sums) error {
	if err := s.alike(o); err != nil {
		return err
	}
	for _, shard := range o.Shards {
		if !slices.Contains(s.Shards, shard) {
			return fmt.Errorf("kept: %w", ErrNever)
		}
	}
	if s.Scaled {
		return errors.New("kept: older records count less here, and what a record counts by now is not known: fit anew without it")
	}
	if o.N > s.N || fewer(s.Single, o.Single) || fewer(s.Double, o.Double) {
		return fmt.Errorf("kept: %w: fewer records have some of their codes", ErrNever)
	}
	s.Shards = slices.DeleteFunc(slices.Clone(s.Shards), func(id string) bool { return slices.Contains(o.Shards, id) })
	s.each(o, func(x, y float64) float64 { return x - y })
	return nil
}

func fewer(have, take []float64) bool {
	for i, v := range take {
		if v > have[i] {
			return true
		}
	}
	return false
}

// Scale makes the records so far count f times as much.
func (s *Sums) Scale(f float64) {
	s.Scaled = s.Scaled || f != 1
	s.N *= f
	for _, list := range [][]float64{s.Single, s.Double, s.Core, s.Steps} {
		for i := range list {
			list[i] *= f
		}
	}
}

func (s *Sums) alike(o *Sums) error {
	if !mat.Equal(s.Basis, o.Basis) || len(s.Steps) != len(o.Steps) {
		return errors.New("kept: the sums are of another basis or another number of groups: only sums of one run go together")
	}
	return nil
}

func (s *Sums) each(o *Sums, f func(x, y float64) float64) {
	s.N = f(s.N, o.N)
	for _, both := range [][2]*[]float64{{&s.Single, &o.Single}, {&s.Double, &o.Double}, {&s.Core, &o.Core}, {&s.Steps, &o.Steps}} {
		out := slices.Clone(*both[0])
		for i, y := range *both[1] {
			out[i] = f(out[i], y)
		}
		*both[0] = out
	}
}
