package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	text "github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// ErrAsked says that what was asked for cannot be reported of these records.
var ErrAsked = errors.New("it cannot be told of these records")

type askedError struct{ text string }

func (e askedError) Error() string { return e.text }
func (askedError) Unwrap() error   { return ErrAsked }

func asked(format string, args ...any) error { return askedError{fmt.Sprintf(format, args...)} }

const (
	// mostDistalAnswers is the number of answers up to which a column is reported
	// answer by answer.
	mostDistalAnswers = 8
	mostDistinct      = 1 << 17 // different records
)

// DistalSettings say how to estimate.
type DistalSettings struct {
	Gate    Gate
	Seed    uint64
	Workers int
	IDs     []string // of the groups, in their order
}

// Distals estimates side columns by latent class.
func Distals(ctx context.Context, o *fit.Outcome, data dataset.Data, columns []string, s DistalSettings) ([]report.Distal, error) {
	f, err := o.Model.Family()
	if err != nil {
		return nil, err
	}
	p, h := o.Model.Params, data.Describe()
	questions := family.QuestionsOf(f, p.Dim())
	if questions == nil || o.Tree != nil {
		return nil, asked("‹three-step› is for latent classes: a flat fit (‹groups›) of answers or presences")
	}
	run := data.Runner(s.Workers)
	table, err := lca.Gather(ctx, run, questions, mostDistinct)
	if err != nil {
		return nil, err
	}
	d := &stepping{s: s, table: table, model: table.Model(p), of: make([]int32, data.RowCount())}
	if _, err := run.Own(ctx, func(b pass.Block) error { return table.Rows(b, d.of[b.First:][:b.N()]) }); err != nil {
		return nil, err
	}
	for _, name := range columns {
		name = strings.TrimSpace(name)
		if !slices.Contains(h.Side, name) {
			if len(h.Side) == 0 {
				return nil, asked("‹three-step› %s: the run has no columns beside its features; fit again with ‹label› %s", name, name)
			}
			return nil, asked("‹three-step› %s: there is no such side column%s; there are %s", name, suggest.Hint(name, h.Side), strings.Join(h.Side, ", "))
		}
		values, err := sideColumn(ctx, data, name)
		if err != nil {
			return nil, err
		}
		d.used = slices.Contains(h.Vocab.Names, name) || slices.ContainsFunc(h.Vocab.Columns, func(c vocab.Column) bool { return c.Name == name })
		if err := d.column(ctx, name, values); err != nil {
			return nil, err
		}
	}
	return d.out, nil
}

// sideColumn reads a side column.
func sideColumn(ctx context.Context, d dataset.Data, name string) ([]string, error) {
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

// stepping is what all columns share on their way through the steps.
type stepping struct {
	s     DistalSettings
	table *lca.Table
	model lca.Model
	of    []int32
	used  bool
	out   []report.Distal
}

// column tells a column of numbers by its mean, one of few answers by the share
// of each, of two answers the second.
func (d *stepping) column(ctx context.Context, name string, values []string) error {
	numbers, levels, isNumber := make([]float64, len(values)), []string{}, true
	for i, v := range values {
		x, err := strconv.ParseFloat(v, 64)
		if numbers[i] = x; err != nil || math.IsInf(x, 0) {
			numbers[i] = math.NaN()
			isNumber = isNumber && v == ""
		}
		if v != "" && len(levels) <= mostDistalAnswers && !slices.Contains(levels, v) {
			levels = append(levels, v)
		}
	}
	slices.Sort(levels)
	two := len(levels) == 2
	switch {
	case isNumber && len(levels) > 2:
		return d.outcome(ctx, name, "", numbers, true)
	case len(levels) < 2 || len(levels) > mostDistalAnswers:
		return asked("‹three-step› %s: want numbers, or 2 to %d different answers", name, mostDistalAnswers)
	case two:
		levels = levels[1:]
	}
	for _, level := range levels {
		y := make([]float64, len(values))
		for i, v := range values {
			switch v {
			case "":
				y[i] = math.NaN()
			case level:
				y[i] = 1
			}
		}
		if err := d.outcome(ctx, name, level, y, two); err != nil {
			return err
		}
	}
	return nil
}

// outcome estimates one outcome by group. Of people's health it is withheld
// where few records of a group have a value, have the answer, or have it not.
func (d *stepping) outcome(ctx context.Context, name, level string, y []float64, covariate bool) error {
	if d.small(level, y) {
		return asked("‹three-step› %s: withheld, for fewer than %d records of some group have a value, or an answer", name, d.s.Gate.Limit)
	}
	o := inference.DistalOptions{Seed: d.s.Seed, Workers: d.s.Workers, Covariate: covariate && d.model.K > 1}
	x, err := inference.ThreeStep(ctx, d.table, d.model, d.of, y, o)
	if err != nil {
		return err
	}
	out := report.Distal{Column: name, Answer: text.Visible(level), N: d.s.Gate.Count(x.N), Used: d.used}
	for c := range x.BCH {
		g := report.DistalGroup{
			Group: d.s.IDs[c], Counted: report.NumberOf(x.Modal[c]), Mean: report.NumberOf(x.BCH[c]), SE: report.NumberOf(x.SE[c]),
			Fixed: report.NumberOf(x.Fixed[c]), Low: report.NumberOf(x.Low[c]), High: report.NumberOf(x.High[c]),
		}
		if level == "" {
			g.ML = report.NumberOf(x.ML[c])
		} else { // a share
			g.Mean, g.Low, g.High = report.NumberOf(clamp(x.BCH[c])), report.NumberOf(clamp(x.Low[c])), report.NumberOf(clamp(x.High[c]))
		}
		out.Groups = append(out.Groups, g)
	}
	if l := x.Logits; l != nil {
		for c := range l.Slope {
			out.Slopes = append(out.Slopes, report.DistalSlope{
				Group: d.s.IDs[c], Slope: report.NumberOf(l.Slope[c]), SE: report.NumberOf(l.Drawn[c]), Low: report.NumberOf(l.Low[c]), High: report.NumberOf(l.High[c]),
			})
		}
	}
	d.out = append(d.out, out)
	return nil
}

func clamp(p float64) float64 { return min(max(p, 0), 1) }

// small reports that something of the column may not be reported.
func (d *stepping) small(level string, y []float64) bool {
	limit := d.s.Gate.Limit
	if limit <= 1 {
		return false
	}
	k := d.model.K
	post, _ := d.table.Posteriors(d.model)
	counts := make([][3]int, k) // a value, the answer, none
	for i, v := range y {
		g := assign.Best(post[int(d.of[i])*k:][:k])
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
	few := func(n int) bool { return n > 0 && n < limit }
	for _, c := range counts {
		if c[0] < limit || few(c[2]) || level != "" && (few(c[1]) || few(c[0]-c[1])) {
			return true
		}
	}
	return false
}

// distal estimates the side columns that were asked for by three steps.
func (b *builder) distal(ctx context.Context, r dataset.Data) error {
	if len(b.s.ThreeStep) == 0 {
		return nil
	}
	if b.r.Ring == report.Shared || r == nil || b.s.Counted || b.open.limit > 0 && b.anyClosed() {
		return asked("‹three-step›: outcomes by three steps are of latent classes as they were fitted, all of which may be told, inside the house")
	}
	s := DistalSettings{Gate: Gate{Ring: b.r.Ring, Limit: b.open.limit}, Seed: 1, Workers: b.s.Workers}
	for _, node := range b.h.leaf {
		s.IDs = append(s.IDs, b.h.ids[node])
	}
	var err error
	b.r.Distal, err = Distals(ctx, b.o, r, b.s.ThreeStep, s)
	return err
}
