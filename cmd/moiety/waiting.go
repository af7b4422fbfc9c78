package main

import (
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// unheard is how long a pipe may give nothing before the user is told what the
// program waits for.
const unheard = 2 * time.Second

// awaited returns the arguments that others write while the program reads:
// named pipes, and standard input where it is no file.
func (a *app) awaited(args []string) (names []string) {
	for _, arg := range args {
		if arg == "-" {
			if info, err := a.in.Stat(); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 || term.IsTerminal(int(a.in.Fd())) {
				names = append(names, "standard input")
			}
			continue
		}
		if info, err := os.Stat(arg); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			names = append(names, arg)
		}
	}
	return names
}

// namedFiles returns what flags may name as a file to read: titles, stop words, lists
// of labels.
func namedFiles(c *cobra.Command) (names []string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "out" && f.Value.Type() == "string" {
			names = append(names, f.Value.String())
		}
	})
	return names
}

// await says what the program waits for if it has not heard of it in time.
func (a *app) await(args []string) {
	names := a.awaited(args)
	if len(names) == 0 {
		return
	}
	a.waiting = time.AfterFunc(unheard, func() {
		if !a.meter.heard.Load() {
			a.say("waiting for somebody who writes into %s", strings.Join(names, ", "))
		}
	})
}
