// Command testsummary turns the events of go test -json into what a person
// wants to read: a line for each package, the full output of what failed, and
// at the end every skip with its reason and one line of counts.
//
// It runs twice in the test command. Each go test is piped through
//
//	testsummary -ledger FILE
//
// which prints as the tests run and appends its results to the ledger; and
//
//	testsummary -close -ledger FILE
//
// reads the ledger of all steps, prints the closing part, and exits with 1 if
// anything failed. Steps that are not Go tests append to the same ledger.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	path := flag.String("ledger", "", "file that collects the results of all steps")
	closing := flag.Bool("close", false, "print the skips and the counts of the ledger")
	flag.Parse()
	ok, err := run(*path, *closing, os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run does one of the two jobs and reports whether nothing failed.
func run(path string, closing bool, in io.Reader, out io.Writer) (bool, error) {
	if closing {
		text, err := os.ReadFile(path)
		if err != nil {
			return false, err
		}
		return closeLedger(string(text), out)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, err
	}
	ok, err := follow(in, out, f)
	if e := f.Close(); err == nil {
		err = e
	}
	return ok, err
}
