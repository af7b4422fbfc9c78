package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
)

// fault is a panic below main: an error of the program itself. People get one
// line and the name of a file to send; the file holds no data.
type fault struct {
	caught *par.Panic
	file   string // "" where none could be written
}

func (f fault) Error() string {
	line := "something went wrong inside the program; this is a fault of moiety, not of your data"
	if f.file == "" {
		return line + ". Please report it, with the command you typed"
	}
	return line + ". Please report it and add the file " + f.file + ", which holds no data"
}

// newFault writes the file to send. It goes to the user's cache folder, or to
// the folder for temporary files.
func newFault(c *cobra.Command, caught *par.Panic) fault {
	f := fault{caught: caught}
	var folders []string
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "moiety"))
	}
	for _, dir := range append(folders, os.TempDir()) {
		if os.MkdirAll(dir, 0o700) != nil {
			continue
		}
		file, err := os.CreateTemp(dir, "fault-*.txt") // 0600
		if err != nil {
			continue
		}
		_, err = file.WriteString(describeFault(c, caught))
		if file.Close() == nil && err == nil {
			f.file = file.Name()
			return f
		}
		os.Remove(file.Name())
	}
	return f
}

// describeFault says what happened and where, without a word of the data.
func describeFault(c *cobra.Command, caught *par.Panic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A fault of moiety. This file holds no data and no file names: read it, then send it.\n\n")
	fmt.Fprintf(&b, "program   %s %s\nplatform  %s/%s, %s, %d cores\n", fit.Program(), revision(), runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU())
	fmt.Fprintf(&b, "command   %s\nfault     %s\n\n%s", typed(c), cause(caught.Value), caught.Stack)
	return b.String()
}

// cause words what a panic carries. Only the runtime's and the algebra's own
// sentences are known to hold no data; of others the type is reported.
func cause(v any) string {
	switch v := v.(type) {
	case runtime.Error:
		return v.Error()
	case mat.Error:
		return v.Error()
	case mat.ErrorStack:
		return v.Error()
	case string:
		for _, prefix := range []string{"mat: ", "blas: ", "lapack: ", "floats: ", "stat: "} {
			if strings.HasPrefix(v, prefix) {
				return v
			}
		}
	}
	return fmt.Sprintf("%T", v)
}

// typed repeats the command without what could be data: the verb and its flags,
// with values where they are numbers, switches or words of a list.
func typed(c *cobra.Command) string {
	if c == nil {
		return "moiety"
	}
	out := c.CommandPath()
	c.Flags().Visit(func(f *pflag.Flag) {
		out += " --" + f.Name
		switch _, isList := listFlags[f.Name]; {
		case isList, f.Value.Type() != "string" && f.Value.Type() != "stringSlice":
			out += "=" + f.Value.String()
		default:
			out += "=…"
		}
	})
	return out
}

// listFlags are the flags whose value is a word of a list or a size.
var listFlags = map[string]struct{}{
	"model": {}, "method": {}, "refine": {}, "moments": {}, "weights": {}, "variance": {}, "alpha0": {}, "stability": {},
	"format": {}, "unit": {}, "header": {}, "separator": {}, "decimal": {}, "lines": {}, "rollup": {}, "system": {},
	"min-df": {}, "max-df": {}, "vocab": {}, "max-memory": {}, "progress": {}, "to": {},
}
