package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
)

// updating are the flags of update.
type updating struct {
	r     reading
	m     machine
	u     run.Update
	file  string // of ids to take out
	batch int
	out   string
}

func (a *app) updateCommand() *cobra.Command {
	o := &updating{}
	c := &cobra.Command{
		Use:   "update RUN [NEW...]",
		Short: "Go on with a run: new records, or records taken out",
		Long: `Adds new records to those of a run and finds the groups anew, with the settings of
the run: what comes out is what one fit of all the records gives, byte by byte. The
old data need not be there, the run keeps its records. With -o the new run goes to
another folder, and what changed is told as by "moiety compare"; without, it takes the
place of the old one.

--forget .9 lets the records of every batch count .9 times as much as those of the next,
so that the groups are those of late. --withdraw takes records out: everything is made
again without them. NEW may be - with --batch: lines of standard input, so many at a time.

A run that was made with "fit --keep sums" goes on without records: the sums of new ones
are added in the directions that were kept, and what lies outside is told; beyond a limit
a new fit is asked for. --withdraw-data takes records out that are given once more.

Features that the run left out (too rare then) are not in its old records any more; of
texts, words that the run does not know are passed over. The run itself and its page hold
nothing of records that were withdrawn; files made from it before do.`,
		Example: `  moiety update run march.csv -o run-march
  moiety update run march.csv --forget .9
  moiety update run --withdraw P10442
  producer | moiety update run - --batch 1000`,
		Args: argsBetween(1, -1, "RUN [NEW...]"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.m.begin(a); err != nil {
				return err
			}
			if err := o.check(c, args[1:]); err != nil {
				return err
			}
			if o.batch > 0 {
				return a.updateStream(c.Context(), args[0], o)
			}
			o.u.Order.Args = args[1:]
			to, err := a.update(c.Context(), args[0], o)
			if err != nil || o.out == "" || a.json {
				return err
			}
			a.print("\n")
			if keepsSums(to) {
				return a.drift(c.Context(), args[0], to)
			}
			return a.compare(c.Context(), [2]string{args[0], to}, report.CompareSettings{Memory: o.m.share()}, false, false)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.out, "out", "o", "", "run folder to write (default: the run itself is replaced)")
	f.BoolVar(&o.u.Order.Force, "force", false, "replace an earlier run there")
	f.Float64Var(&o.u.Forget, "forget", 0, "factor by which a batch counts less than the next one, such as .99 (flat models)")
	f.StringSliceVar(&o.u.Withdraw, "withdraw", nil, "ids of records to take out")
	f.StringSliceVar(&o.u.Taken, "withdraw-data", nil, "data with the records to take out of a run that keeps sums alone (fit --keep sums)")
	f.StringVar(&o.file, "withdraw-file", "", "file of ids to take out, one a line")
	f.IntVar(&o.batch, "batch", 0, "lines of standard input in a batch; the first line is the head of all")
	o.r.add(c)
	o.m.add(c)
	return c
}

// check reads the flags' words.
func (o *updating) check(c *cobra.Command, data []string) error {
	if c.Flags().Changed("forget") && !(o.u.Forget > 0 && o.u.Forget <= 1) {
		return misuse("--forget %v: write a factor above 0 and up to 1, such as .99", o.u.Forget)
	}
	if o.file != "" {
		text, err := os.ReadFile(o.file)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			if id := strings.TrimSpace(line); id != "" {
				o.u.Withdraw = append(o.u.Withdraw, id)
			}
		}
	}
	if len(data) == 0 && len(o.u.Withdraw) == 0 && len(o.u.Taken) == 0 {
		return misuse("nothing to do: name new data, or records to take out with --withdraw")
	}
	if o.batch < 0 || o.batch > 0 && (len(data) != 1 || data[0] != "-") {
		return misuse("--batch is for lines of standard input: \"producer | moiety update RUN - --batch 1000\"")
	}
	return nil
}

// update makes one step and returns where the run is.
func (a *app) update(ctx context.Context, path string, o *updating) (string, error) {
	r, err := a.openRun(path)
	if err != nil {
		return "", err
	}
	u := o.u
	u.Order.Read = o.r.over(r.Manifest.Settings.Read.Options())
	if err := o.m.apply(a, &u.Order.Read, &u.Order.Encode); err != nil {
		return "", err
	}
	u.Order.Fit.Workers, u.Order.Words = o.m.workers, printed
	m, err := r.Update(a.listening(ctx), u)
	if err != nil {
		return "", ofData(err)
	}
	defer m.Close()
	to, force := path, true
	if o.out != "" {
		to, force = o.out, u.Order.Force
	}
	made, err := m.Write(a.listening(ctx), to, force)
	if err != nil {
		return "", ofData(err)
	}
	return to, a.fitted(made)
}

// updateStream takes batches of lines from standard input.
func (a *app) updateStream(ctx context.Context, path string, o *updating) error {
	dir, err := os.MkdirTemp("", "moiety-batches-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	in := bufio.NewReader(os.Stdin)
	head, err := in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	o.u.Order.Args = []string{filepath.Join(dir, "batch.csv")}
	for ended := false; !ended; {
		text := head
		n := 0
		for ; n < o.batch && !ended; n++ {
			line, err := in.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if ended = err != nil; ended && line == "" {
				break
			}
			text += line
		}
		if n == 0 {
			break
		}
		if err := os.WriteFile(o.u.Order.Args[0], []byte(text), 0o600); err != nil {
			return err
		}
		if path, err = a.update(ctx, path, o); err != nil {
			return err
		}
		o.u.Withdraw, o.out = nil, "" // from here on in its place
	}
	return nil
}

// keepsSums reports a run that keeps no records.
func keepsSums(path string) bool {
	r, err := run.Open(path)
	if err != nil {
		return false
	}
	s, err := r.Sums()
	return err == nil && s != nil
}

// leastDrift is the change of a share that is reported.
const leastDrift = .02

// drift tells what changed between two runs that keep no records, group by group:
// they have the same numbers, and nobody can be followed from one to the other. It
// takes what the reports show, behind their gate.
func (a *app) drift(ctx context.Context, from, to string) error {
	var both [2]*report.Report
	for i, path := range []string{from, to} {
		r, err := a.openRun(path)
		if err != nil {
			return err
		}
		if both[i], err = r.Explain(ctx, report.Settings{}); err != nil {
			return ofData(err)
		}
	}
	a.print("What changed from %s to %s (shares of all records so far; groups keep their numbers):\n", from, to)
	changed := false
	for _, now := range both[1].Groups {
		for _, was := range both[0].Groups {
			if now.ID == was.ID && now.Number > 0 {
				changed = a.driftOf(was, now) || changed
			}
		}
	}
	if !changed {
		a.print("  No share that is shown changed by %v or more.\n", leastDrift)
	}
	return nil
}

func (a *app) driftOf(was, now report.Group) bool {
	var parts []string
	if x, y, ok := moved(was.Share, now.Share); ok {
		parts = append(parts, fmt.Sprintf("%.0f %% of the records, before %.0f %%", 100*y, 100*x))
	}
	for _, f := range now.Frequent {
		for _, g := range was.Frequent {
			if x, y, ok := moved(g.Share, f.Share); ok && f.Index == g.Index {
				parts = append(parts, fmt.Sprintf("%s %.0f %%, before %.0f %%", f.Title, 100*y, 100*x))
			}
		}
	}
	if len(parts) > 0 {
		a.print("  %s (%s): %s\n", now.Name, now.ID, strings.Join(parts, "; "))
	}
	return len(parts) > 0
}

// moved returns two shares that are shown and differ.
func moved(was, now report.Number) (x, y float64, ok bool) {
	x, ok1 := was.Value()
	y, ok2 := now.Value()
	return x, y, ok1 && ok2 && math.Abs(x-y) >= leastDrift
}
