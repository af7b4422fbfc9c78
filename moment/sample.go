package moment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/par"
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
	leastLooks, mostLooks = 4096, 8192
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
	if !ok || s.f.Weigh == nil || s.f.Pairs || s.Records() < leastRecords {
		return nil, nil
	}
	sample, err := s.Sample(ctx, min(max(s.Records()/2, leastLooks), mostLooks)/steps)
	if err != nil {
		return nil, err
	}
	team := Team(s)
	q := team.Orthonormalise(sample.start(l, r))
	for range steps {
		p, err := sample.Project(ctx, q, Second)
		if err != nil {
			return nil, err
		}
		sample.room().Keep(q.RawMatrix().Data)
		q = team.Orthonormalise(p.Second)
	}
	return q, nil
}

// start returns the d×l sums of records of a sample, each with the square root
// of its weight in M2 and a sign in one column: half a power step from a random
// matrix, at a fraction of the cost.
func (s *Sampled) start(l int, r *rand.Rand) *mat.Dense {
	parts := s.run.(*sampleRunner).parts
	each := (startRecords*l + len(parts) - 1) / len(parts)
	out := mat.NewDense(s.Dim(), l, s.room().Take(s.Dim()*l))
	sums, ent := out.RawMatrix().Data, entries{f: &Formula{Diagonal: Raw}}
	for _, b := range parts {
		rows := b.Rows.Slice(0, min(each, b.Rows.N()))
		w := s.f.weights(rows)
		for i := range rows.N() {
			_, u, _ := w.at(i)
			column, f := r.IntN(2*l), math.Sqrt(u)
			if column >= l {
				column, f = column-l, -f
			}
			index, x, _, _ := ent.row(rows, i)
			for e, v := range x {
				sums[featureOf(index, e)*l+column] += f * v
			}
		}
	}
	return out
}

// Sample returns the moments of about n of the records, the first ones of every
// block, as many in every run of blocks. Rows that are in memory are looked at
// where they are; others are copied in one scan. Which they are depends on the
// number of records alone.
func (s *Sampled) Sample(ctx context.Context, n int) (*Sampled, error) {
	run := &sampleRunner{Runner: s.run, room: s.room(), workers: s.Workers()}
	blocks := (s.run.Len() + pass.BlockRecords - 1) / pass.BlockRecords
	run.parts = make([]pass.Block, blocks)
	_, inMemory := s.run.(*pass.Local)
	err := s.run.Visit(ctx, func(b pass.Block) error {
		at := b.First / pass.BlockRecords
		each := (n + sampleRuns - 1) / sampleRuns
		for r := range sampleRuns {
			if lo, hi := run.span(r); lo <= at && at < hi {
				each = (each + hi - lo - 1) / (hi - lo)
			}
		}
		rows := b.Rows.Slice(0, min(each, b.Rows.N()))
		if !inMemory {
			rows = copied(rows)
		}
		run.parts[at] = pass.Block{First: b.First, Rows: rows}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, b := range run.parts {
		run.n += b.N()
	}
	t := *s
	t.run, t.first, t.pairs = run, s.firstOf(run.n), nil
	return &t, nil
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

// room returns the memory that passes leave to one another, a new one where the
// runner has none.
func (s *Sampled) room() *par.Room {
	if r, ok := s.run.(interface{ Room() *par.Room }); ok {
		return r.Room()
	}
	return new(par.Room)
}

// copied returns a copy of the rows and of nothing else.
func copied(r sparse.Rows) sparse.Rows {
	out := sparse.Rows{Dim: r.Dim, Dense: slices.Clone(r.Dense)}
	if r.IsDense() {
		return out
	}
	lo, hi := r.Ptr[0], r.Ptr[r.N()]
	out.Index = slices.Clone(r.Index[lo:hi])
	if r.Value != nil {
		out.Value = slices.Clone(r.Value[lo:hi])
	}
	out.Ptr = make([]int, len(r.Ptr))
	for i, p := range r.Ptr {
		out.Ptr[i] = p - lo
	}
	return out
}

// sampleRunner runs passes over small parts of blocks. A few parts at a time
// are summed up in one state: their tables would cost more than their rows.
type sampleRunner struct {
	pass.Runner // the records that the sample is of
	parts       []pass.Block
	n, workers  int
	room        *par.Room
}

// sampleRuns is the number of runs of parts, each summed up by one worker. It
// is part of the result.
const sampleRuns = 2

// span returns which parts run i consists of.
func (r *sampleRunner) span(i int) (lo, hi int) {
	return i * len(r.parts) / sampleRuns, (i + 1) * len(r.parts) / sampleRuns
}

// Room returns the memory that passes leave to one another.
func (r *sampleRunner) Room() *par.Room { return r.room }

// Len implements pass.Runner.
func (r *sampleRunner) Len() int { return r.n }

// Visit implements pass.Runner.
func (r *sampleRunner) Visit(ctx context.Context, f func(pass.Block) error) error {
	return par.Do(ctx, r.workers, len(r.parts), func(i int) error { return f(r.parts[i]) })
}

// Run implements pass.Runner.
func (r *sampleRunner) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	sizes, size := make([]int, len(sums)), 0
	for i, s := range sums {
		sizes[i] = s.Len()
		size += sizes[i]
	}
	at := 0
	next := func() ([]pass.Block, bool, error) {
		if at == sampleRuns {
			return nil, false, nil
		}
		lo, hi := r.span(at)
		at++
		return r.parts[lo:hi], true, nil
	}
	state, err := par.ReduceIn(ctx, r.room, r.workers, size, sampleRuns, next, func(state []float64, blocks []pass.Block) error {
		return addAll(state, sums, sizes, blocks)
	})
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(sums))
	for i, n := range sizes {
		out[i], state = state[:n:n], state[n:]
	}
	return out, nil
}

// addAll adds the blocks' shares in all sums, whose states stand end to end.
func addAll(state []float64, sums []pass.Sum, sizes []int, blocks []pass.Block) error {
	for _, b := range blocks {
		rest := state
		for i, s := range sums {
			if err := s.Add(rest[:sizes[i]:sizes[i]], b); err != nil {
				return err
			}
			rest = rest[sizes[i]:]
		}
	}
	return nil
}
