package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func (a *app) compareCommand() *cobra.Command {
	level, n, share := 0, 0, false
	var m machine
	c := &cobra.Command{
		Use:   "compare RUN_A RUN_B",
		Short: "Say what changed between two runs",
		Long: `Finds the groups of two runs in each other and says in plain words what changed:
how well the runs agree, who moved where, which features became more or less
frequent. Records are matched by their ids, or by their order where they have
none; runs of different records are compared by the features of their groups.
Of trees the leaves are compared, or with --level the groups of one level.`,
		Args: argsBetween(2, 2, "RUN_A RUN_B"),
		RunE: func(c *cobra.Command, args []string) error {
			if n < 0 {
				return misuse("-n %d: write a number above 0", n)
			}
			if err := m.begin(a); err != nil {
				return err
			}
			return a.compare(c.Context(), [2]string{args[0], args[1]}, report.CompareSettings{Level: level, Top: n, Memory: m.share()}, share, c.Flags().Changed("level"))
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 0, "features of each pair (5)")
	c.Flags().IntVar(&level, "level", 0, "compare the groups of this level of a tree instead of its leaves")
	addShare(c, &share)
	m.addMemory(c)
	return c
}

// compare opens both runs, explains them under one limit and prints what
// changed.
func (a *app) compare(ctx context.Context, paths [2]string, s report.CompareSettings, share, leveled bool) error {
	var runs [2]*run.Run
	limit := -1
	for i, path := range paths {
		var err error
		if runs[i], err = a.openRun(path); err != nil {
			return err
		}
		if runs[i].Manifest.Tables != nil {
			return ofData(fit.Unsuited("%s was made of sums and holds no records, and records are followed from one run to the other: "+
				"compare the runs that sites close for themselves (\"moiety study close HOME\"); \"moiety update -o\" tells by itself how shares changed", path))
		}
		if m := runs[i].Manifest.MinCell; m > 0 {
			limit = max(limit, m)
		}
	}
	if leveled && (s.Level < 1 || runs[0].Outcome.Tree == nil && runs[1].Outcome.Tree == nil) {
		return misuse("--level %d: write a level of a tree, from 1", s.Level)
	}
	var sides [2]explain.Side
	for i, r := range runs {
		// The stricter limit holds for both: what one run may tell could give
		// away what the other withholds.
		report, err := r.Explain(a.listening(ctx), report.Settings{MinCell: limit, Share: share, Counted: true}) // records put into groups are compared
		if err != nil {
			return err
		}
		rows, err := r.Rows()
		if err != nil {
			return err
		}
		defer rows.Close()
		edited, err := r.Edited(ctx, rows)
		if err != nil {
			return err
		}
		sides[i] = explain.Side{Name: paths[i], Outcome: edited, Data: rows, Report: report}
	}
	c, err := explain.Compare(ctx, sides[0], sides[1], s)
	if err != nil {
		return err
	}
	a.meter.clear()
	if a.json {
		return show.CompareJSON(a.out, c)
	}
	return show.Compare(a.out, c, a.layout(s.Top, 0))
}
