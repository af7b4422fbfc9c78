package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

func runReading(ctx context.Context, b *bench) error {
	dir := b.path("reading")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	patients := synth.Patients(1, 420000, patientCodes, patientGroups, codesEach)
	long, err := writeLong(dir, patients.Rows)
	if err != nil {
		return err
	}
	docs, _, _ := corpus(50000, 10, true)
	words, err := writeDocword(dir, packed(docs))
	if err != nil {
		return err
	}
	for _, f := range []struct{ path, what, peer string }{
		{long, "long CSV (patient, code, date) to rows", "pandas long"},
		{words, "UCI docword to rows", "pandas docword"},
	} {
		if err := b.reading(ctx, f.path, f.what, f.peer); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) reading(ctx context.Context, path, what, peer string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	mb := float64(info.Size()) / 1e6
	t := newTable(fmt.Sprintf("%s, %.1f MB", what, mb), "MB/s of CPU", "× moiety")
	speed := func(r *Report) string {
		if r == nil {
			return ""
		}
		return fmt.Sprintf("%.0f", mb/r.CPU)
	}
	own, err := b.own(ctx, Job{Method: "read", Data: path, Out: b.path("reading")})
	t.row("moiety", own, err, speed(own))
	again, err := b.own(ctx, Job{Method: "cache", Data: b.path("reading", "rows.moiety"), Out: b.path("reading")})
	note := ""
	if again != nil {
		note = fmt.Sprintf("%s (%.2f GB/s of its %.1f MB)", speed(again), again.Work/1e9/again.CPU, again.Work/1e6)
	}
	t.row("moiety, again from its cache", again, err, note)
	again, err = b.own(ctx, Job{Method: "pass", Data: b.path("reading", "rows.moiety")})
	if again != nil {
		note = fmt.Sprintf("%.2f GB/s of its %.1f MB", again.Work/1e9/again.CPU, again.Work/1e6)
	}
	t.row("moiety, one of several passes over its cache", again, err, note)
	if b.peers == nil {
		return nil
	}
	r, err := b.other(ctx, "reading.py", Job{Method: peer, Data: path, Out: b.path("reading")})
	t.row(peer, r, err, speed(r), ratio(r, own))
	return nil
}

// jobRead reads and encodes a file and keeps the rows.
func jobRead(ctx context.Context, j Job) (*Report, error) {
	c := newClock()
	p := &record.Problems{}
	src, err := read.Open(ctx, []string{j.Data}, read.Options{}, p)
	if err != nil {
		return nil, err
	}
	res, err := encode.Encode(ctx, src, encode.Settings{Encoding: dataset.Encoding{System: "none", Rollup: "full"}}, p)
	if err != nil {
		return nil, err
	}
	defer res.Close()
	cost := c.cost()
	rows, ok := res.Set.(*dataset.Dataset)
	if !ok {
		return nil, fmt.Errorf("the rows of %s did not stay in memory", j.Data)
	}
	return &Report{Cost: cost}, dataset.Write(filepath.Join(j.Out, "rows.moiety"), rows)
}

// jobCache reads rows that were kept.
func jobCache(_ context.Context, j Job) (*Report, error) {
	c := newClock()
	f, err := dataset.Open(j.Data)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Load(0); err != nil {
		return nil, err
	}
	info, err := os.Stat(j.Data)
	if err != nil {
		return nil, err
	}
	return &Report{Cost: c.cost(), Work: float64(info.Size())}, nil
}

// passes over a file that are timed together.
const passes = 10

// jobPass goes over rows that were kept without loading them, as fits of data
// larger than memory do.
func jobPass(ctx context.Context, j Job) (*Report, error) {
	f, err := dataset.Open(j.Data)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := os.Stat(j.Data)
	if err != nil {
		return nil, err
	}
	c := newClock()
	for range passes {
		if _, err := f.Runner(j.Workers).Own(ctx, func(pass.Block) error { return nil }); err != nil {
			return nil, err
		}
	}
	cost := c.cost()
	cost.CPU, cost.Wall = cost.CPU/passes, cost.Wall/passes
	return &Report{Cost: cost, Work: float64(info.Size())}, nil
}

// jobFile goes from a text file to topics or, as the command does, to a run
// folder with every document in its place.
func jobFile(ctx context.Context, j Job) (*Report, error) {
	c := newClock()
	s := fit.Settings{K: j.K, Spec: model.Spec{Model: "lda"}, Refine: fit.None}
	o := run.Order{Order: fit.Order{Args: []string{j.Data}, Fit: s}, Out: filepath.Join(j.Out, "run"), Force: true}
	if j.Method == "folder" {
		_, err := run.Make(ctx, o)
		return &Report{Cost: c.cost()}, err
	}
	p, err := run.Prepare(ctx, o, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	path, err := fit.NewPath(ctx, p.Training(0), s, j.K)
	if err != nil {
		return nil, err
	}
	_, err = path.At(ctx, j.K)
	return &Report{Cost: c.cost()}, err
}
