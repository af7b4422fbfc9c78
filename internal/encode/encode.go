package encode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Errors of data that can be read but leave nothing to learn from.
var (
	ErrNoRecords  = errors.New("no records are left")
	ErrNoFeatures = errors.New("no features are left")
)

// Result is an encoded data set, and how it was made.
type Result struct {
	// Set is in memory, or in a file where it is larger than the memory it may use.
	Set dataset.Data
	// Short marks the records with fewer than Settings.MinCodes features. They
	// stay in the data and get a group; moments may leave them out. It is nil
	// where no record is short.
	Short   []bool
	Summary *Summary

	once  sync.Once
	print string // fingerprint of the set, made once
}

// Vocab returns the vocabulary.
func (r *Result) Vocab() *vocab.Vocab { return r.Set.Describe().Vocab }

// Len returns the number of records.
func (r *Result) Len() int { return r.Set.Len() }

// Runner returns a runner over the records; workers <= 0 means all cores.
func (r *Result) Runner(workers int) pass.Runner { return r.Set.Runner(workers) }

// Fingerprint identifies the content.
func (r *Result) Fingerprint() string {
	r.once.Do(func() {
		if r.print == "" {
			r.print = r.Set.Fingerprint()
		}
	})
	return r.print
}

// Loaded returns the result of an earlier Encode whose data set was read back
// from a file: its fingerprint need not be made again; workers <= 0 means all cores.
func Loaded(s *Summary, f *dataset.File, workers int) (*Result, error) {
	d, err := f.Load(workers)
	if err != nil {
		return nil, err
	}
	return &Result{Set: d, Summary: s, print: f.Fingerprint()}, nil
}

// Close closes the set; with that a temporary file is gone.
func (r *Result) Close() error {
	if r.Set == nil {
		return nil
	}
	return r.Set.Close()
}

// Encode reads all records of a source and encodes them. What was repaired on
// the way is added to p, which may be nil.
func Encode(ctx context.Context, src record.Source, s Settings, p *record.Problems) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if p == nil {
		p = &record.Problems{}
	}
	return newEncoder(src, s, p).result(ctx)
}

func newEncoder(src record.Source, s Settings, p *record.Problems) *encoder {
	e := &encoder{s: s, src: src, plan: newPlan(s), problems: p, sum: &Summary{Settings: s}}
	e.buffer = &buffer{limit: s.MaxMemory / 3, dir: s.TempDir, workers: s.Workers}
	return e
}

// result runs and cleans up.
func (e *encoder) result(ctx context.Context) (*Result, error) {
	r, err := e.run(ctx)
	for _, what := range slices.Sorted(maps.Keys(e.problems.LeftOut)) { // rows that are no records
		e.sum.Read += e.problems.LeftOut[what]
		e.sum.leaveOut(what, e.problems.LeftOut[what])
	}
	if err = errors.Join(err, e.buffer.close()); err != nil {
		if r != nil {
			r.Close()
		}
		return nil, err
	}
	return r, nil
}

// encoder is one run of Encode.
type encoder struct {
	s        Settings
	src      record.Source
	plan     *Plan
	problems *record.Problems
	sum      *Summary
	buffer   *buffer
	raw      *record.Dict // words of running text, or the source's features
	schema   *record.Schema
	kind     record.Kind
	terms    *terms
	where    *Where
	stats    *stats
	chosen   *choice
	numbered bool    // records have no ids of their own
	oneByOne bool    // never the short way, which must give the same
	short    *direct // the short way through the records, nil where it is not open
}

func (e *encoder) run(ctx context.Context) (*Result, error) {
	if err := e.take(ctx); err != nil {
		return nil, err
	}
	if err := e.decide(); err != nil {
		return nil, err
	}
	if err := e.count(ctx); err != nil {
		return nil, err
	}
	choose := e.choose
	if e.s.Agree != nil {
		choose = func() error { return e.agree(ctx) }
	}
	if err := choose(); err != nil {
		return nil, err
	}
	return e.write(ctx)
}

// take reads the source into the buffer.
func (e *encoder) take(ctx context.Context) error {
	e.numbered = true
	w := &words{dict: record.NewDict(), plan: e.plan, workers: e.s.Workers}
	err := e.src.Read(ctx, func(b *record.Batch) error {
		c, err := newChunk(b)
		if err != nil {
			return err
		}
		if b.Text != nil {
			if err := w.number(ctx, c, b.Text); err != nil {
				return err
			}
			if e.s.KeepText {
				c.side = append([][]string{cloned(b.Text)}, c.side...)
			}
		}
		e.sum.Read += b.N()
		if b.IDs != nil {
			e.numbered = false
		}
		e.sum.Tokens += len(c.feature)
		return e.buffer.add(c)
	})
	if err != nil {
		return err
	}
	e.schema = e.src.Schema()
	e.raw, e.kind = e.schema.Dict, e.schema.Kind
	if e.s.KeepText && e.kind == record.Text {
		kept := *e.schema
		kept.Side = append([]string{dataset.KeptText}, kept.Side...)
		e.schema = &kept
	}
	if e.kind == record.Text {
		e.raw = w.dict
	}
	if e.raw == nil {
		e.raw = record.NewDict()
	}
	if e.sum.Read == 0 {
		return fmt.Errorf("encode: %w: the input holds none", ErrNoRecords)
	}
	return nil
}

// cloned returns texts that do not hold on to the memory of their source.
func cloned(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.Clone(s)
	}
	return out
}

// each hands every record that stays to f, with its id; the last pass over the
// records gives their memory back on the way.
func (e *encoder) each(ctx context.Context, last bool, f func(c *chunk, i int, id string) error) error {
	number, step := 0, "counting features"
	if last {
		step = "encoding"
	}
	e.buffer.release = last
	return e.buffer.each(func(c *chunk) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.complete(e.schema)
		c.widen()
		at := &sample{side: c.side, feature: c.features}
		for i := range c.n() {
			number++
			if number%pass.BlockRecords == 0 || number == e.sum.Read {
				progress.Report(ctx, progress.Event{Step: step, Done: int64(number), Total: int64(e.sum.Read), Unit: "records"})
			}
			if e.where != nil && e.where.root.judge(at, i) != yes {
				continue
			}
			id := ""
			if c.ids != nil {
				id = c.ids[i]
			}
			if id == "" {
				id = strconv.Itoa(number)
			}
			if err := f(c, i, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// selectRecords binds the condition on records and counts those it leaves out.
func (e *encoder) selectRecords() error {
	if e.s.Where == "" {
		return nil
	}
	w, err := ParseWhere(e.s.Where)
	if err != nil {
		return err
	}
	if err := w.bind(e.schema.Side, e.raw.Len(), e.has); err != nil {
		return err
	}
	if err := e.learnStyles(w); err != nil {
		return err
	}
	e.where = w
	var out, missing int
	err = e.buffer.each(func(c *chunk) error {
		c.complete(e.schema)
		at := &sample{side: c.side, feature: c.features}
		for i := range c.n() {
			switch w.root.judge(at, i) {
			case no:
				out++
			case undecided:
				missing++
			}
		}
		return nil
	})
	e.sum.leaveOut("condition not met", out)
	e.sum.leaveOut("a value of the condition is missing", missing)
	if missing > 0 {
		const remedy = "Add \"is missing\" to the condition to keep them."
		e.sum.counting(warn.New(warn.Caution, "where-missing", remedy,
			"%s %s left out because a value that --where asks for is missing or no number.", plural(missing, "record"), verb(missing, "was", "were")),
			"Some records were left out because a value that --where asks for is missing or no number. "+remedy, missing, missing)
	}
	return err
}

// has reports whether a raw feature is the one a condition asks for.
func (e *encoder) has(name string, raw int) bool {
	return e.plan.has(name, e.raw.Name(uint32(raw)))
}
