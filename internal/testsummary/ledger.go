package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// closeLedger prints the failures, the skips and the counts of a ledger, whose
// lines are "pass N", "fail NAME", "skip NAME<tab>REASON" and "count TEXT". An
// empty ledger is a failure: nothing was tested.
func closeLedger(text string, out io.Writer) (ok bool, err error) {
	passed := 0
	var failed, skipped, counted []string
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch kind {
		case "pass":
			n, err := strconv.Atoi(rest)
			if err != nil {
				return false, fmt.Errorf("ledger line %q: want \"pass\" and a number", line)
			}
			passed += n
		case "fail":
			failed = append(failed, rest)
		case "skip":
			skipped = append(skipped, strings.Replace(rest, "\t", ": ", 1))
		case "count":
			counted = append(counted, rest)
		default:
			return false, fmt.Errorf("ledger line %q: want pass, fail, skip or count", line)
		}
	}
	list(out, "tried", counted)
	list(out, "failed", failed)
	list(out, "skipped", skipped)
	_, err = fmt.Fprintf(out, "\n%d passed, %d failed, %d skipped\n", passed, len(failed), len(skipped))
	return len(failed) == 0 && passed > 0, err
}

// list prints a headed list, or nothing when it is empty.
func list(out io.Writer, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", head)
	for _, line := range lines {
		fmt.Fprintf(out, "  %s\n", line)
	}
}
