package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sectionMark is the annotation of a flag that names its section in the help.
const sectionMark = "section"

// section puts the flags that were defined since the last call under a title.
func section(c *cobra.Command, title string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{sectionMark: {title}}
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
