package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/unfinished"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
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
	defer st.await()
	m, err := do(ctx, o, st.path(rowsFile), st.dir, st.keep)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if err := st.write(ctx, m); err != nil {
		return nil, err
	}
	return st.open(o)
}

func (o *Order) fs() durable.FS {
	if o.files != nil {
		return o.files
	}
	return durable.OS{}
}

// open opens the folder that was written.
func (s *stage) open(o Order) (*Run, error) {
	r, err := openOn(s.files, o.Out, o.Fit.Spec.Own)
	if err == nil {
		r.Told = append(s.told, r.Told...)
	}
	return r, err
}

// Made is what an order gave, before it is in a folder. It must be closed.
type Made struct {
	*Prepared
	Outcome *fit.Outcome

	order Order
	watch *watch
}

// Do does an order but for the folder: it reads, encodes and fits.
func Do(ctx context.Context, o Order) (*Made, error) {
	if err := o.Fit.Check(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(o.Encode.TempDir, "moiety-fit-")
	if err != nil {
		return nil, err
	}
	listed := unfinished.Add(ctx, dir)
	defer func() {
		os.RemoveAll(dir)
		listed.Drop()
	}()
	return do(ctx, o, "", dir, nil)
}

// do reads and encodes, with rows that do not fit into memory in a file of that
// name, and fits; dir is for files it needs meanwhile. keep, if it is there, is
// given the rows before the fit.
func do(ctx context.Context, o Order, rows, dir string, keep func(*Prepared)) (*Made, error) {
	w := newWatch(o.Now)
	p, o, err := prepared(ctx, o, rows)
	if err != nil {
		return nil, err
	}
	w.mark("reading and encoding")
	if keep != nil && p.Result.Data != nil && o.joined == nil {
		keep(p)
	}
	out, err := fitted(ctx, p, o, dir)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if p.kept != nil {
		identify(out, p.Fingerprint())
	}
	w.mark("fitting")
	return &Made{p, out, o, w}, nil
}

// Run returns the run as if its folder had been opened; it is of use while what
// was made is not closed.
func (m *Made) Run() *Run {
	manifest := newManifest(m.Prepared, m.Outcome, m.order, m.watch.timings())
	return &Run{Manifest: *manifest, Outcome: m.Outcome, Edits: newEdits("", nil), memory: m.Set()}
}

// Write writes the run folder; with force it may replace an earlier run.
func (m *Made) Write(ctx context.Context, path string, force bool) (*Run, error) {
	o := m.order
	o.Out, o.Force = path, force
	st, err := newStage(ctx, o.fs(), path, force)
	if err != nil {
		return nil, err
	}
	defer st.abandon()
	if err := st.write(ctx, m); err != nil {
		return nil, err
	}
	return st.open(o)
}

// prepared reads and encodes the data of an order, or the totals of several
// sites, and returns what is to be fitted to them.
func prepared(ctx context.Context, o Order, rows string) (*Prepared, Order, error) {
	if len(o.Totals) > 0 {
		return prepareTotals(ctx, o)
	}
	p, err := Prepare(ctx, o, rows)
	return p, o, err
}

// fitted fits prepared data; dir is for files it may need meanwhile.
func fitted(ctx context.Context, p *Prepared, o Order, dir string) (*fit.Outcome, error) {
	data, forget, err := p.Long(o.Fit.Workers, dir)
	if err != nil {
		return nil, err
	}
	defer forget()
	data.Room = o.Encode.MaxMemory
	if o.joined != nil {
		if data, err = join(ctx, data, o); err != nil {
			return nil, err
		}
	}
	data = weighed(data, p.Batches)
	if data.Run.Len() == 0 {
		return nil, fmt.Errorf("%w: every record has fewer than %d features: lower --min-codes", fit.ErrTooLittle, o.Encode.MinCodes)
	}
	if err := o.Suits(data); err != nil {
		return nil, err
	}
	journey := fit.Tree
	if !o.isTree() {
		journey = fit.Flat
	}
	out, err := journey(ctx, data, o.Fit)
	if err == nil && p.Short != nil {
		err = place(ctx, p, out, o.Fit.Workers)
	}
	if err == nil && o.joined != nil {
		if p.Tables, err = tables(ctx, p, out, data.Run); err == nil {
			err = measureLoss(ctx, out, data.Run, o)
		}
	}
	return out, err
}

// place gives every record its group after a fit on the long ones only.
func place(ctx context.Context, p *Prepared, out *fit.Outcome, workers int) error {
	all := p.Data(workers)
	placer, err := NewPlacer(out)
	if err != nil {
		return err
	}
	out.Group, out.Probability = make([]int32, all.Rows), make([]float32, all.Rows)
	_, err = all.Run.Own(ctx, func(b pass.Block) error {
		group, probability, err := placer.Place(b)
		first := b.First
		if b.Steps != nil {
			first = b.Steps[0]
		}
		copy(out.Group[first:], group)
		copy(out.Probability[first:], probability)
		return err
	})
	if err != nil {
		return err
	}
	return fit.Reweigh(ctx, out, all)
}

// write writes all files of the run and puts the folder in its place.
func (s *stage) write(ctx context.Context, m *Made) error {
	p, out := m.Prepared, m.Outcome
	progress.Report(ctx, progress.Event{Step: "writing the run", Total: int64(p.Len()), Unit: "records"})
	sums := map[string]string{}
	for _, part := range []func() (name, sum string, err error){
		func() (string, string, error) { return s.writeRows(p) },
		func() (string, string, error) { return s.writeGroups(out) },
		func() (string, string, error) { return s.writeAssignments(out) },
		func() (string, string, error) {
			m.watch.mark("writing")
			return s.writeManifest(newManifest(p, out, m.order, m.watch.timings()))
		},
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, sum, err := part()
		if err != nil {
			return s.unwritable(err)
		}
		sums[name] = sum
	}
	list := newSeals(sums)
	if err := s.writeFile(editsFile, newEdits(list.Sum, nil).text()); err != nil {
		return s.unwritable(err)
	}
	if err := list.save(s.files, s.dir); err != nil {
		return s.unwritable(err)
	}
	if p.DiskSize() > 0 && p.File.Name() == s.path(rowsFile) { // not all systems rename folders with an open file inside
		if err := p.Close(); err != nil {
			return err
		}
	}
	return s.finish()
}

// secret is the mode of every file of a run: the rows are records, and the rest
// has exact counts of them.
const secret = 0o600

func (s *stage) writeFile(name string, data []byte) error {
	return durable.WriteFile(s.files, s.path(name), data, secret)
}

// writeRows keeps the encoded rows, which may be in the folder already.
func (s *stage) writeRows(p *Prepared) (name, sum string, err error) {
	if s.behind != nil {
		k := s.behind.wait()
		return rowsFile, k.seal, k.err
	}
	path := s.path(rowsFile)
	switch {
	case p.File == nil:
		err = copyRows(s.files, path, p.Result.Data)
	case p.File.Name() != path:
		err = copyRows(s.files, path, p.File)
	}
	if err != nil {
		return "", "", err
	}
	f, err := dataset.Open(path)
	if err != nil {
		return "", "", err
	}
	return rowsFile, f.Seal(), f.Close()
}

// copyRows writes rows, wherever they are, to a file.
func copyRows(files durable.FS, to string, from dataset.Data) error {
	out, err := durable.NewPending(files, to, secret)
	if err != nil {
		return err
	}
	defer out.Abandon()
	if err := from.CopyTo(out); err != nil {
		return err
	}
	return out.Commit()
}

func (s *stage) writeGroups(out *fit.Outcome) (name, sum string, err error) {
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

func (s *stage) writeAssignments(out *fit.Outcome) (name, sum string, err error) {
	data := encodeAssignments(out.Group, out.Probability)
	return assignmentsFile, container.Seal(data), s.writeFile(assignmentsFile, data)
}

func (s *stage) writeManifest(m *Manifest) (name, sum string, err error) {
	m.Timings.Sum = m.Timings.sum()
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return "", "", err
	}
	text = append(text, '\n')
	return manifestFile, sealed(text), s.writeFile(manifestFile, text)
}

func newManifest(p *Prepared, out *fit.Outcome, o Order, t Timings) *Manifest {
	from := out.Model.Provenance
	if out.Tree != nil {
		from = out.Tree.Provenance
	}
	gate := explain.NewGate(p.Health, o.SmallestCell(p.Health), false, p.Len())
	told := gate.Encoded(p.Summary)
	return &Manifest{
		Kind: manifestKind, Version: manifestVersion, Program: from.Program,
		Records: p.Len(), Features: p.Vocab().Len(), Groups: out.K(),
		HoldsRecords: true, Health: p.Health, MinCell: o.SmallestCell(p.Health),
		Seed: o.Fit.Seed, Data: p.Fingerprint(),
		Settings: Settings{Read: NewReadSettings(o.Read), Encode: p.Summary.Settings, Fit: from.Settings, Within: o.Within},
		Inputs:   p.Inputs, Reading: p.Reading.Behind(gate), Plan: p.Plan, Encoding: told,
		Verdict: out.Verdict, Choice: from.Choice, Tables: p.Tables, Batches: p.Batches,
		Warnings: heaviestFirst(skippedWarning(p.Reading.Behind(gate)), explain.Settled(told.Warnings, out.Verdict), gate.Warnings(from.Warnings), forgetWarning(p.Batches)),
		Timings:  t,
	}
}

// SmallestCell is the least count to be shown of records that are of people's
// health, or are not; 0 for all.
func (o *Order) SmallestCell(health bool) int {
	switch {
	case o.MinCell > 0:
		return o.MinCell
	case o.MinCell == 0 && health:
		return report.DefaultMinCell
	}
	return 0
}

// skippedWarning says that malformed lines were left out.
func skippedWarning(r Reading) []warn.Warning {
	n, told := r.Skipped.Value()
	if told && n == 0 || !told && len(r.First) == 0 {
		return nil
	}
	first := ""
	if len(r.First) > 0 {
		first = " The first: " + r.First[0] + "."
	}
	rows, _ := r.Rows.Value()
	words := places(n, rows > 0)
	if !told {
		words = "A few " + strings.SplitN(places(2, rows > 0), " ", 2)[1]
	}
	return []warn.Warning{warn.New(warn.Caution, "malformed",
		"Mend the file, or stop at the first such place with --strict.",
		"%s malformed and left out.%s", words, first)}
}

func places(n int, rows bool) string {
	one, many := "record is", "records are"
	if rows {
		one, many = "row is", "rows are"
	}
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
