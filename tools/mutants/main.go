// Mutants makes small wrong changes to the program, one at a time, and counts
// which of them the tests notice, area by area: how strong the tests are where a
// wrong answer would hurt. The files themselves are not touched.
//
//	go run -C tools ./mutants                    all of them
//	go run -C tools ./mutants -area moment,read  some areas
//	go run -C tools ./mutants -file exit.go      those of some files
//
// Tests are first run without a change: only green ones can notice. A change that
// no test notices is listed with its place; one that cannot be made any more,
// because its line has changed, is an error: the lists are in list_*.go.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	areas := flag.String("area", "", "areas, separated by commas (default all)")
	file := flag.String("file", "", "only files whose path has this text")
	jobs := flag.Int("jobs", 2, "how many changes are tried side by side")
	limit := flag.Duration("timeout", 5*time.Minute, "limit for the tests of one change; one that hangs is noticed")
	flag.Parse()
	chosen := slices.DeleteFunc(list(), func(m mutant) bool {
		return *areas != "" && !slices.Contains(strings.Split(*areas, ","), m.area) || !strings.Contains(m.file, *file)
	})
	if err := tried(chosen, *jobs, *limit, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
