package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/explain"
	"github.com/moiety-go/moiety/run"
)

func (a *app) showCommand() *cobra.Command {
	var s explain.Settings
	lambda, level := 0.6, -1
	c := &cobra.Command{
		Use:   "show RUN [GROUP]",
		Short: "Say in plain words what the groups are",
		Args:  argsBetween(1, 2, "RUN [GROUP]"),
		RunE: func(c *cobra.Command, args []string) error {
			if !(lambda >= 0 && lambda <= 1) {
				return misuse("--lambda %v: write a number from 0 to 1", lambda)
			}
			if s.Top < 0 {
				return misuse("-n %d: write a number above 0", s.Top)
			}
			s.Lambda = lambda
			if lambda == 0 {
				s.Lambda = -1
			}
			r, err := run.Open(args[0])
			if err != nil {
				return err
			}
			report, _, err := r.Explain(a.listening(c.Context()), s)
			if err != nil {
				return err
			}
			if len(args) == 2 {
				return a.showGroup(report, args[1])
			}
			return a.showAll(report, level)
		},
	}
	c.Flags().Float64Var(&lambda, "lambda", lambda, "weight of frequency against distinctness, 0 to 1")
	c.Flags().IntVarP(&s.Top, "number", "n", 0, "features of each list (20)")
	c.Flags().IntVar(&level, "level", -1, "cut a tree at this level")
	return c
}

// showAll prints the groups, down to a level of a tree.
func (a *app) showAll(r *explain.Report, level int) error {
	if level >= 0 {
		if r.Shape != explain.Tree {
			return misuse("--level is for trees; this run has groups side by side")
		}
		var kept []explain.Group
		for _, g := range r.Groups {
			if g.Level <= level {
				kept = append(kept, g)
			}
		}
		cut := *r
		cut.Groups = kept
		r = &cut
	}
	if a.json {
		return a.document("show", r)
	}
	return a.overview(r, 0)
}

// showGroup prints one group.
func (a *app) showGroup(r *explain.Report, id string) error {
	g, ok := r.Find(id)
	if !ok {
		var ids []string
		for _, g := range r.Groups {
			ids = append(ids, g.ID)
		}
		return misuse("there is no group %q; its groups are %s", id, strings.Join(ids, ", "))
	}
	if a.json {
		return a.document("group", g)
	}
	a.print("%s  %s\n%s\n", g.ID, g.Name, wrap(g.Text, 100, ""))
	return nil
}

// argsBetween refuses a wrong number of arguments in words.
func argsBetween(least, most int, want string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return misuse("want \"%s %s\", got %s", c.CommandPath(), want, countArgs(args))
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
