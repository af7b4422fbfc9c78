package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/table"
)

// printTable prints the tables of a file of results.
func printTable(w io.Writer, args []string) error {
	f := flag.NewFlagSet("table", flag.ContinueOnError)
	path := f.String("oracles", "oracles.csv", "table of oracles; empty to go without")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return errors.New("table needs one file of results, after its flags")
	}
	draws, err := load(f.Arg(0))
	if err != nil {
		return err
	}
	oracles, err := oraclesAt(*path)
	if err != nil {
		return err
	}
	table.Write(w, draws, oracles)
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
