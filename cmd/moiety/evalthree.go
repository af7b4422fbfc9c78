package main

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// distalMeasure is a side column by group, by three steps.
type distalMeasure struct {
	Column string        `json:"column"`
	Answer string        `json:"answer,omitempty"` // whose share is told; none for a number
	N      report.Count  `json:"n"`
	Used   bool          `json:"used"` // the groups were made from a column of this name
	Groups []distalGroup `json:"groups"`
	// Slopes explain membership by the column: log-odds of each group but the
	// last against it, for a step of one.
	Slopes []distalSlope `json:"slopes,omitempty"`
}

type distalGroup struct {
	Group   string        `json:"group"`
	Counted report.Number `json:"counted"` // of the records put into it, without a correction
	Mean    report.Number `json:"mean"`    // corrected (BCH)
	SE      report.Number `json:"se"`      // all steps repeated on records drawn again
	Fixed   report.Number `json:"se_fixed"`
	Low     report.Number `json:"low"`
	High    report.Number `json:"high"`
	ML      report.Number `json:"ml"`
}

type distalSlope struct {
	Group string        `json:"group"`
	Slope report.Number `json:"slope"`
	SE    report.Number `json:"se"`
}

// mostAnswers is the number of answers up to which a column is told answer by
// answer.
const mostAnswers = 8

// threeSteps estimates side columns by group with the uncertainty of membership.
func (e *evaluating) threeSteps(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	if e.threeStep == "" {
		return nil
	}
	f, err := r.Outcome.Model.Family()
	if err != nil {
		return err
	}
	p := r.Outcome.Model.Params
	questions := family.QuestionsOf(f, p.Dim())
	if questions == nil || r.Outcome.Tree != nil {
		return misuse("--three-step is for latent classes: a flat fit (-k) of answers or presences")
	}
	runner := d.Runner(e.machine.workers)
	table, err := lca.Gather(ctx, runner, questions, mostDistinct)
	if err != nil {
		return err
	}
	of := make([]int32, d.RowCount())
	if _, err := runner.Own(ctx, func(b pass.Block) error { return table.Rows(b, of[b.First:][:b.N()]) }); err != nil {
		return err
	}
	for _, name := range strings.Split(e.threeStep, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(d.Side, name) {
			return misuse("--three-step %s: there is no such side column%s; there are %s", name, suggest.Hint(name, d.Side), strings.Join(d.Side, ", "))
		}
		s := &stepping{e: e, r: r, m: m, name: name, table: table, model: table.Model(p), of: of}
		if s.values, err = sideValues(ctx, d, name); err != nil {
			return err
		}
		s.used = slices.Contains(d.Vocab.Names, name) || slices.ContainsFunc(d.Vocab.Columns, func(c vocab.Column) bool { return c.Name == name })
		if err := s.column(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sideValues reads a side column.
func sideValues(ctx context.Context, d *dataset.File, name string) ([]string, error) {
	var out []string
	err := d.Each(ctx, func(_ int, part *dataset.Dataset) error {
		side, _ := part.SideColumn(name)
		for _, v := range side.Values {
			out = append(out, strings.Clone(v))
		}
		return nil
	})
	return out, err
}

// stepping is one column on its way through the steps.
type stepping struct {
	e      *evaluating
	r      *run.Run
	m      *measures
	name   string
	used   bool
	values []string
	table  *lca.Table
	model  lca.Model
	of     []int32
}

// column tells a column of numbers by its mean, one of few answers by the share
// of each, of two answers the second.
func (s *stepping) column(ctx context.Context) error {
	numbers, levels, isNumber := make([]float64, len(s.values)), []string{}, true
	for i, v := range s.values {
		x, err := strconv.ParseFloat(v, 64)
		if numbers[i] = x; err != nil || math.IsInf(x, 0) {
			numbers[i] = math.NaN()
			isNumber = isNumber && v == ""
		}
		if v != "" && len(levels) <= mostAnswers && !slices.Contains(levels, v) {
			levels = append(levels, v)
		}
	}
	slices.Sort(levels)
	switch {
	case isNumber && len(levels) > 2:
		return s.outcome(ctx, "", numbers)
	case len(levels) < 2 || len(levels) > mostAnswers:
		return misuse("--three-step %s: want numbers, or 2 to %d different answers", s.name, mostAnswers)
	case len(levels) == 2:
		levels = levels[1:]
	}
	for _, level := range levels {
		y := make([]float64, len(s.values))
		for i, v := range s.values {
			switch v {
			case "":
				y[i] = math.NaN()
			case level:
				y[i] = 1
			}
		}
		if err := s.outcome(ctx, level, y); err != nil {
			return err
		}
	}
	return nil
}

// outcome estimates one outcome by group. Of people's health it is withheld
// where few records of a group have a value, have the answer, or have it not.
func (s *stepping) outcome(ctx context.Context, level string, y []float64) error {
	if s.small(level, y) {
		return misuse("--three-step %s: withheld, for fewer than %d records of some group have a value, or an answer", s.name, s.m.gate.Limit)
	}
	d, err := inference.ThreeStep(ctx, s.table, s.model, s.of, y, inference.DistalOptions{Seed: s.e.seed, Workers: s.e.machine.workers})
	if err != nil {
		return err
	}
	out := distalMeasure{Column: s.name, Answer: level, N: s.m.gate.Count(d.N), Used: s.used}
	for c := range d.BCH {
		g := distalGroup{
			Group: s.r.GroupID(c), Counted: report.NumberOf(d.Modal[c]), Mean: report.NumberOf(d.BCH[c]), SE: report.NumberOf(d.SE[c]),
			Fixed: report.NumberOf(d.Fixed[c]), Low: report.NumberOf(d.Low[c]), High: report.NumberOf(d.High[c]),
		}
		if level == "" {
			g.ML = report.NumberOf(d.ML[c])
		}
		out.Groups = append(out.Groups, g)
	}
	if level == "" && len(d.BCH) > 1 {
		x := inference.Covariate(s.table, s.model, s.of, y)
		for c := range x.Slope {
			out.Slopes = append(out.Slopes, distalSlope{s.r.GroupID(c), report.NumberOf(x.Slope[c]), report.NumberOf(x.SE[c])})
		}
	}
	s.m.ThreeStep = append(s.m.ThreeStep, out)
	return nil
}

// small reports that something of the column may not be told.
func (s *stepping) small(level string, y []float64) bool {
	if s.m.gate.Limit <= 1 {
		return false
	}
	k := s.model.K
	post, _ := s.table.Posteriors(s.model)
	counts := make([][3]int, k) // a value, the answer, none
	for i, v := range y {
		g := assign.Best(post[int(s.of[i])*k:][:k])
		switch {
		case v != v:
			counts[g][2]++
		case v == 1 && level != "":
			counts[g][1]++
			counts[g][0]++
		default:
			counts[g][0]++
		}
	}
	few := func(n int) bool { return n > 0 && n < s.m.gate.Limit }
	for _, c := range counts {
		if c[0] < s.m.gate.Limit || few(c[2]) || level != "" && (few(c[1]) || few(c[0]-c[1])) {
			return true
		}
	}
	return false
}

// printThreeSteps tells the outcomes in words.
func (a *app) printThreeSteps(list []distalMeasure) {
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
			a.print("  log-odds of group %s against the last, for one more of %s: %+.3f (se %.3f, groups held for known)\n", s.Group, x.Column, s.Slope.Or(math.NaN()), s.SE.Or(math.NaN()))
		}
		if x.Used {
			a.print("  ! The groups were made from a column of this name: a difference says nothing.\n")
		}
	}
}
