package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/moiety-go/moiety/internal/suggest"
)

// sectionMark is the annotation of a flag that names its section in the help.
const sectionMark = "section"

// section puts the flags that were defined since the last call under a title.
func section(c *cobra.Command, title string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		if f.Annotations[sectionMark] == nil {
			f.Annotations[sectionMark] = []string{title}
		}
	})
}

// usageText prints how to use a command: its flags by section, in the order in
// which they were defined.
func usageText(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	titles, sets := sectionsOf(c)
	for _, title := range titles {
		fmt.Fprintf(&b, "\n%s:\n%s", title, sets[title].FlagUsages())
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nAlways:\n%s", c.InheritedFlags().FlagUsages())
	}
	_, err := fmt.Fprint(c.OutOrStderr(), b.String())
	return err
}

// helpCommand is "moiety help VERB"; a verb that is not there is wrong usage.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND | methods]", Short: "Say what a command does and which flags it takes; list all methods",
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return append(verbs(c.Root()), methodsWord), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == methodsWord {
				return writeMethods(c.OutOrStdout())
			}
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				word := strings.Join(args, " ")
				return misuse("there is no command %q%s; \"moiety help\" lists them", word, suggest.Hint(word, append(verbs(c.Root()), methodsWord)))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// methodsWord is what "help" explains besides the verbs.
const methodsWord = "methods"

// runnableCompletion makes "completion SHELL" refuse a shell that it does not
// know, instead of printing its help.
func runnableCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil || c == root {
		return
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// valuesMark is the annotation with the values that a flag may have.
const valuesMark = "values"

// complete notes the values of a flag, for shells that ask for them.
func complete(c *cobra.Command, flag string, values ...string) {
	f := c.Flag(flag)
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[valuesMark] = values
}

// offer gives the noted values to a shell that asks, and only then: cobra keeps
// what it is given for the life of the process, and with it the whole command.
func offer(root *cobra.Command, args []string) {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
		return
	}
	for _, c := range append(root.Commands(), root) {
		offered := func(f *pflag.Flag) {
			if values := f.Annotations[valuesMark]; values != nil {
				// A flag that was offered already keeps what it has.
				_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
			}
		}
		c.Flags().VisitAll(offered)
		c.PersistentFlags().VisitAll(offered)
	}
}

// sectionsOf gathers the flags of a command by section.
func sectionsOf(c *cobra.Command) (titles []string, sets map[string]*pflag.FlagSet) {
	sets = map[string]*pflag.FlagSet{}
	c.LocalFlags().SortFlags = false
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if s := f.Annotations[sectionMark]; len(s) > 0 {
			title = s[0]
		}
		if sets[title] == nil {
			titles = append(titles, title)
			sets[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			sets[title].SortFlags = false
		}
		sets[title].AddFlag(f)
	})
	return titles, sets
}
