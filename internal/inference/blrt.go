package inference

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
)

// Bootstrap is the bootstrap likelihood-ratio test of k classes against one
// more (McLachlan 1987): how often records drawn from k classes gain as much by
// another class as these records do.
type Bootstrap struct {
	K          int     // classes of the simpler model
	Ratio      float64 // 2·(log-likelihood of K+1 classes − of K)
	P          float64 // (1 + draws that gain as much)/(1 + draws)
	Replicates int
	// Mean and Upper are the mean and the 95 % point of the draws' ratios.
	Mean, Upper float64
}

// BootstrapOptions steer the test. Zero values mean the defaults.
type BootstrapOptions struct {
	Replicates int // sets drawn; 0 means 200
	Seed       uint64
	Workers    int
}

const (
	defaultReplicates = 200
	// Starts of each fit to a drawn set beside the answer it was drawn from:
	// too few find less than the best maximum of the larger model, and p too
	// small.
	replicateStarts = 16
	fewerStarts     = 4
)

// LikelihoodRatio tests k classes against k+1, all of maximum likelihood. The
// answer depends on the records, k and the seed alone.
func LikelihoodRatio(ctx context.Context, t *lca.Table, k int, o BootstrapOptions) (*Bootstrap, error) {
	if o.Replicates <= 0 {
		o.Replicates = defaultReplicates
	}
	less, err := t.Search(ctx, k, lca.Options{Seed: o.Seed, Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	more, err := t.Search(ctx, k+1, lca.Options{Seed: o.Seed, Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	out := &Bootstrap{K: k, Ratio: 2 * (more.LogLikelihood - less.LogLikelihood), Replicates: o.Replicates}
	ratios := make([]float64, o.Replicates)
	var done atomic.Int64
	err = par.Do(ctx, o.Workers, o.Replicates, func(i int) error {
		seed := stream.New(o.Seed, fmt.Sprintf("blrt %d", i)).Uint64()
		var err error
		quiet := progress.With(ctx, func(progress.Event) {}) // of the single fits
		ratios[i], err = replicate(quiet, t, less.Model, more.Model, seed)
		progress.Report(ctx, progress.Event{Step: "drawing sets", Done: done.Add(1), Total: int64(o.Replicates), Unit: "sets"})
		return err
	})
	if err != nil {
		return nil, err
	}
	out.compare(ratios)
	return out, nil
}

// compare sets the ratio beside those of the sets drawn: one that is reached as
// often as not is nothing.
func (b *Bootstrap) compare(ratios []float64) {
	reached := 0
	for _, r := range ratios {
		b.Mean += r / float64(len(ratios))
		if r >= b.Ratio {
			reached++
		}
	}
	slices.Sort(ratios)
	b.Upper = ratios[min(len(ratios)-1, (len(ratios)*95)/100)]
	b.P = float64(1+reached) / float64(1+len(ratios))
}

// replicate returns the ratio of a set drawn from the simpler model.
func replicate(ctx context.Context, t *lca.Table, less, more lca.Model, seed uint64) (float64, error) {
	drawn := t.Draw(less, stream.New(seed, "records"))
	a, err := drawn.Search(ctx, less.K, lca.Options{Seed: seed, Workers: 1, Starts: fewerStarts, Given: []lca.Model{less}, Rough: true})
	if err != nil {
		return 0, err
	}
	b, err := drawn.Search(ctx, more.K, lca.Options{Seed: seed, Workers: 1, Starts: replicateStarts, Given: []lca.Model{more}, Rough: true})
	if err != nil {
		return 0, err
	}
	return max(0, 2*(b.LogLikelihood-a.LogLikelihood)), nil
}
