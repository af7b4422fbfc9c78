package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// tried makes the changes, some side by side, and writes what became of each and
// the table of the areas. A change that could not be tried is an error.
func tried(changes []mutant, jobs int, limit time.Duration, out io.Writer) error {
	var green sync.Map // tests → func() error: whether they pass without a change
	fates := make([]fate, len(changes))
	faults := make([]error, len(changes))
	var wait sync.WaitGroup
	var line sync.Mutex
	turn := make(chan struct{}, max(jobs, 1))
	for i, m := range changes {
		turn <- struct{}{}
		wait.Go(func() {
			defer func() { <-turn }()
			ask, _ := green.LoadOrStore(m.tests(), sync.OnceValue(func() error {
				how, err := run(m.tests(), limit, "-short")
				if err == nil && how != alive {
					err = fmt.Errorf("%s: not green without a change", m.tests())
				}
				return err
			}))
			begun := time.Now()
			if faults[i] = ask.(func() error)(); faults[i] == nil {
				fates[i], faults[i] = m.noticed(limit)
			} else {
				fates[i] = broken
			}
			line.Lock()
			defer line.Unlock()
			fmt.Fprintf(out, "%-13s %4.0fs %s: %s\n", fates[i], time.Since(begun).Seconds(), m.file, m.why)
		})
	}
	wait.Wait()
	return score(changes, fates, faults, out)
}

// score writes the table.
func score(changes []mutant, fates []fate, faults []error, out io.Writer) error {
	var areas, lived, not []string
	count := map[string]map[fate]int{"all": {}}
	for i, m := range changes {
		if !slices.Contains(areas, m.area) {
			areas = append(areas, m.area)
			count[m.area] = map[fate]int{}
		}
		for _, a := range []string{m.area, "all"} {
			count[a][fates[i]]++
		}
		switch fates[i] {
		case alive:
			lived = append(lived, fmt.Sprintf("%s: %s (%q)", m.file, m.why, m.to))
		case broken:
			not = append(not, fmt.Sprintf("%s: %s: %v", m.file, m.why, faults[i]))
		}
	}
	slices.Sort(areas)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\narea\tchanges\tkilled\tsame result\tlived\t")
	for _, a := range append(areas, "all") {
		c := count[a]
		dead := c[killed] + c[slow]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", a, dead+c[equal]+c[alive], dead, c[equal], c[alive])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(lived) > 0 {
		fmt.Fprintf(out, "\nlived:\n%s\n", strings.Join(lived, "\n"))
	}
	if len(not) > 0 {
		return fmt.Errorf("%d changes could not be tried:\n%s", len(not), strings.Join(not, "\n"))
	}
	return nil
}
