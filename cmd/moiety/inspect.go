package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/encode"
	"github.com/moiety-go/moiety/evaluate/enough"
	"github.com/moiety-go/moiety/explain"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/run"
	"github.com/moiety-go/moiety/warn"
)

func (a *app) inspectCommand() *cobra.Command {
	var r reading
	var e encoding
	var m machine
	k, n := 0, 10
	c := &cobra.Command{
		Use:   "inspect DATA...",
		Short: "Say what is in data, what is wrong with them, and whether they are enough",
		RunE: func(c *cobra.Command, args []string) error {
			if err := needData(c, args); err != nil {
				return err
			}
			if k < 0 || n < 0 {
				return misuse("-k and -n cannot be negative")
			}
			o := run.Order{Args: args, Read: r.o, Now: time.Now}
			var err error
			if o.Encode, err = e.settings(); err != nil {
				return err
			}
			if err := m.apply(a, &o.Read, &o.Encode); err != nil {
				return err
			}
			return a.inspect(c.Context(), o, k, n)
		},
	}
	c.Flags().IntVarP(&k, "groups", "k", 0, "judge the data for this many groups (0: for a tree)")
	c.Flags().IntVarP(&n, "number", "n", n, "features to list")
	e.add(c)
	r.add(c)
	m.add(c)
	return c
}

// inspect reads the data and tells about them; nothing is fitted or kept.
func (a *app) inspect(ctx context.Context, o run.Order, k, n int) error {
	ctx = a.listening(ctx)
	p, err := run.Prepare(ctx, o, "")
	if err != nil {
		return ofData(err)
	}
	defer p.Close()
	light, err := judge(ctx, p, k, o.Read.Workers)
	if err != nil {
		return err
	}
	warnings := append(p.Reading.Warnings(), p.Summary.Warnings...)
	doubted(light, warnings)
	if a.json {
		return a.document("inspect", inspection(p, light, warnings))
	}
	a.printRead(p)
	a.printFeatures(p, n)
	a.printWarnings(warnings)
	a.printLight(light)
	return nil
}

// judge asks whether the records are enough for k groups.
func judge(ctx context.Context, p *run.Prepared, k, workers int) (*enough.Report, error) {
	data := p.Data(workers)
	name := fit.AutoTreeModel(data.Kind, data.Sequences)
	f, err := model.Spec{Model: name}.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	return enough.Judge(ctx, f, data.Run, k, enough.Options{})
}

// doubted makes the light red where codes cannot be told apart: groups of wrong
// codes may repeat themselves very well.
func doubted(light *enough.Report, warnings []warn.Warning) {
	for _, w := range warnings {
		if w.Code == "zeros-unclear" {
			light.Light, light.Reason, light.Remedy = enough.Red, "Some codes may be other codes.", w.Remedy
		}
	}
}

// inspection is the JSON form.
func inspection(p *run.Prepared, light *enough.Report, warnings []warn.Warning) any {
	return struct {
		Inputs   []run.Input     `json:"inputs"`
		Records  int             `json:"records"`
		Features int             `json:"features"`
		System   string          `json:"system,omitempty"`
		Health   bool            `json:"health"`
		Side     []string        `json:"side_columns,omitempty"`
		Reading  run.Reading     `json:"reading"`
		Encoding *encode.Summary `json:"encoding"`
		Warnings []warn.Warning  `json:"warnings"`
		Light    string          `json:"light"`
		Reason   string          `json:"reason"`
		Remedy   string          `json:"remedy,omitempty"`
		Enough   *enough.Report  `json:"enough"`
	}{
		p.Inputs, p.Len(), p.Vocab().Len(), p.Vocab().System, p.Health, p.Side(), p.Reading, p.Summary,
		warnings, light.Light.String(), light.Reason, light.Remedy, light,
	}
}

// printRead tells what was read and repaired.
func (a *app) printRead(p *run.Prepared) {
	s := p.Summary
	a.print("%s\n", wrap(readInWords(p), 100, ""))
	for _, note := range p.Reading.Notes {
		a.print("  %s\n", wrap(note, 98, "  "))
	}
	if side := p.Side(); len(side) > 0 {
		a.print("%s\n", wrap("Columns that describe records and stay out of the groups: "+firstOf(side, 12)+".", 100, "  "))
	}
	for _, c := range s.LeftOut {
		a.print("Left out: %s (%s).\n", count(c.N, "record", "records"), c.Name)
	}
	for _, r := range s.Rules {
		a.print("Rule %s: %s of %s features stay.\n", r.Name, explain.Thousands(r.After), explain.Thousands(r.Before))
	}
	repairs := slices.Clone(p.Reading.Repairs)
	for _, c := range s.Repairs {
		if !slices.Contains(repairs, c) {
			repairs = append(repairs, c)
		}
	}
	for _, c := range repairs {
		a.print("Repaired, %s: %s.\n", count(c.N, "time", "times"), c.Name)
	}
	if s.UnknownCodes > 0 {
		var names []string
		for _, c := range s.Unknown {
			names = append(names, c.Name)
		}
		a.print("Not in the tables, kept all the same: %s (%s).\n", count(s.UnknownCodes, "code", "codes"), firstOf(names, 5))
	}
	if len(s.Rollup) > 1 {
		var levels []string
		for _, c := range s.Rollup {
			levels = append(levels, string(c.Level)+" "+explain.Thousands(c.Features))
		}
		a.print("Features by roll-up: %s.\n", strings.Join(levels, ", "))
	}
}

// firstOf lists the first words and says how many follow.
func firstOf(words []string, most int) string {
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:most], ", ") + " and " + strconv.Itoa(len(words)-most) + " more"
}

// readInWords is the first sentence.
func readInWords(p *run.Prepared) string {
	files := count(len(p.Inputs), "file", "files")
	if len(p.Inputs) == 1 {
		files = p.Inputs[0].Name
	}
	s := count(p.Len(), "record", "records") + " with " + count(p.Vocab().Len(), "feature", "features") + " from " + files
	if format := p.Summary.Format; format != "" {
		s += " (" + format + ")"
	}
	if p.Summary.Read != p.Len() {
		s += ", of " + count(p.Summary.Read, "record", "records") + " read"
	}
	return s + "."
}

// printFeatures lists the most frequent features.
func (a *app) printFeatures(p *run.Prepared, n int) {
	top := p.Summary.Top[:min(n, len(p.Summary.Top))]
	if len(top) == 0 {
		return
	}
	a.print("\nMost frequent:\n")
	for _, f := range top {
		name := f.Name
		if f.Title != "" && f.Title != f.Name {
			name += "  " + f.Title
		}
		per := 100 * float64(f.Records) / float64(max(p.Len(), 1))
		a.print("  %6s %%  %s\n", strconv.FormatFloat(per, 'f', 1, 64), name)
	}
}

// printWarnings lists warnings, the heaviest first.
func (a *app) printWarnings(list []warn.Warning) {
	if len(list) == 0 {
		a.print("\nNothing to warn of.\n")
		return
	}
	a.print("\nTo look at, in order of weight:\n")
	for _, w := range list {
		a.print("  %s\n", wrap("- "+w.String(), 96, "    "))
	}
}

func (a *app) printLight(r *enough.Report) {
	a.print("\nEnough data? %s. %s\n", strings.ToUpper(r.Light.String()), wrap(r.Reason, 100, ""))
	if r.Remedy != "" {
		a.print("%s\n", wrap(r.Remedy, 100, ""))
	}
}
