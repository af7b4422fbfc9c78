package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/moiety-go/moiety/internal/synth"
)

// Sizes of the data of the whole commands, and with -large.
const (
	commandPatients, largePatients   = 500_000, 4_000_000
	commandDocuments, largeDocuments = 50_000, 200_000
	documentTopics                   = 20
)

// wholeCommand is one call of the program as a person types it.
type wholeCommand struct {
	name string
	args []string
}

// runWorkers measures whole commands with 1, 2, 4 … workers up to the machine's
// cores, by the stages of their manifests. What no stage owns stands in a row of
// its own. Numbers of workers take turns, another one first in every round: the mood of a
// machine, and what ran before, are then the same for all.
func runWorkers(ctx context.Context, b *bench) error {
	program, err := b.command(ctx)
	if err != nil {
		return err
	}
	list, err := b.commands()
	if err != nil {
		return err
	}
	workers := workersUpTo(runtime.NumCPU())
	for _, c := range list {
		fmt.Printf("\n%s\n\n| wall s, medians of %d | %s | last : first |\n|%s\n", c.name, commandRuns, heads(workers), strings.Repeat("---|", len(workers)+2))
		rows := &stageTable{runs: make([][]*spent, len(workers))}
		for round := range commandRuns {
			for i := range workers {
				at := (i + round) % len(workers)
				s, err := b.once(ctx, program, c.args, workers[at], b.path("commands", "run"))
				if err != nil {
					return fmt.Errorf("%s with %d workers: %w", c.name, workers[at], err)
				}
				rows.add(at, s)
			}
		}
		rows.print()
		if b.crowd {
			if err := b.crowded(ctx, program, c.args, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// crowded runs as many commands of one worker at a time as there are cores: they wait for nothing
// but the machine, so that no command on all cores can gain more over one core than they do. Each
// has data of its own: commands that go through one file in step find in the cache what another
// one has just fetched.
func (b *bench) crowded(ctx context.Context, program string, args []string, alone *stageTable) error {
	n := runtime.NumCPU()
	all := &stageTable{runs: make([][]*spent, 1)}
	runs, errs := make([]*spent, n), make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = b.copyCommands(i) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i := range n {
		group.Go(func() {
			own := slices.Clone(args)
			for j, arg := range own {
				own[j] = strings.Replace(arg, b.path("commands"), b.ownCopy(i), 1)
			}
			runs[i], errs[i] = b.once(ctx, program, own, 1, b.path("commands", "run"+strconv.Itoa(i)))
		})
	}
	group.Wait()
	for i, s := range runs {
		if errs[i] != nil {
			return errs[i]
		}
		all.add(0, s)
		if err := os.RemoveAll(b.path("commands", "run"+strconv.Itoa(i))); err != nil {
			return err
		}
	}
	fmt.Printf("\n%d such commands of one worker at a time, seconds of each (the machine gives so many times one core):\n\n", n)
	for _, name := range all.names {
		if one, each := alone.median(0, name), all.median(0, name); each > 0 {
			fmt.Printf("- %s: %s (%s)\n", name, seconds(each), times(float64(n)*one/each))
		}
	}
	return nil
}

func (b *bench) ownCopy(i int) string { return b.path("commands", "copy"+strconv.Itoa(i)) }

// copyCommands copies the data of the commands, unless that was done.
func (b *bench) copyCommands(i int) error {
	if err := os.Mkdir(b.ownCopy(i), 0o755); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	list, err := os.ReadDir(b.path("commands"))
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.Type().IsRegular() {
			continue
		}
		if err := copyFile(filepath.Join(b.ownCopy(i), e.Name()), b.path("commands", e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// product is the folder of the module that is measured, from where the command is run.
const product = ".."

// command returns the program: the one that was named, or one built here.
func (b *bench) command(ctx context.Context) (string, error) {
	if b.program != "" {
		return filepath.Abs(b.program)
	}
	path, err := filepath.Abs(b.path("moiety"))
	if err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, "go", "build", "-C", product, "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/moiety")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program (or name one with -program): %w: %s", err, said)
	}
	return path, nil
}

// commands draws the data and lists what is done with them.
func (b *bench) commands() ([]wholeCommand, error) {
	patients, documents := commandPatients, commandDocuments
	if b.large {
		patients, documents = largePatients, largeDocuments
	}
	dir := b.path("commands")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	long, err := writeLong(dir, synth.Patients(1, patients, patientCodes, patientGroups, codesEach).Rows)
	if err != nil {
		return nil, err
	}
	train, _, _ := corpus(documents, documentTopics, true)
	words, err := writeDocword(dir, packed(train))
	if err != nil {
		return nil, err
	}
	leaves, topics := strconv.Itoa(patientGroups), strconv.Itoa(documentTopics)
	of := fmt.Sprintf("%d patients, ", patients)
	return []wholeCommand{
		{of + "as many groups as there are (fit)", []string{"fit", long}},
		{of + "tree of " + leaves + " (--leaves " + leaves + " --stability off)", []string{"fit", long, "--leaves", leaves, "--stability", "off"}},
		{of + "tree of " + leaves + " by splitting records (--method sidiwo --stability off)", []string{"fit", long, "--leaves", leaves, "--method", "sidiwo", "--stability", "off"}},
		{of + "flat (-k " + leaves + ")", []string{"fit", long, "-k", leaves}},
		{of + "flat, streamed (--max-memory 200MB)", []string{"fit", long, "-k", leaves, "--max-memory", "200MB"}},
		{fmt.Sprintf("%d documents, LDA (-k %s)", documents, topics), []string{"fit", words, "-k", topics, "--model", "lda"}},
	}, nil
}

// workersUpTo lists 1, 2, 4 … and the number of cores.
func workersUpTo(cores int) (list []int) {
	for w := 1; w < cores; w *= 2 {
		list = append(list, w)
	}
	return append(list, cores)
}

func heads(workers []int) string {
	var out []string
	for _, w := range workers {
		out = append(out, strconv.Itoa(w))
	}
	return strings.Join(out, " | ")
}

// commandRuns is how often a command is run; medians stand.
const commandRuns = 3

// spent are the seconds of a command by stage.
type spent struct {
	names   []string
	seconds map[string]float64
}

// once runs a command, with its run in a folder.
func (b *bench) once(ctx context.Context, program string, args []string, workers int, out string) (*spent, error) {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	if err := os.RemoveAll(out); err != nil { // an earlier run is not part of the time
		return nil, err
	}
	c := exec.CommandContext(ctx, program, append(slices.Clone(args), "-o", out, "--progress", "none", "--workers", strconv.Itoa(workers))...)
	start := time.Now()
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, lastLine(string(said)))
	}
	whole := time.Since(start).Seconds()
	text, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		return nil, err
	}
	var m struct {
		Timings struct {
			Stages []struct {
				Name    string
				Seconds float64
			}
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	s := &spent{names: []string{"whole command"}, seconds: map[string]float64{"whole command": whole}}
	rest := whole
	for _, stage := range m.Timings.Stages {
		s.names = append(s.names, stage.Name)
		s.seconds[stage.Name] += stage.Seconds
		rest -= stage.Seconds
	}
	s.names = append(s.names, afterStages)
	s.seconds[afterStages] = rest
	return s, nil
}

// afterStages is what cannot stand in the manifest: the start of the process, putting the
// folder in its place, printing, and the end.
const afterStages = "start of the process, printing, end"

// stageTable has a row a stage and a column a number of workers.
type stageTable struct {
	names []string
	runs  [][]*spent // of every column
}

func (t *stageTable) add(column int, s *spent) {
	for _, n := range s.names {
		if !slices.Contains(t.names, n) {
			t.names = append(t.names, n)
		}
	}
	t.runs[column] = append(t.runs[column], s)
}

// median is that of the seconds of a stage.
func (t *stageTable) median(column int, name string) float64 {
	var list []float64
	for _, s := range t.runs[column] {
		list = append(list, s.seconds[name])
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func (t *stageTable) print() {
	for _, n := range t.names {
		fmt.Printf("| %s |", n)
		for i := range t.runs {
			fmt.Printf(" %s |", seconds(t.median(i, n)))
		}
		gain := ""
		if last := t.median(len(t.runs)-1, n); last >= .001 { // less is nothing: it was done beside another stage
			gain = times(t.median(0, n) / last)
		}
		fmt.Printf(" %s |\n", gain)
	}
}
