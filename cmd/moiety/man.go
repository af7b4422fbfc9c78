package main

import (
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/moiety-go/moiety/internal/suggest"
)

func (a *app) manCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "man [COMMAND]", Short: "Print a manual page, or write those of all commands to a folder",
		Args: argsBetween(0, 1, "[COMMAND] [-o DIR]"),
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return verbs(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			about, rest, err := root.Find(args)
			switch {
			case err != nil || len(rest) > 0:
				return misuse("there is no command %q%s; \"moiety help\" lists them", args[0], suggest.Hint(args[0], verbs(root)))
			case a.json:
				return misuse("a manual page has no JSON form: leave --json out")
			case out != "" && len(args) > 0:
				return misuse("-o writes the pages of all commands: leave %s or -o out", args[0])
			case out == "":
				return a.manual(about)
			}
			return a.writeAll(c.Context(), manTree(root, out))
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "folder to write")
	return c
}

// manual prints a page: as plain words on a terminal, else in the form that the
// program man reads.
func (a *app) manual(about *cobra.Command) error {
	if term.IsTerminal(int(a.out.Fd())) {
		about.InitDefaultHelpFlag()
		return about.Help()
	}
	_, err := io.WriteString(a.out, manPage(about))
	return err
}
