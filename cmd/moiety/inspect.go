package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/inspect"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

func (a *app) inspectCommand() *cobra.Command {
	var r reading
	var e encoding
	var m machine
	k, n, limit := 0, 10, 0
	share, health, bounds := false, false, false
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
			o := fit.Order{Args: args, Read: r.o, Now: time.Now}
			var err error
			if o.Encode, err = e.settings(); err != nil {
				return err
			}
			if err := m.apply(a, &o.Read, &o.Encode); err != nil {
				return err
			}
			o.MinCell, o.Health = limit, health
			return a.inspect(c.Context(), o, k, n, share, bounds)
		},
	}
	c.Flags().IntVarP(&k, "groups", "k", 0, "judge the data for this many groups or states (0: say how many there are)")
	c.Flags().IntVarP(&n, "number", "n", n, "features to list")
	c.Flags().IntVar(&limit, "min-cell", 0, "smallest count to show (11 for health data; -1: show all)")
	c.Flags().BoolVar(&health, "health", false, "the records are of people's health, whatever their form")
	c.Flags().BoolVar(&bounds, "bounds", false, "add what the papers' theorems promise of so many records: sample and perturbation bounds, uniqueness")
	addShare(c, &share)
	e.add(c)
	r.add(c)
	m.add(c)
	return c
}

// inspect reads the data and tells about them; nothing is fitted or kept.
func (a *app) inspect(ctx context.Context, o fit.Order, k, n int, share, bounds bool) error {
	ctx = a.listening(ctx)
	x, err := inspect.Data(ctx, o, k, share)
	if err != nil {
		return ofData(err)
	}
	if bounds {
		if err := x.Bound(ctx, o, k); err != nil {
			return ofData(err)
		}
	}
	if a.json {
		return a.document("inspect", x)
	}
	a.printRead(x)
	a.printFeatures(x, n)
	a.printWarnings(x.Warnings)
	a.printLight(x)
	a.printBounds(x.Bounds)
	if words := x.Words(); words != "" {
		a.print("\n%s\n", wrap(words, 100, ""))
	}
	return nil
}

// printRead tells what was read and repaired.
func (a *app) printRead(x *inspect.Inspected) {
	s := x.Encoding
	a.print("%s\n", wrap(readInWords(x), 100, ""))
	for _, note := range x.Reading.Notes {
		if note.Of == record.Guess { // a warning says it, and what to do
			continue
		}
		a.print("  %s\n", wrap(note.Text, 98, "  "))
	}
	w := verdict.CalledFor(x.Sequences, false)
	if len(x.Side) > 0 {
		a.print("%s\n", wrap(fmt.Sprintf("Columns that describe %s and stay out of the %s: %s.", w.Records, w.Groups, firstOf(x.Side, 12)), 100, "  "))
	}
	for _, c := range s.LeftOut {
		a.print("Left out: %s (%s).\n", counted(c.N, w.Record, w.Records), c.Name)
	}
	for _, r := range s.Rules {
		a.print("Rule %s: %s of %s features stay.\n", r.Name, report.Thousands(r.After), report.Thousands(r.Before))
	}
	repairs := slices.Clone(x.Reading.Repairs)
	for _, c := range s.Repairs {
		if !slices.Contains(repairs, c) {
			repairs = append(repairs, c)
		}
	}
	for _, c := range repairs {
		a.print("Repaired, %s: %s.\n", counted(c.N, "time", "times"), c.Name)
	}
	if s.UnknownCodes > 0 {
		var names []string
		for _, c := range s.Unknown {
			names = append(names, c.Name)
		}
		named := ""
		if len(names) > 0 {
			named = " (" + firstOf(names, 5) + ")"
		}
		a.print("Not in the tables, kept all the same: %s%s.\n", count(s.UnknownCodes, "code", "codes"), named)
	}
	if len(s.Rollup) > 1 {
		var levels []string
		for _, c := range s.Rollup {
			levels = append(levels, string(c.Level)+" "+report.Thousands(c.Features))
		}
		a.print("Features by roll-up: %s.\n", strings.Join(levels, ", "))
	}
}

// counted writes a number that may be withheld.
func counted(c report.Count, one, many string) string {
	if n, ok := c.Value(); ok {
		return count(n, one, many)
	}
	return "a few " + many
}

// firstOf lists the first words and says how many follow.
func firstOf(words []string, most int) string {
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:most], ", ") + " and " + strconv.Itoa(len(words)-most) + " more"
}

// readInWords is the first sentence.
func readInWords(x *inspect.Inspected) string {
	w := verdict.CalledFor(x.Sequences, false)
	one := x.Reading.Unit
	if one == "" || one == "row" {
		one = w.Record
	}
	s := "nearly all " + one + "s" // where there are many, and those left out are few
	if !x.Records.Masked() || x.Ring == report.Shared {
		s = counted(x.Records, one, one+"s")
	}
	if n, ok := x.Reading.People.Value(); ok {
		people := "people"
		if x.Health {
			people = "patients"
		}
		s += " of " + report.Thousands(n) + " " + people
	}
	s += " with " + count(x.Features, "feature", "features")
	switch len(x.Inputs) {
	case 0:
	case 1:
		s += " from " + x.Inputs[0].Name
	default:
		s += " from " + count(len(x.Inputs), "file", "files")
	}
	if format := x.Encoding.Format; format != "" {
		s += " (" + format + ")"
	}
	if n, ok := x.Encoding.Read.Value(); ok && x.Encoding.Read != x.Records {
		s += ", of " + count(n, w.Record, w.Records) + " read"
	}
	return s + "."
}

// printFeatures lists the most frequent features, and what was measured.
func (a *app) printFeatures(x *inspect.Inspected, n int) {
	top := x.Encoding.Top[:min(n, len(x.Encoding.Top))]
	if len(top) == 0 {
		return
	}
	often := slices.ContainsFunc(top, func(f explain.Frequent) bool { return f.Tokens != f.Records && !measured(f) })
	switch {
	case x.Measured, !slices.ContainsFunc(top, func(f explain.Frequent) bool { return !measured(f) }):
		a.print("\nMeasured:\n")
	case often:
		a.print("\nMost frequent (share of records with it, times in all):\n")
	default:
		a.print("\nMost frequent:\n")
	}
	for _, f := range top {
		name := f.Name
		if f.Title != "" && f.Title != f.Name {
			name += "  " + f.Title
		}
		switch {
		case measured(f):
			a.print("  %8s  %s  %s\n", "", name, measuredInWords(f, x.Records))
		case often:
			a.print("  %8s  %7s  %s\n", shareOf(f.Records, x.Records), inAll(f.Tokens), name)
		default:
			a.print("  %8s  %s\n", shareOf(f.Records, x.Records), name)
		}
	}
}

func measured(f explain.Frequent) bool { _, ok := f.Mean.Value(); return ok }

// measuredInWords tells the values of a measurement.
func measuredInWords(f explain.Frequent, records report.Count) string {
	mean, _ := f.Mean.Value()
	s := fmt.Sprintf("mean %.4g", mean)
	low, ok := f.Low.Value()
	if high, open := f.High.Value(); ok && open {
		s += fmt.Sprintf(", from %.4g to %.4g", low, high)
	}
	n, known := f.Records.Value()
	if all, ok := records.Value(); ok && known && n < all {
		s += ", missing in " + report.Thousands(all-n)
	}
	return s
}

// shareOf writes a share of the records, "" where it is withheld.
func shareOf(c, records report.Count) string {
	n, ok := c.Value()
	all, known := records.Value()
	if !ok || !known || all == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(n)/float64(all), 'f', 1, 64) + " %"
}

// inAll writes a number, "" where it is withheld.
func inAll(c report.Count) string {
	if n, ok := c.Value(); ok {
		return report.Thousands(n)
	}
	return ""
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

func (a *app) printLight(x *inspect.Inspected) {
	if v := x.Verdict; v != nil {
		a.print("\nHow many %s? %d. %s\n", verdict.CalledFor(x.Sequences, v.Mixed).Groups, v.Groups, wrap(v.Reason, 100, ""))
	}
	if v := x.Verdict; v != nil && x.Sequences && v.Groups > 1 && v.Repeat > 0 {
		a.print("Two halves of the sequences agree on the states of all steps by %.2f, where 1 is the same and 0 chance.\n", v.Repeat)
	}
	a.print("\nEnough data? %s. %s\n", strings.ToUpper(x.Light), wrap(x.Reason, 100, ""))
	if x.Remedy != "" {
		a.print("%s\n", wrap(x.Remedy, 100, ""))
	}
}
