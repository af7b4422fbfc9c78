package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (a *app) manCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "man", Short: "Print the manual page, or write those of all commands to a folder",
		Args: argsBetween(0, 0, "[-o DIR]"),
		RunE: func(c *cobra.Command, _ []string) error {
			if a.json {
				return misuse("a manual page has no JSON form: leave --json out")
			}
			root := c.Root()
			root.DisableAutoGenTag = true
			head := &doc.GenManHeader{Title: "MOIETY", Section: "1", Source: "moiety", Manual: "moiety"}
			if out == "" {
				return doc.GenMan(root, head, a.out)
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return err
			}
			head.Title = "" // each command its own
			return doc.GenManTree(root, head, out)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "folder to write")
	return c
}
