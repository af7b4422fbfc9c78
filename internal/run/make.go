package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/kept"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
)

// Make does an order: it reads, encodes, fits and writes the run folder. On an
// error, and when the context is done, nothing stays behind.
func Make(ctx context.Context, o Order) (*Run, error) {
	if err := o.Fit.Check(); err != nil {
		return nil, err
	}
	st, err := newStage(ctx, o.fs(), o.Out, o.Force)
	if err != nil {
		return nil, err
	}
	defer st.abandon()
	m, err := do(ctx, o, st)
	if err != nil {
		return nil, st.ofFile(err)
	}
	defer m.Close()
	return st.write(ctx, m)
}

// do does an order in the folder that is being written: rows that do not fit into
// memory are there, and others are written side by side with the fit.
func do(ctx context.Context, o Order, st *stage) (*Made, error) {
	if o.KeepSums && o.IsTree() {
		return nil, errKeep
	}
	t := o.Timer()
	p, o, err := prepared(ctx, o, st.path(rowsFile))
	if err != nil {
		return nil, err
	}
	t.Mark("reading and encoding")
	m, err := st.fitted(ctx, p, o, t)
	if err != nil {
		return nil, err
	}
	if o.KeepSums {
		if err := m.keepSums(ctx); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	return m, nil
}

// fitted is fitted, side by side with the writing of rows that are in memory and stay. Where these
// cannot be written, the fit ends.
func (s *stage) fitted(ctx context.Context, p *fit.Prepared, o Order, t *fit.Timer) (m *Made, err error) {
	if p.DiskSize() > 0 || o.Join != nil || o.KeepSums {
		return fitted(ctx, p, o, s.dir, t)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	jobs := []func() error{
		func() error {
			if err := s.copyRows(p.Set, par.Workers(o.Encode.Workers)); err != nil {
				end()
				return s.unwritable(err)
			}
			return nil
		},
		func() (err error) {
			m, err = fitted(ctx, p, o, s.dir, t)
			return err
		},
	}
	err = par.Do(ctx, o.Encode.Workers, len(jobs), func(i int) error { return jobs[i]() })
	if err != nil && m != nil {
		err = errors.Join(err, m.Close())
	}
	return m, err
}

// Made is what an order gave, before it is in a folder. It must be closed.
type Made struct {
	*fit.Made
	// Tables are the counts of all sites, where records lie at several.
	Tables explain.Tables
	// Sums are kept in place of the records; nil where the records are.
	Sums *kept.Sums

	order Order
	like  *Manifest // of the run that went on from its sums; nil for others
}

// New takes what a fit made.
func New(m *fit.Made) *Made { return &Made{Made: m, order: Order{Order: m.Order}} }

// Run returns the run as if its folder had been opened; it is of use while what
// was made is not closed.
func (m *Made) Run() *Run {
	return &Run{Manifest: *newManifest(m), Outcome: m.Outcome, Edits: newEdits("", nil), memory: m.Set}
}

// Write writes the run folder; with force it may replace an earlier run.
func (m *Made) Write(ctx context.Context, path string, force bool) (*Run, error) {
	st, err := newStage(ctx, m.order.fs(), path, force)
	if err != nil {
		return nil, err
	}
	defer st.abandon()
	return st.write(ctx, m)
}

// write writes all files of the run, puts the folder in its place and returns the run as
// one that is opened. The report that was ordered is made of the records at hand, beside
// all files but the manifest, which tells how long it took; where it cannot be made, the
// run is written all the same: a fit may have taken hours.
func (s *stage) write(ctx context.Context, m *Made) (*Run, error) {
	p := m.Prepared
	r := m.Run()
	r.Path, r.files = s.asked, s.files
	progress.Report(ctx, progress.Event{Step: "writing the run", Total: int64(p.Len()), Unit: "records"})
	var manifest []byte
	var list *seals
	var untold error
	var fault *par.Panic
	if err := par.Do(ctx, m.order.Encode.Workers, 2, func(i int) (err error) {
		if i == 0 {
			fault = par.Catch(func() { untold = m.describe(ctx, r) })
			return ctx.Err()
		}
		if manifest, err = json.MarshalIndent(r.Manifest, "", "  "); err == nil {
			list, err = s.writeSealed(ctx, m, sealed(manifest))
		}
		return err
	}); err != nil {
		return nil, err
	}
	r.seals, r.Edits = list, newEdits(list.Sum, nil)
	m.Timer.Mark("writing")
	r.Manifest.Timings = newTimings(m.Timer)
	if err := s.writeFile(manifestFile, append(untimed(manifest), r.Manifest.Timings.ending()...)); err != nil { // last: it has the time of the others
		return nil, s.unwritable(err)
	}
	if p.Set.Name() == s.path(rowsFile) { // not all systems rename folders with an open file inside
		if err := p.Close(); err != nil {
			return nil, err
		}
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	if fault != nil {
		panic(fault)
	}
	if untold != nil {
		return nil, fmt.Errorf("the run is in %s, but what it found cannot be told: %w", s.asked, untold)
	}
	r.memory, r.Messages = nil, s.messages
	return r, nil
}

// writeSealed writes the files of what was made side by side, and behind them, with the seal
// that the manifest will have, the list of their seals and the edits, of which there are none.
func (s *stage) writeSealed(ctx context.Context, m *Made, manifest string) (*seals, error) {
	sums := map[string]string{manifestFile: manifest}
	var told sync.Mutex
	files := []func(*Made) (name, sum string, err error){s.writeAssignments, s.writeGroups, s.writeRows, s.writeSums}
	if err := par.Do(ctx, m.order.Encode.Workers, len(files), func(i int) error {
		name, sum, err := files[i](m)
		if err != nil {
			return s.unwritable(err)
		}
		told.Lock()
		defer told.Unlock()
		if name != "" {
			sums[name] = sum
		}
		return nil
	}); err != nil {
		return nil, err
	}
	list := newSeals(sums)
	if err := errors.Join(s.writeFile(editsFile, newEdits(list.Sum, nil).text()), s.writeFile(sealsFile, list.text())); err != nil {
		return nil, s.unwritable(err)
	}
	return list, nil
}

// describe makes the report that was ordered.
func (m *Made) describe(ctx context.Context, r *Run) (err error) {
	if m.order.Words == nil {
		return nil
	}
	asked := *m.order.Words
	asked.Workers = m.order.Fit.Workers
	r.Report, err = r.Explain(ctx, asked)
	m.Timer.Mark("describing")
	return err
}

// secret is the mode of every file of a run: the rows are records, and the rest
// has exact counts of them.
const secret = 0o600

// place writes a file of the folder, which is made to survive when it is finished.
func (s *stage) place(name string, write func(io.Writer) error) error {
	file, err := durable.NewPending(s.files, s.path(name), secret)
	if err != nil {
		return err
	}
	defer file.Abandon()
	if err := write(file); err != nil {
		return err
	}
	return file.Place()
}

// writeFile is place of bytes that are there.
func (s *stage) writeFile(name string, data []byte) error {
	return s.place(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeRows keeps the encoded rows, which may be in the folder already.
func (s *stage) writeRows(m *Made) (name, sum string, err error) {
	p := m.Prepared
	path := s.path(rowsFile)
	if p.Set.Name() != path && !s.rows {
		if err := s.copyRows(p.Set, 1); err != nil {
			return "", "", err
		}
	}
	f, err := dataset.Open(path)
	if err != nil {
		return "", "", err
	}
	return rowsFile, f.Seal(), f.Close()
}

// copyRows writes rows, wherever they are, to the folder.
func (s *stage) copyRows(from dataset.Data, workers int) error {
	err := s.place(rowsFile, func(w io.Writer) error { return from.CopyTo(w, workers) })
	s.rows = err == nil
	return err
}

func (s *stage) writeGroups(m *Made) (name, sum string, err error) {
	out := m.Outcome
	var data []byte
	if out.Tree != nil {
		name = treeFile
		data, err = out.Tree.Bytes()
	} else {
		name = modelFile
		data, err = out.Model.Bytes()
	}
	if err != nil {
		return "", "", err
	}
	return name, container.Seal(data), s.writeFile(name, data)
}

func (s *stage) writeAssignments(m *Made) (name, sum string, err error) {
	err = s.place(assignmentsFile, func(w io.Writer) (err error) {
		sum, err = encodeAssignments(w, m.Outcome.Group, m.Outcome.Probability, m.order.Encode.Workers)
		return err
	})
	return assignmentsFile, sum, err
}

// writeSums keeps sums, where they stand for the records.
func (s *stage) writeSums(m *Made) (name, sum string, err error) {
	if m.Sums == nil {
		return "", "", nil
	}
	data, err := packSums(m.Sums)
	if err != nil {
		return "", "", err
	}
	return sumsFile, container.Seal(data), s.writeFile(sumsFile, data)
}

func newManifest(m *Made) *Manifest {
	if m.like != nil {
		return m.goneOn()
	}
	p, out, o := m.Prepared, m.Outcome, m.order
	from := out.Model.Provenance
	if out.Tree != nil {
		from = out.Tree.Provenance
	}
	gate := explain.NewGate(p.Health, o.SmallestCell(p.Health), false, p.Len())
	summary := gate.Encoded(p.Summary)
	return &Manifest{
		Kind: manifestKind, Version: manifestVersion, Program: from.Program,
		Records: p.Len(), Features: p.Vocab().Len(), Groups: out.K(),
		HoldsRecords: m.Sums == nil, Health: p.Health, MinCell: o.SmallestCell(p.Health),
		Seed: o.Fit.Seed, Data: p.Fingerprint(),
		Settings: Settings{Read: fit.NewReadSettings(o.Read), Encode: p.Summary.Settings, Fit: from.Settings, Within: o.Within},
		Inputs:   p.Inputs, Reading: gate.Reading(p.Reading), Plan: p.Plan, Encoding: summary,
		Verdict: out.Verdict, Choice: from.Choice, Tables: m.Tables, Batches: p.Batches,
		Warnings: heaviestFirst(gate.Reading(p.Reading).Warnings(), explain.WithoutFewRecords(summary.Warnings, out.Verdict), gate.Warnings(from.Warnings), forgetWarning(p.Batches)),
		Timings:  newTimings(m.Timer),
	}
}
