package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/moiety-go/moiety/bank/program"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/trial"
)

// run puts the program to the test. What was done before an interrupt is kept.
func run(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("run", flag.ContinueOnError)
	var c choice
	c.flags(f, "choose")
	path := f.String("program", "", "program to be judged")
	out := f.String("out", "", "file of results to write, one JSON line a draw")
	workers := f.Int("workers", 1, "draws at a time; the results do not depend on it but for times")
	limit := f.Duration("cpu", 60*time.Second, "most CPU time of one command")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *path == "" || *out == "" || f.NArg() > 0 {
		return errors.New("run needs -program and -out, and nothing else but flags")
	}
	asked, err := c.draws()
	if err != nil {
		return err
	}
	p, err := judged(*path, *limit)
	if err != nil {
		return err
	}
	if err := writable(*out); err != nil {
		return err
	}
	draws, err := try(ctx, p, asked, *workers)
	return errors.Join(err, save(*out, draws))
}

// judged returns the program at a path.
func judged(path string, limit time.Duration) (program.Program, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return program.Program{}, err
	}
	if info, err := os.Stat(whole); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
		return program.Program{}, fmt.Errorf("-program: %s is no program that can be run", path)
	}
	return program.Program{Path: whole, CPU: limit}, nil
}

// writable says before an hour's work that its results could not be written.
func writable(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}

// try runs the program on every draw and returns those that were finished.
func try(ctx context.Context, p program.Program, asked []one, workers int) ([]result.Draw, error) {
	var lock sync.Mutex
	var draws []result.Draw
	err := parallel(ctx, os.Stderr, workers, len(asked), func(ctx context.Context, i int) error {
		d, err := trial.Run(ctx, p, asked[i].Law, asked[i].n, asked[i].seed)
		if err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		draws = append(draws, d)
		return nil
	})
	return draws, err
}

// save writes results to a file.
func save(path string, draws []result.Draw) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(result.Write(file, draws), file.Close())
}

// load reads results from a file.
func load(path string) ([]result.Draw, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	draws, err := result.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return draws, nil
}
