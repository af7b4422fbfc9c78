package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/choose"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

func (a *app) chooseCommand() *cobra.Command {
	var r reading
	var e encoding
	var l learning
	var m machine
	var o choose.Options
	var limit int
	var health bool
	c := &cobra.Command{
		Use:   "choose DATA...",
		Short: "Say how many groups data hold: a curve, an advice and its reason",
		RunE: func(c *cobra.Command, args []string) error {
			if err := needData(c, args); err != nil {
				return err
			}
			if o.Min < 0 || o.Max < 0 || o.Max > 0 && o.Min > o.Max {
				return misuse("--min %d --max %d: write a rising range of numbers from 1", o.Min, o.Max)
			}
			if !(o.HeldOut >= 0 && o.HeldOut < 1) {
				return misuse("--held-out %v: write a share from 0 to 1", o.HeldOut)
			}
			if o.HeldOut == 0 && c.Flags().Changed("held-out") {
				o.HeldOut = -1
			}
			l.s.K = 1 // the curve is over flat models
			order := fit.Order{Args: args, Read: r.o, MinCell: limit, Health: health, Now: time.Now}
			var err error
			if order.Encode, err = e.settings(); err != nil {
				return err
			}
			if order.Fit, order.Views, err = l.settings(); err != nil {
				return err
			}
			if err := m.apply(a, &order.Read, &order.Encode); err != nil {
				return err
			}
			order.Fit.Workers = m.workers
			o.Seed = order.Fit.Seed
			return a.choose(c.Context(), order, o)
		},
	}
	f := c.Flags()
	f.IntVar(&o.Min, "min", 0, "fewest groups to try (1)")
	f.IntVar(&o.Max, "max", 0, "most groups to try (20, or what the data allow)")
	f.Float64Var(&o.HeldOut, "held-out", 0.2, "share of the records kept aside; 0: none")
	f.BoolVar(&o.Every, "every", false, "try every number, however costly")
	f.IntVar(&limit, "min-cell", 0, "smallest count to show (11 for health data; -1: show all)")
	f.BoolVar(&health, "health", false, "the records are of people's health, whatever their form")
	l.addModel(c)
	f.Uint64Var(&l.s.Seed, "seed", 1, "of all random steps")
	e.add(c)
	r.add(c)
	m.add(c)
	return c
}

func (a *app) choose(ctx context.Context, order fit.Order, o choose.Options) error {
	ctx = a.listening(ctx)
	p, err := fit.Prepare(ctx, order, "")
	if err != nil {
		return ofData(err)
	}
	defer p.Close()
	data := p.Training(order.Fit.Workers)
	if err := order.Suits(ctx, data); err != nil {
		return err
	}
	curve, err := choose.Groups(ctx, data, order.Fit, o)
	if err != nil {
		return err
	}
	gate := explain.NewGate(p.Health, order.SmallestCell(p.Health), false, p.Len())
	a.warn(explain.WithoutFewRecords(gate.Encoded(p.Summary).Warnings, curve.Verdict))
	doc := newChosen(curve, gate)
	if a.json {
		return a.document("choose", doc)
	}
	a.printCurve(doc)
	if words := gate.Words(); words != "" {
		a.print("\n%s\n", wrap(words, 100, ""))
	}
	return nil
}

// chosen is a curve behind the gate.
type chosen struct {
	*choose.Curve
	Ring     report.Ring    `json:"ring,omitempty"`
	Records  report.Count   `json:"records"`
	Aside    report.Count   `json:"aside"`
	Advice   choose.Advice  `json:"advice" gate:"words and numbers of groups"`
	Warnings []warn.Warning `json:"warnings,omitempty" gate:"words"`
}

func newChosen(c *choose.Curve, g explain.Gate) *chosen {
	out := &chosen{Curve: c, Ring: g.Ring, Records: g.Size(c.Records), Aside: g.Count(c.Aside), Advice: c.Advice, Warnings: g.Warnings(c.Warnings)}
	out.Advice.Reason = explain.MaskWords(c.Advice.Reason, g.Ring, g.Limit)
	return out
}

// printCurve draws the curve and tells the advice.
func (a *app) printCurve(c *chosen) {
	advice := c.Advice
	a.print("Advice: %s", count(advice.K, c.Called.Group, c.Called.Groups))
	if advice.Low < advice.High {
		a.print(" (%d to %d can be defended; the case is %s)", advice.Low, advice.High, advice.Confidence)
	}
	a.print(".\n%s\n\n", wrap(advice.Reason, 100, ""))
	a.print("%6s %14s %14s\n", c.Called.Groups, "BIC", "held out")
	low, high := c.Points[0].BIC, c.Points[0].BIC
	for _, p := range c.Points {
		low, high = min(low, p.BIC), max(high, p.BIC)
	}
	for _, p := range c.Points {
		const cells = 40
		full := 0
		if high > low {
			full = int(cells * (high - p.BIC) / (high - low))
		}
		mark := " "
		if p.K == advice.K {
			mark = "*"
		}
		held := ""
		if p.HeldOut != 0 {
			held = number6(p.HeldOut)
		}
		bar := strings.Repeat("#", full)
		if p.Unidentified {
			bar = "more parameters than cells"
		}
		a.print("%5d%s %14s %14s  %s\n", p.K, mark, number6(p.BIC), held, bar)
	}
	a.print("BIC: the lower the better. Held out: log-likelihood a %s of those kept aside, the higher the better.\n", c.Called.Record)
	for _, w := range c.Warnings {
		a.print("%s\n", wrap("! "+w.String(), 100, "  "))
	}
}
