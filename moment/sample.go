package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Records returns the number of records.
func (s *Sampled) Records() int { return s.run.Len() }

// Columns returns a number of columns, least or a few more, that a basis for
// the source may have at the cost of least.
func Columns(src Source, least int) int {
	if s, ok := src.(*Sampled); ok && s.f.Single {
		return (least + kernel.Lanes32 - 1) / kernel.Lanes32 * kernel.Lanes32
	}
	return least
}

const (
	// leastRecords is the number of records below which a sketch saves nothing.
	leastRecords = 8192
	// The records of a sample, times the power steps on them, are half of all,
	// within these bounds. (Seven corpora of 10,000 and 50,000 documents, 10 to
	// 50 topics: with twice as many in the sample, L1 is the same to three
	// digits.)
	leastSample, mostSample = 4096, 8192
	// startRecords is the number of records whose sum is a first direction.
	startRecords = 32
)

// Sketch returns an orthonormal basis of l columns near the leading subspace of
// M2, by so many power steps on a sample of the records, from sums of a few of
// them with signs from r. What the sampling errors of the sample add lies where
// M2 of all records has little, so that one power step on all takes it away. It
// returns nil where the source has too few records for that, M2 whole, or other
// records than bags of words.
func Sketch(ctx context.Context, src Source, l, steps int, r *rand.Rand) (*mat.Dense, error) {
	s, ok := src.(*Sampled)
	if !ok || s.f.Weigh == nil || s.f.Pairs || s.Records() < s.run.Can().Size(leastRecords) {
		return nil, nil
	}
	sample, first, err := s.sample(ctx, min(max(s.Records()/2, leastSample), mostSample)/steps, l, r)
	if err != nil {
		return nil, err
	}
	team := spectral.Team(Workers(s))
	q := team.Orthonormalise(first)
	for range steps {
		p, err := sample.Project(ctx, q, Second)
		if err != nil {
			return nil, err
		}
		sample.run.Can().Buffers.Keep(q.RawMatrix().Data)
		q = team.Orthonormalise(p.Second)
	}
	return q, nil
}

// startSum adds up the d×l sums of records, each with the square root of its
// weight in M2 and a sign in one column: half a power step from a random matrix,
// at a fraction of the cost.
type startSum struct {
	f      *Formula
	d, l   int
	column []int // of the own records, see stretches.columns
}

func (s startSum) Len() int { return s.d * s.l }

func (s startSum) Add(state []float64, b pass.Block) error {
	s.add(state, b.Rows, s.column[b.First:])
	return nil
}

func (s startSum) add(state []float64, rows sparse.Rows, columns []int) {
	ent := entries{f: &Formula{Law: Raw()}}
	for i := range rows.N() {
		column := columns[i]
		if column < 0 { // as most are
			continue
		}
		_, u, _ := s.f.weights(rows.Slice(i, i+1)).at(0)
		f := math.Sqrt(u)
		if column >= s.l {
			column, f = column-s.l, -f
		}
		index, x, _, _ := ent.row(rows, i)
		for e, v := range x {
			state[featureOf(index, e)*s.l+column] += f * v
		}
	}
}

// sample returns the moments of about n of the records, and a first guess of l
// directions of their M2.
func (s *Sampled) sample(ctx context.Context, n, l int, r *rand.Rand) (*Sampled, *mat.Dense, error) {
	some := newStretches(n, s.Records())
	sum := startSum{&s.f, s.Dim(), l, some.columns(l, r)}
	t := *s
	t.first, t.sums, t.count, t.turn, t.pairs = s.firstOf(some.n), nil, nil, nil, nil
	var state []float64
	var err error
	if t.some = s.inPlace(some); t.some != nil {
		state, err = t.some.add(ctx, par.State{Size: sum.Len()}, func(state func() []float64, block []pass.Block) error {
			for _, b := range block {
				sum.add(state(), b.Rows, sum.column[some.number(b.First):])
			}
			return nil
		})
	} else {
		var run *pass.Local
		if run, err = pass.Copy(ctx, s.run, some.has); err != nil {
			return nil, nil, err
		}
		t.run, t.kept = run, nil
		sum.column = sum.column[run.Can().First:]
		state, err = pass.RunOne(ctx, run, sum)
	}
	if err != nil {
		return nil, nil, err
	}
	return &t, mat.NewDense(s.Dim(), l, state), nil
}

// firstOf returns the sums of first order that so many records have as a rule,
// where those of all are known: what they err in is no more than what sampling
// does to the sums of second order.
func (s *Sampled) firstOf(n int) []float64 {
	if s.first == nil || s.first[atN] == 0 {
		return nil
	}
	share, first := float64(n)/s.first[atN], make([]float64, len(s.first))
	for i, v := range s.first {
		first[i] = share * v
	}
	return first
}
