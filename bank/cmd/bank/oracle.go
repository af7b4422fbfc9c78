package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"sync"

	"github.com/moiety-go/moiety/bank/draw"
	"github.com/moiety-go/moiety/bank/oracle"
)

// askOracle finds out how well the groups of draws can be told, and puts it into the
// table of oracles. Rows of the same law and size are replaced, others stay.
func askOracle(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("oracle", flag.ContinueOnError)
	var c choice
	c.flags(f, "all")
	path := f.String("oracles", "oracles.csv", "table of oracles to write")
	workers := f.Int("workers", 1, "draws at a time")
	if err := f.Parse(args); err != nil {
		return err
	}
	asked, err := c.draws()
	if err != nil {
		return err
	}
	table, err := loadOracles(*path)
	if err != nil {
		return err
	}
	found, err := reach(ctx, asked, *workers)
	if err != nil {
		return err
	}
	maps.Copy(table, found)
	return saveOracles(*path, table)
}

// reach asks the oracle for every draw with groups.
func reach(ctx context.Context, asked []one, workers int) (oracle.Table, error) {
	var lock sync.Mutex
	reached := map[oracle.Case]map[uint64]map[string]float64{}
	err := parallel(ctx, os.Stderr, workers, len(asked), func(_ context.Context, i int) error {
		a := asked[i]
		data := draw.Records(a.Hand, a.Law.Law, a.n, a.seed)
		if data.Group == nil {
			return nil
		}
		one := oracle.Reach(data)
		lock.Lock()
		defer lock.Unlock()
		key := oracle.Case{Hand: a.Hand, Law: a.Name, N: a.n}
		if reached[key] == nil {
			reached[key] = map[uint64]map[string]float64{}
		}
		reached[key][a.seed] = one
		return nil
	})
	table := oracle.Table{}
	for key, seeds := range reached {
		table[key] = oracle.Best(seeds)
	}
	return table, err
}

// loadOracles reads the table of oracles, empty where there is no file.
func loadOracles(path string) (oracle.Table, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return oracle.Table{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := oracle.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// saveOracles writes the table of oracles.
func saveOracles(path string, table oracle.Table) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(table.Write(file), file.Close())
}
