package main

import (
	"context"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
)

// threeSteps estimates side columns by group with the uncertainty of membership.
func (e *evaluating) threeSteps(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	if e.threeStep == "" {
		return nil
	}
	var err error
	m.ThreeStep, err = explain.Distals(ctx, r.Outcome, d, strings.Split(e.threeStep, ","), explain.DistalSettings{Gate: m.gate, Seed: e.seed, Workers: e.machine.workers, IDs: m.Groups})
	return err
}

// addThreeStep defines --three-step of outputs.
func addThreeStep(c *cobra.Command, columns *[]string) {
	c.Flags().StringSliceVar(columns, "three-step", nil, "latent classes: side columns by group, corrected for records put into the wrong one, with intervals that carry it")
}

// printThreeSteps tells the outcomes in words.
func (a *app) printThreeSteps(list []report.Distal) {
	for _, x := range list {
		what, write := x.Column+", mean", report.Amount
		if x.Answer != "" {
			what, write = x.Column+" = "+x.Answer+", share", report.Percent
		}
		a.print("%s by group, by three steps (corrected for records put into the wrong group, BCH):\n", what)
		for _, g := range x.Groups {
			number := func(v report.Number) string { return write(v.Or(math.NaN())) }
			a.print("  group %s: %s, 95 %% interval %s to %s; counted %s\n", g.Group, number(g.Mean), number(g.Low), number(g.High), number(g.Counted))
		}
		for _, s := range x.Slopes {
			a.print("  log-odds of group %s against the last, %s: %+.3f, 95 %% interval %+.3f to %+.3f\n", s.Group, stepWords(x), s.Slope.Or(math.NaN()), s.Low.Or(math.NaN()), s.High.Or(math.NaN()))
		}
		if x.Used {
			a.print("  ! The groups were made from a column of this name: a difference says nothing.\n")
		}
	}
}

// stepWords says what the slope of a covariate is for.
func stepWords(x report.Distal) string {
	if x.Answer != "" {
		return "where " + x.Column + " is " + x.Answer
	}
	return "for one more of " + x.Column
}
