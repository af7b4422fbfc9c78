// Command moiety finds groups in records: patients by their diagnoses, texts by
// their words, tables by their columns. Each verb has a file of its own; flags,
// exit codes and messages are all that this room knows.
package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/moiety-go/moiety/internal/spectral"
)

// began is when the command did, but for the start of the process: a few milliseconds.
var began = time.Now()

func main() {
	blas64.Use(spectral.OneCore())
	os.Exit(Main(os.Args[1:]))
}

// Main runs the program and returns its exit code.
func Main(args []string) int {
	a := &app{in: os.Stdin, out: &output{f: os.Stdout}, err: os.Stderr}
	cobra.MousetrapHelpText = "" // a double click opens the workbench
	if len(args) == 0 && clicked() {
		args = []string{"serve", "--open"}
	}
	return a.run(args)
}
