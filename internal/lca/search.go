package lca

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
)

// Options steer a search. Zero values mean the defaults.
type Options struct {
	Seed    uint64 // of the starts that are drawn
	Workers int    // cores; 0 means all. No bit of the answer depends on it
	// Starts is the number of starts drawn beside the given ones; 0 means as
	// many as it takes: until none of the last ones improved, hundreds where a
	// start is cheap, and the best was reached often enough, at most mostStarts
	// and what work allows.
	Starts int
	// Given are starts found otherwise, such as by moments.
	Given []Model
	// Rough ends the climb to the best maximum where others end: within a
	// thousandth of a nat or so. For fits that are only compared.
	Rough bool
}

// Found is the best of several maxima.
type Found struct {
	Model
	LogLikelihood float64
	// Starts is the number of starts that were climbed from, Reached how many
	// of them ended within Near of the best.
	Starts  int `json:"starts"`
	Reached int `json:"reached"`
}

// Near is how close, in nats, two maxima are one.
const Near = 0.01

const (
	roundStarts = 32   // starts that are climbed from at once, whatever the cores
	quietStarts = 64   // without an improvement, where a start is dear
	quietMost   = 384  // and where it is cheap: maxima are known that one start in fifty finds
	sureReached = 4    // so often the best one must have been reached
	mostStarts  = 1024 // in all
	// work bounds the looks at an answer of a search that runs by itself, at
	// about 300 looks at the records a start: half a minute of one core.
	work = 2e10
	// quietWork bounds the looks at an answer of the starts that improve nothing.
	quietWork = 1.5e9

	climbTol    = 1e-6 // nats gained by a round of EM that ends a climb
	roughTol    = 1e-4
	climbRounds = 500
	polishTol   = 1e-11 // of the best one
	polishes    = 20000
	better      = 1e-4 // nats, below which a maximum is no better
)

// most returns the largest number of starts, and how many must improve nothing
// before a search ends.
func (t *Table) most(k int, o Options) (quiet, most int) {
	if o.Starts > 0 {
		return o.Starts, o.Starts
	}
	cost := 300 * float64(max(len(t.code), 1)) * float64(k)
	most = min(mostStarts, max(2, int(work/cost)))
	quiet = min(max(quietStarts, int(quietWork/cost)), quietMost)
	return min(most, quiet), most
}

// Search climbs from the given starts and from drawn ones until none improves.
// The answer depends on the table, k, the seed and the given starts alone.
func (t *Table) Search(ctx context.Context, k int, o Options) (*Found, error) {
	if k < 1 || t.n == 0 {
		return nil, fmt.Errorf("lca: %d classes of %d records", k, t.Records())
	}
	if k == 1 {
		m, ll := t.EM(ctx, t.uniform(1, stream.New(o.Seed, "lca one class")), polishTol, polishes)
		return &Found{m, ll, 1, 1}, ctx.Err()
	}
	s := &search{t: t, k: k, o: o}
	if err := s.climb(ctx, len(o.Given), func(i int) Model { return o.Given[i].clone() }); err != nil {
		return nil, err
	}
	quiet, most := t.most(k, o)
	for drawn := 0; drawn < most && !s.converged(quiet); {
		n := min(roundStarts, most-drawn)
		best := s.model
		if err := s.climb(ctx, n, func(i int) Model { return t.drawn(k, drawn+i, o.Seed, best) }); err != nil {
			return nil, err
		}
		drawn += n
		progress.Report(ctx, progress.Event{Step: "trying other starts", Done: int64(drawn), Total: int64(most), Unit: "starts"})
	}
	m, ll := s.model, s.ll
	if !o.Rough {
		m, ll = t.EM(ctx, s.model, polishTol, polishes)
	}
	found := &Found{Model: t.ordered(m), LogLikelihood: ll, Starts: len(s.all)}
	for _, l := range s.all {
		if l >= ll-Near {
			found.Reached++
		}
	}
	return found, ctx.Err()
}

// drawn returns start i, by the best model so far where there is one.
func (t *Table) drawn(k, i int, seed uint64, best Model) Model {
	r := rand.New(rand.NewPCG(stream.New(seed, fmt.Sprintf("lca start %d", i)).Uint64(), uint64(i)))
	switch kind := i % 8; {
	case kind == 3 && best.K > 0:
		return t.joined(best, r)
	case kind == 7 && best.K > 0:
		return t.redrawn(best, r)
	case kind%4 == 1:
		return t.scattered(k, r)
	}
	return t.uniform(k, r)
}

// search is what is known so far.
type search struct {
	t     *Table
	k     int
	o     Options
	model Model
	ll    float64
	found int       // the start that found model
	all   []float64 // where each start ended
}

// climb climbs from n starts and keeps the best.
func (s *search) climb(ctx context.Context, n int, start func(int) Model) error {
	models, ends := make([]Model, n), make([]float64, n)
	err := par.Do(ctx, s.o.Workers, n, func(i int) error {
		tol := climbTol
		if s.o.Rough {
			tol = roughTol
		}
		models[i], ends[i] = s.t.EM(ctx, start(i), tol, climbRounds)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for i, l := range ends {
		if s.model.K == 0 || l > s.ll+better {
			s.model, s.ll, s.found = models[i], l, len(s.all)+i
		}
	}
	s.all = append(s.all, ends...)
	return nil
}

// converged reports that the best one was found long ago and often enough.
func (s *search) converged(quiet int) bool {
	if len(s.all)-1-s.found < quiet {
		return false
	}
	reached := 0
	for _, l := range s.all {
		if l >= s.ll-Near {
			reached++
		}
	}
	return reached >= sureReached
}

// ordered returns the model with its classes by falling share, the first
// answers deciding between equals.
func (t *Table) ordered(m Model) Model {
	order := make([]int, m.K)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case m.Weights[a] > m.Weights[b]:
			return -1
		case m.Weights[a] < m.Weights[b]:
			return 1
		}
		return 0
	})
	out := t.newModel(m.K)
	for to, from := range order {
		out.Weights[to] = m.Weights[from]
		for j := range t.cols {
			out.P[j*m.K+to] = m.P[j*m.K+from]
		}
	}
	return out
}
