package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/sets"
	"github.com/moiety-go/moiety/bank/table"
)

// printTable prints the tables of a file of results.
func printTable(w io.Writer, args []string) error {
	f := flag.NewFlagSet("table", flag.ContinueOnError)
	path := f.String("oracles", "oracles.csv", "table of oracles; empty to go without")
	peers := f.String("peers", "sets/peers.csv", "what other methods make of real sets; empty to go without")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return errors.New("table needs a file of results, or some, after its flags")
	}
	var draws []result.Draw
	for _, path := range f.Args() {
		some, err := load(path)
		if err != nil {
			return err
		}
		draws = append(draws, some...)
	}
	laws := slices.DeleteFunc(slices.Clone(draws), func(d result.Draw) bool { return d.Hand == sets.Hand })
	if len(laws) > 0 {
		oracles, err := oraclesAt(*path)
		if err != nil {
			return err
		}
		table.Write(w, laws, oracles)
	}
	if len(laws) == len(draws) {
		return nil
	}
	return printSets(w, draws, *peers)
}

// printSets prints the tables of the real sets among the draws.
func printSets(w io.Writer, draws []result.Draw, path string) error {
	var peers map[string][]sets.Peer
	if path != "" {
		var err error
		if peers, err = sets.ReadPeers(path); err != nil {
			return err
		}
	}
	table.WriteSets(w, draws, peers)
	return nil
}

// printComparison prints what changed between two files of results.
func printComparison(w io.Writer, args []string) error {
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	path := f.String("oracles", "oracles.csv", "table of oracles; empty to go without")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return errors.New("compare needs two files of results, the older first, after its flags")
	}
	before, err := load(f.Arg(0))
	if err != nil {
		return err
	}
	after, err := load(f.Arg(1))
	if err != nil {
		return err
	}
	oracles, err := oraclesAt(*path)
	if err != nil {
		return err
	}
	table.Compare(w, before, after, oracles)
	return nil
}

// oraclesAt reads the table of oracles that must be there, unless the path is empty.
func oraclesAt(path string) (oracle.Table, error) {
	if path == "" {
		return oracle.Table{}, nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%w: give -oracles, write it by \"bank oracle\", or go without by -oracles ''", err)
	}
	return loadOracles(path)
}
