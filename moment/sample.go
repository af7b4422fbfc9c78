package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/pass"
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

// stretches are the records of a sample: the first few of every block of all
// records, as many in either half of the blocks. Which they are depends on the
// number of records alone.
type stretches struct {
	size []int // of each stretch
}

// newStretches divides about n records among the blocks of all.
func newStretches(n, all int) stretches {
	blocks := (all + pass.BlockRecords - 1) / pass.BlockRecords
	s := stretches{make([]int, blocks)}
	for half := range 2 {
		lo, hi := half*blocks/2, (half+1)*blocks/2
		for at := lo; at < hi; at++ {
			each := ((n+1)/2 + hi - lo - 1) / (hi - lo)
			s.size[at] = min(each, all-at*pass.BlockRecords, pass.BlockRecords)
		}
	}
	return s
}

// has reports whether the record of that number is in the sample.
func (s stretches) has(number int) bool {
	return number%pass.BlockRecords < s.size[number/pass.BlockRecords]
}

// columns draws a column of l, and a sign, for each record of the sample that is
// to be summed up in one: column j, or j+l for the other sign. The others, for
// which a few of every stretch are enough, have -1.
func (s stretches) columns(l int, r *rand.Rand) []int {
	each := (startRecords*l + len(s.size) - 1) / len(s.size)
	var out []int
	for _, n := range s.size {
		for i := range n {
			column := -1
			if i < each {
				column = r.IntN(2 * l)
			}
			out = append(out, column)
		}
	}
	return out
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
	ent := entries{f: &Formula{Law: Raw()}}
	for i := range b.Rows.N() {
		column := s.column[b.First+i]
		if column < 0 { // as most are
			continue
		}
		_, u, _ := s.f.weights(b.Rows.Slice(i, i+1)).at(0)
		f := math.Sqrt(u)
		if column >= s.l {
			column, f = column-s.l, -f
		}
		index, x, _, _ := ent.row(b.Rows, i)
		for e, v := range x {
			state[featureOf(index, e)*s.l+column] += f * v
		}
	}
	return nil
}

// sample returns the moments of about n of the records, and a first guess of l
// directions of their M2.
func (s *Sampled) sample(ctx context.Context, n, l int, r *rand.Rand) (*Sampled, *mat.Dense, error) {
	some := newStretches(n, s.Records())
	run, err := pass.Copy(ctx, s.run, some.has)
	if err != nil {
		return nil, nil, err
	}
	t := *s
	t.run, t.first, t.sums, t.count, t.turn, t.pairs = run, s.firstOf(run.Len()), nil, nil, nil, nil
	t.kept = s.kept.pick(s.run.Can().First, run.Can().Own, some.has)
	state, err := pass.RunOne(ctx, run, startSum{&s.f, s.Dim(), l, some.columns(l, r)[run.Can().First:]})
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
