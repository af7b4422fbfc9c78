package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/bank/hands"
	"github.com/moiety-go/moiety/bank/sets"
	"github.com/moiety-go/moiety/bank/split"
)

// smallSample is the number of laws of a quick look.
const smallSample = 40

// choice is what draws are asked for by flags.
type choice struct {
	part, hands, laws, sizes, seeds, sets string
	small                                 bool
}

// one is a draw that is asked for.
type one struct {
	hands.Law
	n    int
	seed uint64
}

// flags adds the flags of the choice.
func (c *choice) flags(f *flag.FlagSet, part string) {
	f.StringVar(&c.part, "part", part, "part of the bank: choose, calibrate, judge or all")
	f.StringVar(&c.hands, "hands", "", "hands, joined by commas (all)")
	f.StringVar(&c.laws, "laws", "", "regular expression that names of laws match (all)")
	f.StringVar(&c.sizes, "n", "300,2000", "numbers of records; of sequences a fifth is drawn")
	f.StringVar(&c.seeds, "seeds", "1,2", "seeds, one a draw")
	f.StringVar(&c.sets, "sets", "", "folder of real sets that sets/fetch.py wrote, in the place of laws; -laws matches their names")
	f.BoolVar(&c.small, "small", false, "a quick look: some 40 of these laws, always the same, at 300 with seed 1")
}

// draws lists the draws in the order of the hands. Of real sets there is one each.
func (c *choice) draws() ([]one, error) {
	if c.sets != "" {
		return c.realSets()
	}
	if c.small {
		c.sizes, c.seeds = "300", "1"
	}
	laws, err := c.chosen(hands.All())
	if err != nil {
		return nil, err
	}
	sizes, err := numbers("-n", c.sizes)
	if err != nil {
		return nil, err
	}
	seeds, err := numbers("-seeds", c.seeds)
	if err != nil {
		return nil, err
	}
	var all []one
	for _, l := range laws {
		for _, n := range sizes {
			for _, seed := range seeds {
				all = append(all, one{l, n, uint64(seed)})
			}
		}
	}
	return all, nil
}

// realSets lists the real sets that are asked for and were fetched; others are named.
func (c *choice) realSets() ([]one, error) {
	asked, err := c.asked()
	if err != nil {
		return nil, err
	}
	listed, err := sets.Read(filepath.Join(c.sets, "sets.tsv"))
	if err != nil {
		return nil, err
	}
	var all []one
	for _, s := range listed {
		if !asked(s.Part, s.Name) {
			continue
		}
		l, err := s.Law(c.sets)
		if err != nil {
			fmt.Fprintln(os.Stderr, "skipped:", err)
			continue
		}
		all = append(all, one{l, s.Records, 1})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no set of the part %q in %s matches %q: fetch them by sets/fetch.py", c.part, c.sets, c.laws)
	}
	return all, nil
}

// asked returns the rule by part and name.
func (c *choice) asked() (func(part split.Part, name string) bool, error) {
	wanted := split.Part(c.part)
	if c.part != "all" && !slices.Contains(split.Parts(), wanted) {
		return nil, fmt.Errorf("-part: %q is none of choose, calibrate, judge and all", c.part)
	}
	names, err := regexp.Compile(c.laws)
	if err != nil {
		return nil, fmt.Errorf("-laws: %w", err)
	}
	return func(part split.Part, name string) bool {
		return (c.part == "all" || part == wanted) && names.MatchString(name)
	}, nil
}

// chosen returns the laws that are asked for.
func (c *choice) chosen(all []hands.Law) ([]hands.Law, error) {
	asked, err := c.asked()
	if err != nil {
		return nil, err
	}
	wanted, err := c.wantedHands(all)
	if err != nil {
		return nil, err
	}
	var laws []hands.Law
	for _, l := range all {
		if asked(l.Part, l.Name) && slices.Contains(wanted, l.Hand) {
			laws = append(laws, l)
		}
	}
	if c.small {
		laws = hands.Sample(laws, smallSample)
	}
	if len(laws) == 0 {
		return nil, fmt.Errorf("no law of the part %q in %s matches %q", c.part, strings.Join(wanted, ","), c.laws)
	}
	return laws, nil
}

// wantedHands returns the hands that are asked for, all where none is.
func (c *choice) wantedHands(all []hands.Law) ([]string, error) {
	var known []string
	for _, l := range all {
		known = append(known, l.Hand)
	}
	known = slices.Compact(known)
	if c.hands == "" {
		return known, nil
	}
	wanted := strings.Split(c.hands, ",")
	for _, hand := range wanted {
		if !slices.Contains(known, hand) {
			return nil, fmt.Errorf("-hands: there is no hand %q; the hands are %s", hand, strings.Join(known, ", "))
		}
	}
	return wanted, nil
}

// numbers reads numbers above 0 that are joined by commas.
func numbers(name, text string) ([]int, error) {
	var all []int
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s: %q is no number above 0", name, field)
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
