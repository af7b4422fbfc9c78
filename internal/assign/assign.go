// Package assign gives every record its group: the posterior probabilities,
// the best group, and how doubtful the choice is. No record is left out.
package assign

import (
	"context"
	"sync"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Assignment holds the best group of every row.
type Assignment struct {
	K           int
	Group       []int32   // best component of each row, from 0
	Probability []float32 // its posterior probability
}

// Labels returns the groups as ints.
func (a *Assignment) Labels() []int {
	out := make([]int, len(a.Group))
	for i, g := range a.Group {
		out[i] = int(g)
	}
	return out
}

// newAssignment has room for the rows that are here.
func newAssignment(k int, run pass.Runner) *Assignment {
	can, a := run.Can(), &Assignment{K: k}
	par.Together(can.Workers, // memory that was used before is cleared, by one core each
		func() { a.Group = pages.Make[int32](can.OwnRows) },
		func() { a.Probability = pages.Make[float32](can.OwnRows) })
	return a
}

// All assigns the rows that are here: the records, or the steps of sequences.
func All(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner) (*Assignment, error) {
	a := newAssignment(p.K(), run)
	if f, ok := f.(family.Placer); ok {
		if err := a.place(ctx, f, p, run); err != nil {
			return nil, err
		}
		return a, nil
	}
	err := Each(ctx, f, p, run, func(first int, posterior []float64) error {
		for i := 0; i*a.K < len(posterior); i++ {
			g := Best(posterior[i*a.K:][:a.K])
			a.Group[first+i], a.Probability[first+i] = int32(g), float32(posterior[i*a.K+g])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// place assigns the records by what the family makes ready.
func (a *Assignment) place(ctx context.Context, f family.Placer, p mixture.Params, run pass.Runner) error {
	places, err := f.Places(p)
	if err != nil {
		return err
	}
	_, err = run.Own(ctx, func(b pass.Block) error {
		return places(b, a.Group[b.First:], a.Probability[b.First:])
	})
	return err
}

// Each hands the posterior probabilities (rows×k) of every own block to use, with
// the number of the block's first row, from several goroutines at once. The
// slice is used only until use returns.
func Each(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner, use func(first int, posterior []float64) error) error {
	var space posteriors
	_, err := run.Own(ctx, func(b pass.Block) error {
		return space.use(b.Rows.N()*p.K(), func(out []float64) error {
			if err := f.Posterior(p, b, out); err != nil {
				return err
			}
			first := b.First
			if b.Steps != nil {
				first = b.Steps[0]
			}
			return use(first, out)
		})
	})
	return err
}

// posteriors is memory for those of one block after another.
type posteriors struct{ pool sync.Pool } // of *[]float64

func (p *posteriors) use(n int, f func([]float64) error) error {
	buffer, _ := p.pool.Get().(*[]float64)
	if buffer == nil || len(*buffer) < n {
		buffer = new([]float64)
		*buffer = make([]float64, n)
	}
	defer p.pool.Put(buffer)
	return f((*buffer)[:n])
}

// Best returns the component of largest probability, the first of equals.
func Best(posterior []float64) int {
	best := 0
	for j, v := range posterior {
		if v > posterior[best] {
			best = j
		}
	}
	return best
}
