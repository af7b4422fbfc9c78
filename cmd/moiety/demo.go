package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// Sizes of the example data.
const (
	demoPatients = 6000
	demoTexts    = 2000
	demoTopics   = 8
)

// demoKinds are the kinds of example data, the default first.
var demoKinds = []string{"patients", "texts"}

func (a *app) demoCommand() *cobra.Command {
	var out string
	var seed uint64
	var force, open bool
	c := &cobra.Command{
		Use:   "demo [patients|texts]",
		Short: "Make example data and find its groups: the whole tour in seconds",
		Long: `Makes example data on the spot, an example hospital or an example corpus,
writes them to a file and finds their groups in the same way as "fit" does with
your own file. No data of real people are involved.`,
		ValidArgs: demoKinds,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && !slices.Contains(demoKinds, args[0]) {
				return misuse("demo %s: write demo patients or demo texts", strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			kind := demoKinds[0]
			if len(args) > 0 {
				kind = args[0]
			}
			return a.demo(c.Context(), kind, out, seed, force, open)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "run folder to write (default: in the user's cache folder)")
	c.Flags().Uint64Var(&seed, "seed", 1, "makes other patients or texts")
	c.Flags().BoolVar(&force, "force", false, "replace an earlier run")
	c.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	return c
}

// demo makes the data, fits them and tells what to try next.
func (a *app) demo(ctx context.Context, kind, out string, seed uint64, force, open bool) error {
	if out == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("there is no cache folder (%w): name a folder with -o", err)
		}
		out, force = filepath.Join(dir, "moiety", "demo-"+kind), true
	}
	write := func(to target, seed uint64) error { return writePatients(to, seed, demoPatients) }
	if kind == "texts" {
		write = writeTexts
	}
	data := filepath.Clean(out) + ".csv"
	if err := write(target{data, force}, seed); err != nil {
		return err
	}
	o := run.Order{Order: fit.Order{Args: []string{data}, Fit: fit.Settings{Seed: seed}, Now: time.Now}, Out: out, Force: force, Words: printed}
	if kind == "texts" {
		o.Read, o.Fit.K = read.Options{Reading: record.Reading{Text: "text", Label: []string{"title", "theme"}}}, demoTopics
		a.say("%s example texts are in %s.\nThis is what \"moiety fit %s --text text --label title,theme -k %d --seed %d -o %s\" does.\n",
			thousands(demoTexts), data, data, demoTopics, seed, out)
	} else {
		o.Read.Label = []string{"sex", "age"}
		a.say("%s example patients, none of them real, are in %s.\nThis is what \"moiety fit %s --label sex,age --seed %d -o %s\" does.\n",
			thousands(demoPatients), data, data, seed, out)
	}
	r, err := run.Make(a.listening(ctx), o)
	if err != nil {
		return ofData(err)
	}
	if err := a.fitted(r); err != nil {
		return err
	}
	return a.demoPage(ctx, out, force, open)
}

// demoPage writes the page of the run beside it, says where it is, and opens it
// where that was asked for.
func (a *app) demoPage(ctx context.Context, out string, force, open bool) error {
	x := a.exporting()
	x.to = target{filepath.Clean(out) + ".html", force}
	if err := a.writeReport(ctx, out, report.Settings{}, x, show.Pages{}, show.WriteReportHTML); err != nil {
		return err
	}
	path, err := filepath.Abs(x.to.path)
	if err != nil {
		return err
	}
	a.say("\nThe page with the pictures: %s", path)
	if !open {
		return nil
	}
	if err := openPage(ctx, path); err != nil {
		a.say("it could not be opened (%v): open it in a browser by hand", err)
	}
	return nil
}

// openPage opens a file with the program of the system for pages.
func openPage(ctx context.Context, path string) error {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open"}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return exec.CommandContext(ctx, command[0], append(command[1:], path)...).Start()
}

// writePatients writes an example hospital of n patients as a wide list.
func writePatients(to target, seed uint64, n int) error {
	head, rows := api.ExamplePatients(seed, n)
	return writeTable(to, head, rows)
}

// writeTexts writes the example corpus as a table.
func writeTexts(to target, seed uint64) error {
	head, rows := api.ExampleTexts(seed, demoTexts)
	return writeTable(to, head, rows)
}

// writeTable writes a CSV file under a temporary name and renames it.
func writeTable(to target, head []string, rows [][]string) error {
	f, err := outfile.Create(context.Background(), to.path, outfile.Form{Name: "known as example data"}, outfile.Options{Force: to.force})
	if err != nil {
		return err
	}
	defer f.Abandon()
	w := csv.NewWriter(f)
	if err := w.Write(head); err != nil {
		return err
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return f.Commit()
}
