// Package slices compares the two objectives of SIDIWO: squares over the slices of M3
// seen in the leading subspace, which is the default, and the papers' sum of norms over
// all slices ([T] eq. 5.9, [H] Alg. 1), which costs a scan and a slower search.
//
// Command: go run -C experiments . slices
//
// Ours: docs/results.md, row "slices".
package slices

import (
	"context"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// setting is data and a size.
type setting struct {
	name, model string
	kind        record.Kind
	k           int // groups, of a tree where leaves says so
	tree        bool
	draw        func(seed uint64) synth.Set
}

const seeds = 20

func settings() []setting {
	topics := func(words int) func(uint64) synth.Set {
		return func(seed uint64) synth.Set { return synth.HierarchicalTopics(seed, 400, words, .1) }
	}
	presences := func(n int) func(uint64) synth.Set {
		return func(seed uint64) synth.Set {
			return synth.ExponentialBernoulli(seed, n, 99, 12, synth.UniformWeights)
		}
	}
	return []setting{
		{"8 topics, 200 words, flat", "single-topic", record.Counts, 8, false, topics(200)},
		{"8 topics, 50 words, flat", "single-topic", record.Counts, 8, false, topics(50)},
		{"8 topics, 4 asked for, 100 words", "single-topic", record.Counts, 4, false, topics(100)},
		{"8 topics, 200 words, tree", "single-topic", record.Counts, 8, true, topics(200)},
		{"8 topics, 50 words, tree", "single-topic", record.Counts, 8, true, topics(50)},
		{"12 groups of presences, n=1000, flat", "bernoulli", record.Presence, 12, false, presences(1000)},
		{"12 groups of presences, n=10000, flat", "bernoulli", record.Presence, 12, false, presences(10000)},
		{"Poisson, 5 groups, n=3000, flat", "poisson", record.Counts, 5, false, func(seed uint64) synth.Set { return synth.PoissonMixture(seed, 3000, 100, 5, 40) }},
	}
}

// Run prints the table.
func Run(ctx context.Context, w io.Writer, _ bool) error {
	lab.Heading(w, "SIDIWO without EM, %d seeds: ARI by either objective", seeds)
	t := lab.NewTable("data", "squares, projected slices (default)", "sum of norms, all slices ([T] 5.9)", "default less papers'", "CPU: default / papers'")
	for _, s := range settings() {
		var score, seconds [2]lab.Series
		for _, seed := range lab.Seeds(ctx, 7000, seeds) {
			set := s.draw(seed)
			for i, how := range []string{fit.ProjectedSlices, fit.AllSlices} {
				ari, cpu, err := s.measure(ctx, set, how)
				if err != nil {
					return fmt.Errorf("%s, seed %d: %w", s.name, seed, err)
				}
				score[i], seconds[i] = append(score[i], ari), append(seconds[i], cpu)
			}
		}
		d := score[0].Less(score[1])
		t.Add(s.name, score[0], score[1], fmt.Sprintf("%+.4f ±%.4f (standard error)", d.Mean(), d.Error()), lab.Seconds(seconds[0].Mean())+" / "+lab.Seconds(seconds[1].Mean()))
	}
	t.Write(w)
	return nil
}

func (s setting) measure(ctx context.Context, set synth.Set, how string) (ari, seconds float64, err error) {
	o := fit.Settings{K: s.k, Method: "sidiwo", Slices: how, Spec: model.Spec{Model: s.model}, Refine: fit.None, Seed: 1, Workers: 1}
	grow := fit.Flat
	if s.tree {
		o.K, o.Method, o.Tree, grow = 0, "", fit.TreeShape{Leaves: s.k, Splitter: "sidiwo", Stability: "off"}, fit.Tree
	}
	var out *fit.Outcome
	seconds, err = lab.Timed(func() (err error) {
		out, err = grow(ctx, lab.Generated(set.Rows, s.kind), o)
		return err
	})
	if lab.TooLittle(err) {
		return 0, seconds, nil
	}
	if err != nil {
		return 0, seconds, err
	}
	ari, err = agree.ARI(lab.Ints(out.Group), set.Labels)
	return ari, seconds, err
}
