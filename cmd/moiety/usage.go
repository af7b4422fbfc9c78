package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/suggest"
)

// usage is an error of the command line: wrong flags or arguments.
type usage struct{ err error }

func (u usage) Error() string { return u.err.Error() }
func (u usage) Unwrap() error { return u.err }

// misuse returns an error of wrong usage.
func misuse(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

// Sentences of the packages that parse the command line. They speak of the
// language the program is written in, so each gets words of its own.
var (
	unknownVerb = pattern.New(`^unknown command "([^"]*)"`)
	unknownFlag = pattern.New(`^unknown (?:shorthand )?flag: (?:'.' in )?(-+[^\s=]*)`)
	wrongValue  = pattern.New(`^invalid argument "(.*)" for "(?:-., )?--([^"]+)" flag`)
	noValue     = pattern.New(`^flag needs an argument: (?:'(.)' in |--)(\S+)`)
)

// wrongUse words what was found wrong before a verb began, and what to do.
func wrongUse(c *cobra.Command, err error) error {
	var u usage
	if errors.As(err, &u) {
		return err
	}
	m := unknownVerb.FindStringSubmatch(err.Error())
	switch {
	case m == nil:
		return misuse("%w\nTry \"%s --help\".", err, c.CommandPath())
	case c.HasParent():
		return misuse("%s %s%s: write %s", c.CommandPath(), m[1], suggest.Hint(m[1], verbs(c)), list(verbs(c)))
	}
	return misuse("there is no command %q%s; \"moiety help\" lists them", m[1], verbHint(m[1], c))
}

// verbHint says what somebody may have meant by a verb that is not there: the
// verb that looks like it, or the one that takes such a file.
func verbHint(word string, root *cobra.Command) string {
	switch _, err := os.Stat(word); {
	case err != nil:
		return suggest.Hint(word, verbs(root))
	case run.IsRun(word):
		return fmt.Sprintf(" (did you mean \"moiety show %s\"?)", word)
	}
	return fmt.Sprintf(" (did you mean \"moiety inspect %s\"?)", word)
}

// flagError words what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		return misuse("%s has no flag %s%s; \"%s --help\" lists them", c.CommandPath(), m[1], flagHint(c, m[1]), c.CommandPath())
	}
	if m := wrongValue.FindStringSubmatch(text); m != nil {
		if f := c.Flag(m[2]); f != nil {
			return misuse("%s %s: write %s", flagWord(f), m[1], valueOf(f))
		}
	}
	if m := noValue.FindStringSubmatch(text); m != nil {
		if f := flagOf(c, m[1], m[2]); f != nil {
			return misuse("%s needs a value: %s", flagWord(f), f.Usage)
		}
	}
	return misuse("%w\nTry \"%s --help\".", err, c.CommandPath())
}

// swallowed refuses a flag whose value was forgotten, so that it took the flag behind it.
func swallowed(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		name := strings.TrimLeft(value, "-")
		if err == nil && f.Value.Type() == "string" && name != "" && name != value && (c.Flag(name) != nil || len(name) == 1 && c.Flags().ShorthandLookup(name) != nil) {
			err = misuse("%s needs a value, and %s behind it is a flag: %s", flagWord(f), value, f.Usage)
		}
	})
	return err
}

// otherTools are flags of other programs for what is called differently here.
var otherTools = map[string]string{
	"k": "-k", "clusters": "-k", "topics": "-k", "classes": "-k", "components": "-k", "states": "-k", "num-topics": "-k",
	"n-clusters": "-k", "n-components": "-k", "nclass": "-k", "output": "-o", "random-state": "--seed", "threads": "--workers",
	"jobs": "--workers", "n-jobs": "--workers", "cores": "--workers", "memory": "--max-memory", "delimiter": "--separator", "sep": "--separator",
}

// flagHint says which flag somebody may have meant.
func flagHint(c *cobra.Command, given string) string {
	name := strings.TrimLeft(given, "-")
	hint := ""
	if other := otherTools[strings.ReplaceAll(name, "_", "-")]; other != "" && flagOf(c, other[1:2], strings.TrimLeft(other, "-")) != nil {
		hint = other
	} else if near := suggest.Word(name, flagNames(c)); near != "" {
		hint = "--" + near
	}
	if hint == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", hint)
}

// flagOf finds a flag by its letter or its name.
func flagOf(c *cobra.Command, letter, name string) *pflag.Flag {
	if f := c.Flag(name); f != nil {
		return f
	}
	if letter == "" {
		return nil
	}
	return c.Flags().ShorthandLookup(letter)
}

// flagWord writes a flag as people type it.
func flagWord(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// valueOf says what a flag takes.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint64":
		return "a whole number, such as 5"
	case "float64":
		return "a number, such as 0.5"
	case "bool":
		return "nothing behind it, or =false"
	}
	return f.Usage
}

// verbs lists the commands below one.
func verbs(c *cobra.Command) []string {
	var out []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, sub.Name())
		}
	}
	return out
}

// flagNames lists the flags of a command, for "did you mean".
func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
