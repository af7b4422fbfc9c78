// Package sets lists real data sets with the classes that experts gave to their records.
// fetch.py gets them out of public packages and fetch.R reads those of R; nothing of them
// is kept here but their hashes, and in peers.csv what other methods make of them.
package sets

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/split"
)

// Hand is the name by which real sets are told from the laws of a hand.
const Hand = "real"

// Set is a real data set.
type Set struct {
	Name    string
	Kind    law.Kind
	Groups  int // classes; 1 where experts see one population
	Records int
	SHA256  string // of the records and then the classes as fetch.py writes them; empty where it was never fetched
	Seen    bool   // by those who made the program, before there was this list
	Part    split.Part
}

// Read reads a list of sets, such as sets.tsv here and in the folder that fetch.py wrote.
func Read(path string) ([]Set, error) {
	list, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all, err := parse(string(list))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// parse reads a list: a line of names of columns, then a line a set, cells between tabs.
func parse(list string) ([]Set, error) {
	lines := strings.Split(strings.TrimRight(list, "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	for _, name := range []string{"name", "kind", "groups", "seen", "records", "sha256"} {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no column %q", name)
		}
	}
	all := make([]Set, 0, len(lines))
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(names) {
			return nil, fmt.Errorf("line %d has %d cells, the first line has %d", i+2, len(cells), len(names))
		}
		set, err := one(func(name string) string { return cells[slices.Index(names, name)] })
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		all = append(all, set)
	}
	return dealt(all), nil
}

// one reads a set from its cells.
func one(cell func(name string) string) (Set, error) {
	s := Set{Name: cell("name"), Kind: law.Kind(cell("kind")), SHA256: cell("sha256"), Seen: cell("seen") != ""}
	var err error
	if s.Groups, err = strconv.Atoi(cell("groups")); err != nil || s.Groups < 1 {
		return Set{}, fmt.Errorf("%q is no number of classes", cell("groups"))
	}
	if s.SHA256 == "" {
		return s, nil
	}
	s.Records, err = strconv.Atoi(cell("records"))
	return s, err
}

// dealt deals the sets into the parts of the bank as the laws of a hand are; those that
// were seen are to choose by.
func dealt(all []Set) []Set {
	var fresh []law.Law
	for _, s := range all {
		if !s.Seen {
			fresh = append(fresh, law.Law{Name: s.Name, Kind: s.Kind, Groups: s.Groups})
		}
	}
	parts := split.Laws(Hand, fresh)
	for i, s := range all {
		all[i].Part = split.Choose
		if !s.Seen {
			all[i].Part = parts[s.Name]
		}
	}
	return all
}
