package encode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// collector collects records of a data set.
type collector struct {
	r     *rower
	like  dataset.Dataset // kind, vocabulary, names of side columns
	ids   []string
	side  [][]string
	steps []int
	n     int
	// before are the records ahead of those that chunks number, where these come one by one.
	before int
	emit   func(term uint32, v float64)
}

// add encodes record i of a chunk. feature gives the feature of every term, -1
// for none; it is the same in every call.
func (k *collector) add(t *terms, feature []int32, c *chunk, i int, id string) error {
	k.r.found = 0
	k.r.calls.begin(k.before + c.first + i)
	if k.emit == nil {
		k.emit = func(term uint32, v float64) {
			if h := feature[term]; h >= 0 {
				k.r.set(uint32(h), v)
			}
		}
	}
	from, to := c.rows(i)
	for j := from; j < to; j++ {
		k.r.begin()
		index, value := c.row(j)
		t.row(index, value, k.emit)
		if err := k.r.end(); err != nil {
			return err
		}
	}
	if c.steps != nil {
		if k.steps == nil {
			k.steps = []int{0}
		}
		k.steps = append(k.steps, k.steps[len(k.steps)-1]+to-from)
	}
	k.n++
	if k.ids != nil {
		k.ids = append(k.ids, id)
	}
	for s := range k.side {
		k.side[s] = append(k.side[s], c.side[s][i])
	}
	return nil
}

// take returns the records so far and starts anew.
func (k *collector) take() *dataset.Dataset {
	d := k.like
	d.Rows, d.Steps, d.IDs, d.Side = k.r.take(), k.steps, k.ids, nil
	for s, values := range k.side {
		d.Side = append(d.Side, dataset.Side{Name: k.like.Side[s].Name, Values: values})
		k.side[s] = nil
	}
	if k.ids != nil {
		k.ids = []string{}
	}
	k.steps, k.n = nil, 0
	return &d
}

// outKind is the kind of the encoded records.
func (e *encoder) outKind() record.Kind {
	switch {
	case e.chosen.answers:
		return record.Categorical
	case e.plan.isCodes() && !e.s.Counts:
		return record.Presence
	case e.plan.isCodes() || e.kind == record.Text:
		return record.Counts
	}
	return e.kind
}

// collector returns an empty collector for the chosen vocabulary.
func (e *encoder) collector() *collector {
	k := &collector{
		r:    newRower(e.chosen.layout, e.chosen.kinds, e.asPresence(), e.schema.Sparse),
		like: dataset.Dataset{Kind: e.outKind(), Vocab: e.chosen.vocab},
	}
	k.r.answers, k.r.calls.Calls = e.chosen.answers, e.plan.Calls
	for _, name := range e.schema.Side {
		k.like.Side = append(k.like.Side, dataset.Side{Name: name})
		k.side = append(k.side, nil)
	}
	if !e.numbered || e.sum.Kept != e.sum.Read {
		k.ids = []string{}
	}
	return k
}

// shortBelow is the number of features below which a record is short. A table
// has as many columns as it has; only a list of features can be short.
func (e *encoder) shortBelow() int {
	if e.s.MinCodes > 0 || hasColumns(e.kind) || e.chosen.answers || e.sequences() {
		return e.s.MinCodes
	}
	return shortRecords
}

// reserve makes room for n records, once.
func (k *collector) reserve(n int) {
	if k.ids != nil {
		k.ids = make([]string, 0, n)
	}
	for s := range k.side {
		k.side[s] = make([]string, 0, n)
	}
}

// write makes the rows, in memory or in a file.
func (e *encoder) write(ctx context.Context) (*Result, error) {
	e.plan.Calls = e.calls()
	k := e.collector()
	r := &Result{Summary: e.sum}
	out, err := e.output(k)
	if err != nil {
		return nil, err
	}
	if out != nil {
		defer out.Abort()
	}
	e.sum.ShortBelow = e.shortBelow()
	sequences := e.sequences()
	switch {
	case e.short == nil:
		err = e.writeEach(ctx, k, r, out)
	case out == nil && e.buffer.file == nil:
		err = e.writeDirect(ctx, k, r)
	default:
		err = e.writeParts(ctx, k, r, out)
	}
	if err != nil {
		return nil, err
	}
	e.sum.Plan = *e.plan
	e.sum.judge(sequences)
	e.sum.finish()
	if err := e.closeOutput(out, k, r); err != nil {
		return nil, err
	}
	return r, nil
}

// writeDirect writes the rows the short way, in memory.
func (e *encoder) writeDirect(ctx context.Context, k *collector, r *Result) error {
	t, err := e.short.write(ctx, k)
	if err != nil {
		return err
	}
	if slices.Contains(t.short, true) {
		r.Short = t.short
	}
	d := k.like
	d.Rows, d.IDs, d.Side = t.rows, t.ids, nil
	for s, values := range t.side {
		d.Side = append(d.Side, dataset.Side{Name: k.like.Side[s].Name, Values: values})
	}
	r.Set = &d
	return nil
}

// writeEach writes the rows one by one.
func (e *encoder) writeEach(ctx context.Context, k *collector, r *Result, out *dataset.Writer) error {
	if out == nil {
		k.reserve(e.sum.Kept)
	}
	below := e.sum.ShortBelow
	var short []bool
	err := e.each(ctx, true, func(c *chunk, i int, id string) error {
		if err := k.add(e.terms, e.chosen.feature, c, i, id); err != nil {
			return err
		}
		short = append(short, k.r.found < below)
		e.sum.Short += count(k.r.found < below)
		e.sum.Empty += count(k.r.found == 0)
		if out != nil && k.n == pass.BlockRecords {
			return out.Append(k.take())
		}
		return nil
	})
	if e.s.MinCodes > 0 && slices.Contains(short, true) {
		r.Short = short
	}
	return err
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// output decides between memory and file.
func (e *encoder) output(k *collector) (*dataset.Writer, error) {
	if e.s.MaxMemory == 0 || e.size() <= e.s.MaxMemory/2 {
		return nil, nil
	}
	e.sum.OnDisk = true
	h := k.like.Describe()
	h.Layout, h.IDs, h.Sequences = e.chosen.layout, k.ids != nil, e.sequences()
	out, err := e.writer(h)
	if err == nil {
		out.Workers = par.Workers(e.s.Workers)
	}
	return out, err
}

// writer begins the file of the rows.
func (e *encoder) writer(h dataset.Header) (*dataset.Writer, error) {
	if e.s.Output == "" {
		return dataset.NewScratch(e.s.TempDir, h)
	}
	if err := os.MkdirAll(filepath.Dir(e.s.Output), 0o755); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return dataset.NewWriter(e.s.Output, h)
}

// sequences reports that records are sequences of rows.
func (e *encoder) sequences() (yes bool) {
	yes = len(e.buffer.chunks) > 0 && e.buffer.chunks[0].steps != nil
	if len(e.buffer.chunks) == 0 { // the first chunk was too large for memory
		_ = e.buffer.each(func(c *chunk) error {
			yes = c.steps != nil
			return context.Canceled // one chunk is enough
		})
	}
	return yes
}

// size estimates the memory of the encoded records.
func (e *encoder) size() int64 {
	entries := int64(0)
	for t, h := range e.chosen.feature {
		if h >= 0 {
			entries += int64(e.stats.df[t])
		}
	}
	width := map[dataset.Layout]int64{dataset.Binary: 4, dataset.Valued: 8}[e.chosen.layout]
	size := entries*width + 8*int64(e.stats.rows)
	if e.chosen.answers {
		size = 4 * int64(e.stats.rows) * int64(e.chosen.vocab.Len()/2)
	}
	if e.chosen.layout == dataset.Dense {
		size = 8 * int64(e.stats.rows) * int64(e.chosen.vocab.Len())
	}
	side := 24 * int64(len(e.schema.Side)) * int64(e.stats.records)
	return size + side + e.stats.idBytes
}

func (e *encoder) closeOutput(out *dataset.Writer, k *collector, r *Result) error {
	if out == nil {
		if r.Set != nil {
			return nil
		}
		d := k.take()
		r.Set = d
		return d.Check()
	}
	if k.n > 0 {
		if err := out.Append(k.take()); err != nil {
			return err
		}
	}
	var err error
	if e.s.Output == "" {
		r.Set, err = out.Opened()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	r.Set, err = dataset.Open(e.s.Output)
	return err
}
