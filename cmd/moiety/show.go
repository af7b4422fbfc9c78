package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// groupsOf offers the groups of the run that stands before, for shells that ask; a
// run is a folder, which shells offer themselves.
func groupsOf(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	r, err := run.Open(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return r.GroupIDs(), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) showCommand() *cobra.Command {
	lambda, level, n := 0.6, 0, 0
	records, share, parameters := false, false, false
	var three []string
	record := ""
	var m machine
	c := &cobra.Command{
		Use:   "show RUN [GROUP]",
		Short: "Say in plain words what the groups are",
		Long: `Prints the tree of a run, or its groups, in plain words; with GROUP the page of
one group. With -v the facts of data and fit follow.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return misuse("one group at a time: \"moiety show %s %s\"", args[0], args[1])
			}
			return argsBetween(1, 2, "RUN [GROUP]")(c, args)
		},
		ValidArgsFunction: groupsOf,
		RunE: func(c *cobra.Command, args []string) error {
			if err := m.begin(a); err != nil {
				return err
			}
			s, err := explanation(lambda, n)
			if err != nil {
				return err
			}
			s.Records, s.Share, s.ThreeStep = records, share, three
			if parameters && len(args) == 2 {
				return misuse("--parameters is for all groups: leave it or the group out")
			}
			if records && share {
				return misuse("--records shows single records, and these are not shared: leave it or --share out")
			}
			if record != "" && (share || len(args) == 2) {
				return misuse("--record shows one single record: leave it, or --share and the group, out")
			}
			r, err := a.openRun(args[0])
			if err != nil {
				return err
			}
			report, err := r.Explain(a.listening(c.Context()), s)
			if err != nil {
				return err
			}
			if record != "" {
				return a.showRecord(c.Context(), r, report, record)
			}
			o := a.layout(n, level)
			if len(args) == 2 {
				if c.Flags().Changed("level") {
					return misuse("--level is for the whole tree: leave it or the group out")
				}
				return a.showGroup(report, args[1], o)
			}
			if c.Flags().Changed("level") && (r.Outcome.Tree == nil || level < 1) {
				return misuse("--level %d: write a level of a tree, from 1", level)
			}
			if parameters && !a.json {
				return a.showParameters(report, o)
			}
			return a.showAll(report, o)
		},
	}
	c.Flags().Float64Var(&lambda, "lambda", lambda, "weight of frequency against distinctness, 0 to 1")
	c.Flags().IntVarP(&n, "number", "n", 0, "features of each list")
	c.Flags().IntVar(&level, "level", 0, "show a tree down to this level only")
	c.Flags().BoolVar(&parameters, "parameters", false, "latent classes: the tables of a paper, with standard errors and intervals")
	addShare(c, &share)
	addThreeStep(c, &three)
	c.Flags().BoolVar(&records, "records", false, "show ids of representative records of health data too")
	c.Flags().StringVar(&record, "record", "", "sequences: follow the record of this id through its states, and say what may come next")
	m.addMemory(c)
	return c
}

// explanation reads --lambda and -n.
func explanation(lambda float64, n int) (report.Settings, error) {
	if !(lambda >= 0 && lambda <= 1) {
		return report.Settings{}, misuse("--lambda %v: write a number from 0 to 1", lambda)
	}
	if n < 0 {
		return report.Settings{}, misuse("-n %d: write a number above 0", n)
	}
	s := report.Settings{Lambda: lambda, Top: n}
	if lambda == 0 {
		s.Lambda = -1
	}
	return s, nil
}

// layout fits text to the terminal.
func (a *app) layout(top, level int) show.Options {
	const widest = 120
	o := show.Options{Top: top, Level: level, Width: 80}
	if fd := int(a.out.Fd()); term.IsTerminal(fd) {
		if w, _, err := term.GetSize(fd); err == nil && w > 0 {
			o.Width = min(w, widest)
		}
		_, plain := os.LookupEnv("NO_COLOR")
		o.Color = !plain
	}
	return o
}

// showAll prints the groups, down to a level of a tree.
func (a *app) showAll(r *report.Report, o show.Options) error {
	a.meter.clear()
	if a.json {
		return show.JSON(a.out, cutAt(r, o.Level))
	}
	if err := show.Tree(a.out, r, o); err != nil || !a.verbose {
		return err
	}
	fmt.Fprintln(a.out)
	return show.Summary(a.out, r, o)
}

// showParameters prints the tables of latent classes.
func (a *app) showParameters(r *report.Report, o show.Options) error {
	a.meter.clear()
	if r.Inference == nil {
		return misuse("--parameters: standard errors are of latent classes, %s", noParameters(r))
	}
	return show.Parameters(a.out, r, o)
}

// noParameters says why a report has no standard errors of latent classes.
func noParameters(r *report.Report) string {
	var numbers []string
	for f, of := range r.Table.Of {
		if of == report.Value || of == report.Average {
			numbers = append(numbers, r.Table.Names[f])
		}
	}
	switch {
	case r.Ring == report.Shared:
		return "and are not shared: leave --share out"
	case r.Shape != report.Flat:
		return "and this run is none of them: fit answers or presences with -k"
	case len(numbers) == len(r.Table.Of):
		return "and these groups are of numbers: fit answers or presences"
	case len(numbers) > 0:
		return fmt.Sprintf("and numbers are among the answers: %s. Fit again with --label %s, which sets them beside the groups", firstOf(numbers, 5), strings.Join(numbers, ","))
	}
	return "of a flat fit (-k) of answers or presences that was not changed by hand"
}

// cutAt leaves out the groups below a level.
func cutAt(r *report.Report, level int) *report.Report {
	if level == 0 {
		return r
	}
	cut := *r
	cut.Groups, cut.Leaves = nil, nil
	for i := range r.Groups {
		if r.Groups[i].Level <= level {
			cut.Groups = append(cut.Groups, r.Groups[i])
		}
	}
	for _, l := range r.Leaves {
		for i := range cut.Groups {
			if cut.Groups[i].ID == r.Groups[l].ID {
				cut.Leaves = append(cut.Leaves, i)
			}
		}
	}
	return &cut
}

// showGroup prints one group.
func (a *app) showGroup(r *report.Report, id string, o show.Options) error {
	g, ok := r.Find(id)
	if !ok {
		var ids []string
		for _, g := range r.Groups {
			ids = append(ids, g.ID)
		}
		return misuse("there is no group %q; the groups are %s", id, strings.Join(ids, ", "))
	}
	a.meter.clear()
	if a.json {
		return a.document("group", g)
	}
	return show.Group(a.out, r, id, o)
}

// argsBetween refuses a wrong number of arguments in words.
func argsBetween(least, most int, want string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return misuse("want \"%s\", got %s", strings.TrimSpace(c.CommandPath()+" "+want), countArgs(args))
		}
		return nil
	}
}

func countArgs(args []string) string {
	if len(args) == 0 {
		return "no arguments"
	}
	return fmt.Sprintf("%q", args)
}

// addShare defines --share.
func addShare(c *cobra.Command, share *bool) {
	c.Flags().BoolVar(share, "share", false, "make it fit to be shared: counts rounded, nothing that tells the data (docs/privacy.md)")
}
