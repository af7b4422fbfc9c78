package main

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/run"
)

// classMeasures are those of models whose records have a class.
type classMeasures struct {
	AdjustedBIC float64    `json:"adjusted_bic" gate:"a sum over all records"`
	CAIC        float64    `json:"caic" gate:"a sum over all records"`
	ICL         float64    `json:"icl" gate:"a sum over all records"`
	EntropyR2   float64    `json:"entropy_r2" gate:"a mean over all records"`
	G2          *float64   `json:"g2,omitempty" gate:"a sum over all records"` // against the table of all answers
	X2          *float64   `json:"x2,omitempty" gate:"a sum over all records"`
	DF          *float64   `json:"df,omitempty" gate:"of the model"`
	BLRT        *blrtValue `json:"blrt,omitempty"`
}

// blrtValue is the bootstrap test of one group more.
type blrtValue struct {
	Groups     int     `json:"groups" gate:"groups"` // against one more
	Ratio      float64 `json:"ratio" gate:"a sum over all records"`
	P          float64 `json:"p" gate:"of drawn sets"`
	Replicates int     `json:"replicates" gate:"setting"`
	Mean       float64 `json:"mean" gate:"of drawn sets"`
	Upper      float64 `json:"upper" gate:"of drawn sets"`
}

// mostDistinct is the number of different records up to which G², X² and the
// test of one group more are worked out.
const mostDistinct = 1 << 17

// classes measures how well groups tell records apart, and tests for one more.
func (e *evaluating) classes(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	f, err := r.Outcome.Model.Family()
	if err != nil {
		return err
	}
	info, p := f.Info(), r.Outcome.Model.Params
	questions := family.QuestionsOf(f, p.Dim())
	if e.blrt > 0 && (questions == nil || r.Outcome.Tree != nil) {
		return misuse("--blrt is for latent classes: a flat fit (-k) of answers or presences")
	}
	if info.Soft || info.Sequences || r.Outcome.Tree != nil {
		return nil
	}
	runner := d.Runner(e.machine.workers)
	fit, err := inference.Classified(ctx, f, p, runner)
	if err != nil {
		return err
	}
	m.Classes = &classMeasures{AdjustedBIC: fit.AdjustedBIC, CAIC: fit.CAIC, ICL: fit.ICL, EntropyR2: fit.EntropyR2}
	if questions == nil {
		return nil
	}
	if e.blrt == 0 && cellsOf(questions) > mostDistinct {
		return nil // too many cells for G² to say anything, and records to hold
	}
	table, err := lca.Gather(ctx, runner, questions, mostDistinct)
	if errors.Is(err, lca.ErrMany) {
		if e.blrt > 0 {
			return misuse("--blrt: more than %d different records are too many to draw again and again", mostDistinct)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if w := inference.Cells(table, p, fit.Parameters); w != nil && w.DF >= 1 && w.DF < mostDistinct {
		m.Classes.G2, m.Classes.X2, m.Classes.DF = &w.G2, &w.X2, &w.DF
	}
	if e.blrt == 0 {
		return nil
	}
	b, err := inference.LikelihoodRatio(ctx, table, p.K(), inference.BootstrapOptions{Replicates: e.blrt, Seed: e.seed, Workers: e.machine.workers})
	if err != nil {
		return err
	}
	m.Classes.BLRT = &blrtValue{b.K, b.Ratio, b.P, b.Replicates, b.Mean, b.Upper}
	return nil
}

// cellsOf is the number of ways to answer all questions.
func cellsOf(questions []family.Question) float64 {
	cells := 1.0
	for _, q := range questions {
		cells *= float64(q.Answers())
	}
	return cells
}

// printClasses tells the measures of classes in words.
func (a *app) printClasses(c *classMeasures) {
	if c == nil {
		return
	}
	a.print("Adjusted BIC %.2f, CAIC %.2f, ICL %.2f (lower is better); entropy R² %.4f (1: every record is sure of its group).\n",
		c.AdjustedBIC, c.CAIC, c.ICL, c.EntropyR2)
	if c.G2 != nil {
		a.print("Against the table of all answers: G² %.3f, X² %.3f, %.0f degrees of freedom.\n", *c.G2, *c.X2, *c.DF)
	}
	if b := c.BLRT; b != nil {
		verdict := "one more is not called for"
		if b.P < .05 {
			verdict = "one more is called for"
		}
		a.print("%s against one more, bootstrap likelihood-ratio test (maximum likelihood): ratio %.3f, p = %.4f from %s drawn: %s.\n",
			count(b.Groups, "group", "groups"), b.Ratio, b.P, count(b.Replicates, "set", "sets"), verdict)
	}
}
