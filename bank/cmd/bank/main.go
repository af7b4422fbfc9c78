// Command bank judges a program that finds groups on draws whose groups are known:
// see the module's README.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: bank COMMAND [flags]

  run -program P -out FILE   put the program to the test
  table FILE                 say what came out, in Markdown
  compare OLD NEW            say what changed between two runs of the same draws
  oracle                     find out how well the groups can be told at all
  draw -out FOLDER           write draws to files, to look at them or to try a fit

"bank COMMAND -h" lists the flags.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := command(ctx, os.Args[1:])
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, context.Canceled):
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(1)
	}
}

// command runs one command.
func command(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command\n\n%s", usage)
	}
	switch args[0] {
	case "run":
		return run(ctx, args[1:])
	case "table":
		return printTable(os.Stdout, args[1:])
	case "compare":
		return printComparison(os.Stdout, args[1:])
	case "oracle":
		return askOracle(ctx, args[1:])
	case "draw":
		return writeDraws(args[1:])
	}
	return fmt.Errorf("there is no command %q\n\n%s", args[0], usage)
}
