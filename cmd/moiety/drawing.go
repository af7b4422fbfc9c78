package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Sizes of a drawing. Records are drawn, written and forgotten in blocks, so
// that any number of them takes little memory.
const (
	drawnRecords = 4096      // of a block at most
	drawnEntries = 500_000   // words or numbers of a block, where it has several records
	longestDrawn = 4_000_000 // words of a record
	keptLengths  = 100_000   // of real documents, spread evenly
)

// drawing is a number of synthetic records that are made when they are asked
// for. It can be walked through once.
type drawing struct {
	model   *model.Model
	family  family.Family
	kind    record.Kind
	n       int
	lengths []int // of documents, in turn; nil where records have none
	random  *rand.Rand
	kept    *spread // for the test
}

// newDrawing makes a drawing ready; documents get the lengths of real ones in
// turn.
func newDrawing(m *model.Model, kind record.Kind, lengths []int, n int, r *rand.Rand) (*drawing, error) {
	f, err := m.Family()
	if err != nil {
		return nil, err
	}
	if err := f.Check(m.Params); err != nil {
		return nil, fmt.Errorf("the run has no model to draw from (%w): fit one without --model none", err)
	}
	d := &drawing{model: m, family: f, kind: kind, n: n, random: r, kept: newSpread(n, judgedRecords)}
	if f.Info().Is(family.WordShare) {
		d.lengths = lengths
		for _, l := range lengths {
			if l > longestDrawn {
				return nil, fmt.Errorf("the records of this run have up to %d words each; records of more than %d are not drawn", l, longestDrawn)
			}
		}
	}
	r.Shuffle(len(d.lengths), func(i, j int) { d.lengths[i], d.lengths[j] = d.lengths[j], d.lengths[i] })
	return d, nil
}

// Len, Vocab and Side describe the records.
func (d *drawing) Len() int            { return d.n }
func (d *drawing) Vocab() *vocab.Vocab { return d.model.Vocab }
func (d *drawing) Side() []string      { return nil }
func (d *drawing) Kind() (record.Kind, bool) {
	return d.kind, false
}

// Each draws the records and hands them over, a block at a time. The blocks
// are those of one draw of all of them.
func (d *drawing) Each(ctx context.Context, yield func(first int, part *dataset.Dataset) error) error {
	for first := 0; first < d.n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		size, shape := d.block(first)
		made, err := d.family.Sample(d.model.Params, d.random, size, shape)
		if err != nil {
			return err
		}
		d.kept.add(made.Rows)
		part := &dataset.Dataset{Kind: d.kind, Rows: made.Rows, Vocab: d.Vocab(), IDs: make([]string, size)}
		for i := range part.IDs {
			part.IDs[i] = strconv.Itoa(first + i + 1)
		}
		if err := yield(first, part); err != nil {
			return err
		}
		first += size
		progress.Report(ctx, progress.Event{Step: "drawing", Done: int64(first), Total: int64(d.n), Unit: "records"})
	}
	return nil
}

// block returns the number of records from first on that are drawn together,
// and their lengths.
func (d *drawing) block(first int) (size int, shape family.Shape) {
	size = min(d.n-first, drawnRecords, max(1, drawnEntries/max(d.Vocab().Len(), 1)))
	if len(d.lengths) == 0 {
		return size, shape
	}
	words := 0
	for i := range min(d.n-first, drawnRecords) {
		l := d.lengths[(first+i)%len(d.lengths)]
		if words += l; i > 0 && words > drawnEntries {
			break
		}
		shape.Lengths = append(shape.Lengths, l)
	}
	return len(shape.Lengths), shape
}

// sampleRows reads the real records once: some of them, spread evenly, and lengths of
// documents.
func sampleRows(ctx context.Context, f *dataset.File) (sparse.Rows, []int, error) {
	some, lengths := newSpread(f.Len(), judgedRecords), newSpread(f.Len(), keptLengths)
	var list []int
	err := f.Each(ctx, func(_ int, d *dataset.Dataset) error {
		some.add(d.Rows)
		totals := d.Rows.Totals()
		for _, i := range lengths.next(len(totals)) {
			list = append(list, int(min(totals[i], 1<<62)))
		}
		return nil
	})
	return some.rows(), list, err
}

// spread picks at most most of n things, evenly over all.
type spread struct {
	n, most int
	seen    int // things
	picked  int
	parts   []sparse.Rows
	dim     int
}

func newSpread(n, most int) *spread { return &spread{n: n, most: min(n, most)} }

// next returns which of the next things are picked, by their number among them.
func (s *spread) next(things int) []int {
	var list []int
	for ; s.picked < s.most; s.picked++ {
		at := int(int64(s.picked)*int64(s.n)/int64(s.most)) - s.seen
		if at >= things {
			break
		}
		list = append(list, at)
	}
	s.seen += things
	return list
}

// add picks from the next rows.
func (s *spread) add(rows sparse.Rows) {
	s.dim = rows.Dim
	if list := s.next(rows.N()); len(list) > 0 {
		s.parts = append(s.parts, rows.Pick(list))
	}
}

// rows returns what was picked.
func (s *spread) rows() sparse.Rows { return sparse.Join(s.dim, s.parts) }

// drawnModel is the model that records are drawn from.
type drawnModel struct {
	model *model.Model
	place []int // of every feature of the rows: its place in the model, or -1; nil where all are there
	ring  report.Ring
	limit int
	words string
}

// drawnModel returns the model of a run, or, for records of people and for what is
// shared, the one that tells no more than a report.
func (a *app) drawnModel(ctx context.Context, r *run.Run, share bool) (*drawnModel, error) {
	if r.Manifest.MinCell == 0 && !share {
		return &drawnModel{model: r.Outcome.Model}, nil
	}
	report, err := r.Explain(a.listening(ctx), report.Settings{Share: share})
	if err != nil {
		return nil, err
	}
	disclosed, err := explain.Disclose(report, r.Outcome)
	if err != nil {
		return nil, err
	}
	out := &drawnModel{model: disclosed.Model, place: make([]int, r.Outcome.Model.Vocab.Len()), ring: report.Ring, limit: report.Limit, words: report.RingWords()}
	for f := range out.place {
		out.place[f] = -1
	}
	for c := range report.Table.Names {
		out.place[report.Table.Feature(c)] = c
	}
	return out, nil
}
