// Command reference keeps what the program answers today, so that a change of
// structure can be held against it tomorrow.
//
//	go run ./scripts/reference keep -program bin/moiety OLD
//	(change the code, build it anew)
//	go run ./scripts/reference keep -program bin/moiety NEW
//	go run ./scripts/reference compare OLD NEW
//
// keep fits the demo and every data set by its natural command and exports it as
// tables into a folder of its own in the folder given, which should lie outside
// the repository. Real data are looked for in $MOIETY_DATA, or in shared/data
// beside the repository; -only takes a regular expression of names.
//
// compare prints, for each set, the adjusted Rand index of the groups and the
// largest difference of any number, and ends with 1 where groups, their
// numbering, names of files and columns, exit codes or the fingerprint of the
// data differ, or a number by more than 1e-6 (documents 1e-4).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want keep FOLDER, or compare OLD NEW")
	}
	switch args[0] {
	case "keep":
		flags := flag.NewFlagSet("keep", flag.ContinueOnError)
		program := flags.String("program", filepath.Join("bin", "moiety"), "the program to ask")
		only := flags.String("only", ".", "names of sets, a regular expression")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		names, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		if flags.NArg() != 1 {
			return fmt.Errorf("keep wants one folder to write to, got %d", flags.NArg())
		}
		return keep(ctx, *program, names, flags.Arg(0))
	case "compare":
		if len(args) != 3 {
			return fmt.Errorf("compare wants two folders that keep wrote, got %d", len(args)-1)
		}
		return compare(os.Stdout, args[1], args[2])
	}
	return fmt.Errorf("unknown word %q: want keep or compare", args[0])
}
