package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Manual pages in the macros of man(7): what "moiety help COMMAND" says, in the same
// sections, with the pages to see beside it. A page has no date: the same program
// writes the same bytes.

// manTree lists the page of a command, and those of all commands under it, as files of a
// folder.
func manTree(c *cobra.Command, dir string) []written {
	out := []written{{to: target{filepath.Join(dir, manName(c)+".1"), true}, data: []byte(manPage(c))}}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, manTree(sub, dir)...)
		}
	}
	return out
}

// manPage is the page of one command.
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q %q\n.nh\n.ad l\n", strings.ToUpper(manName(c)), "moiety", "moiety")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", strings.ReplaceAll(roff(about), "\n\n", "\n.PP\n"))
	titles, sets := sectionsOf(c)
	for _, title := range titles {
		manFlags(&b, title, sets[title])
	}
	if c.HasAvailableInheritedFlags() {
		manFlags(&b, "Always", c.InheritedFlags())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if also := manBeside(c); len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(also, ",\n"))
	}
	return b.String()
}

// manFlags writes the flags of one section: names, what to write after them, what they do.
func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", roff(strings.ToUpper(title)))
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fP", roff(name))
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fP", roff(value))
		}
		fmt.Fprintf(b, "\n%s", roff(usage))
		switch f.DefValue {
		case "", "0", "0s", "false", "[]":
		default:
			fmt.Fprintf(b, " (default %s)", roff(f.DefValue))
		}
		b.WriteByte('\n')
	})
}

// manBeside lists the page of the command above and those of the commands under it.
func manBeside(c *cobra.Command) (pages []string) {
	if c.HasParent() {
		pages = append(pages, ".BR "+roff(manName(c.Parent()))+" (1)")
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			pages = append(pages, ".BR "+roff(manName(sub))+" (1)")
		}
	}
	return pages
}

// manName is the name of a command's page: moiety-study-join.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// roff writes words so that roff takes them as they are: its sign of escape is
// doubled, dashes are those of commands, and no line begins as a request does.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
