// Package bernoullitrees measures trees over presences ([T] ch. 6): D-SIDIWO
// and the default split beside bisecting k-means, PDDP and flat fits, on the
// Bernoulli mixtures of [T] Fig. 4.1 and on hierarchical ones.
//
// Claims of the paper ([T] Tables 6.1, 6.2 on hospital data that are not
// public): D-SIDIWO is the most stable method (.95 and .89, against .73 of flat
// ASVTD + EM) and foretells a long stay as well as any.
//
// Command: go run -C experiments . bernoulli-trees
//
// Ours: docs/results.md, rows "bernoulli-trees".
package bernoullitrees

import (
	"context"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/sparse"
)

// Setting is one kind of data set.
type Setting struct {
	Name string
	K    int
	From uint64 // first seed
	Draw func(seed uint64) synth.Set
}

// Settings lists the data sets: the papers' and the evidence's own.
func Settings() []Setting {
	return []Setting{
		{"[T] Fig. 4.1, d=99 k=12 n=1000", 12, 3000, func(s uint64) synth.Set {
			return synth.ExponentialBernoulli(s, 1000, 99, 12, synth.UniformWeights)
		}},
		{"[T] Fig. 4.1, d=99 k=12 n=10000", 12, 3000, func(s uint64) synth.Set {
			return synth.ExponentialBernoulli(s, 10000, 99, 12, synth.UniformWeights)
		}},
		{"exp, d=99 k=12 n=3000", 12, 1000, func(s uint64) synth.Set {
			return synth.ExponentialBernoulli(s, 3000, 99, 12, synth.ExponentialWeights)
		}},
		{"hier8, d=100 n=2000", 8, 1000, func(s uint64) synth.Set { return synth.HierarchicalBernoulli(s, 2000, 100, 1) }},
		{"sparse hier8, d=200 n=2000", 8, 1000, func(s uint64) synth.Set { return synth.HierarchicalBernoulli(s, 2000, 200, sparseKept) }},
	}
}

// sparseKept is the share of presences that the sparse set keeps.
const sparseKept = .35

// Run prints the tables. Full uses ten seeds.
func Run(ctx context.Context, w io.Writer, full bool) error {
	seeds := 5
	if full {
		seeds = 10
	}
	for _, s := range Settings() {
		c, err := Measure(ctx, s, seeds)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		lab.Heading(w, "%s, %d groups, %d seeds", s.Name, s.K, seeds)
		c.Table("method").Write(w)
		for _, rival := range []string{DSIDIWOEM, Bisecting, Divisive, FlatASVTD, FlatDefault} {
			d := c.Of(Default).Less(c.Of(rival))
			fmt.Fprintf(w, "- the default is not behind %s (%+.3f): %s\n", rival, d.Mean(), lab.Verdict(lab.NotBehind(c.Of(Default), c.Of(rival), 0)))
		}
		fmt.Fprintln(w)
	}
	if err := predictions(ctx, w, seeds); err != nil {
		return err
	}
	if err := stabilities(ctx, w, seeds); err != nil {
		return err
	}
	return automatic(ctx, w, seeds)
}

// Measure lets all methods cluster the same draws of a setting.
func Measure(ctx context.Context, s Setting, seeds int) (*lab.Contest, error) {
	var all []lab.Contestant[synth.Set]
	for _, c := range Clusterers(s.From) {
		all = append(all, lab.Contestant[synth.Set]{Name: c.Name, Group: func(ctx context.Context, set synth.Set) ([]int, error) {
			return c.Group(ctx, set.Rows, s.K)
		}})
	}
	all = append(all, lab.Contestant[synth.Set]{Name: "EM from the truth", Group: fromTruth})
	return lab.Meet(ctx, lab.Seeds(ctx, s.From, seeds), s.Draw, all, func(set synth.Set, labels []int) (float64, error) {
		return agree.ARI(labels, set.Labels)
	})
}

// stabilities is the test of [T] §6.4.1 on the sparse hier8 set: two runs on
// 3200 shared and 600 own records each, compared on the shared ones.
func stabilities(ctx context.Context, w io.Writer, seeds int) error {
	const n, shared = 4400, 3200
	lab.Heading(w, "Stability: sparse hier8, d=200, two runs on %d shared and %d own records, %d seeds", shared, (n-shared)/2, seeds)
	t := lab.NewTable("method", "ARI of the two runs", "first less this")
	var first lab.Series
	scores := map[string]lab.Series{}
	chart := show.BarChart{Title: "Agreement of two runs that share most records", XLabel: "adjusted Rand index"}
	var all []lab.Series
	for _, c := range Clusterers(0) {
		s, err := Stability(ctx, c, n, shared, seeds)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if first == nil {
			first = s
		}
		scores[c.Name] = s
		chart.Categories, all = append(chart.Categories, c.Name), append(all, s)
		t.Add(c.Name, s, fmt.Sprintf("%+.3f", first.Less(s).Mean()))
	}
	t.Write(w)
	fmt.Fprintf(w, "- the default is not behind raw D-SIDIWO: %s\n", lab.Verdict(lab.NotBehind(first, scores[RawDSIDIWO], 0)))
	fmt.Fprintf(w, "- the default is ahead of bisecting k-means by 0.1 or more: %s\n\n", lab.Verdict(first.Less(scores[Bisecting]).Mean() >= .1))
	chart.Series = []show.Bars{lab.Bars("sparse hier8", all)}
	return lab.Draw(ctx, "bernoulli-trees-stability", chart.Scene())
}

// Stability returns the agreement of the two runs for each seed.
func Stability(ctx context.Context, c Clusterer, n, shared, seeds int) (lab.Series, error) {
	var out lab.Series
	for _, seed := range lab.Seeds(ctx, 1000, seeds) {
		set := synth.HierarchicalBernoulli(seed, n, 200, sparseKept)
		o := evaluate.StabilityOptions{Share: float64(shared) / float64(n), Runs: 1, Seed: seed}
		s, err := evaluate.Stability(ctx, n, o, func(ctx context.Context, rows []int) ([]int, error) {
			return c.Group(ctx, set.Rows.Pick(rows), 8)
		})
		if err != nil {
			return nil, err
		}
		out = append(out, s.Mean)
	}
	return out, nil
}

// automatic lets the tree stop by itself, on data with and without groups.
func automatic(ctx context.Context, w io.Writer, seeds int) error {
	lab.Heading(w, "The tree that stops by itself")
	t := lab.NewTable("data", "true groups", "rule", "seeds", "ARI", "leaves", "most leaves")
	for _, s := range Settings()[2:] {
		for _, cautious := range []bool{false, true} {
			var ari, leaves lab.Series
			for _, seed := range lab.Seeds(ctx, s.From, seeds) {
				set := s.Draw(seed)
				a, n, err := byItself(ctx, set.Rows, set.Labels, cautious)
				if err != nil {
					return err
				}
				ari, leaves = append(ari, a), append(leaves, n)
			}
			t.Add(s.Name, s.K, rule(cautious), seeds, ari, fmt.Sprintf("%.1f", leaves.Mean()), most(leaves))
		}
	}
	const nullSeeds = 10
	alone := 0
	for _, shape := range [][2]int{{1000, 50}, {3000, 100}} {
		var leaves lab.Series
		for _, seed := range lab.Seeds(ctx, 1000, nullSeeds) {
			set := synth.Independent(seed, shape[0], shape[1])
			_, n, err := byItself(ctx, set.Rows, set.Labels, false)
			if err != nil {
				return err
			}
			if leaves = append(leaves, n); n == 1 {
				alone++
			}
		}
		t.Add(fmt.Sprintf("no groups, n=%d d=%d", shape[0], shape[1]), 1, rule(false), nullSeeds, "–", fmt.Sprintf("%.1f", leaves.Mean()), most(leaves))
	}
	t.Write(w)
	fmt.Fprintf(w, "- data without groups stay in one leaf in %d of %d seeds: %s\n\n", alone, 2*nullSeeds, lab.Verdict(alone == 2*nullSeeds))
	return nil
}

func rule(cautious bool) string {
	if cautious {
		return "cautious (BIC)"
	}
	return "default (AIC-type)"
}

func most(s lab.Series) int {
	out := 0.0
	for _, v := range s {
		out = max(out, v)
	}
	return int(out)
}

// byItself grows an automatic tree and returns its agreement and its leaves.
func byItself(ctx context.Context, rows sparse.Rows, truth []int, cautious bool) (ari, leaves float64, err error) {
	r, err := tree.Grow(ctx, pass.NewLocal(rows, 1), tree.Settings{Family: bernoulli.New(bernoulli.Options{}), Cautious: cautious, Workers: 1})
	if err != nil {
		return 0, 0, err
	}
	if truth != nil {
		ari, err = lab.ARI(r.Leaf, truth)
	}
	return ari, float64(len(r.Tree.Leaf())), err
}
