// Package texts reads running text: a folder with one document a file, or
// files with one document a line.
//
// It takes opened inputs and gives records of kind Text, in the order of the
// inputs and lines. Every file has its own encoding.
//
// Step in the flow: source -> read/texts -> record. It must not know tokens,
// stop words or models.
package texts

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Layout says how documents lie in the files.
type Layout int

// Layouts.
const (
	Files    Layout = iota // one document a file, the id is the name of the file; its folder and date describe it
	Lines                  // one document a line, numbered from 1
	IDText                 // lines "id<TAB>text"
	Mallet                 // lines "id label text", separated by blanks or tabs
	FastText               // lines "__label__a __label__b text": labels describe, and are no words
)

// Options of the reader; the zero value reads one document a file.
type Options struct {
	Layout  Layout
	MaxText int64 // bytes of one document; 0: 64 MiB
	Workers int   // 0: all cores
}

// maxText is the limit of one document where Options leave it open.
const maxText = source.MaxLine

// batchBytes is how much text a batch holds at most, apart from its last
// document.
const (
	batchBytes   = 4 << 20
	batchRecords = 4096
)

type reader struct {
	inputs   []source.Input
	o        Options
	p        *record.Problems
	schema   record.Schema
	names    []named // columns of one document a file
	reported bool    // problems were reported by an earlier Read
}

// New returns a source of the texts of the inputs.
func New(inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no text given: %w", source.ErrEmpty)
	}
	if o.Layout < Files || o.Layout > FastText {
		return nil, fmt.Errorf("unknown layout of texts %d", o.Layout)
	}
	if o.MaxText <= 0 {
		o.MaxText = maxText
	}
	r := &reader{inputs: inputs, o: o, p: p}
	r.schema = record.Schema{Format: "lines", Kind: record.Text, Dict: record.NewDict()}
	switch o.Layout {
	case Files:
		r.schema.Format, r.names = "text", tellingNames(inputs)
		r.schema.Side = Columns(inputs)
	case Mallet, FastText:
		r.schema.Side = []string{"label"}
	}
	return r, nil
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	b := &batcher{yield: yield, ids: r.o.Layout != Lines && r.o.Layout != FastText, sides: len(r.schema.Side)}
	var err error
	if r.o.Layout == Files {
		err = r.readFiles(ctx, b)
	} else {
		err = r.readLines(ctx, b)
	}
	if err == nil {
		err = b.flush()
	}
	if err == nil && b.total == 0 {
		err = fmt.Errorf("%s: no line with text: %w", r.inputs[0].Name, source.ErrEmpty)
	}
	r.reported = true
	return err
}

// document is one text with what its file says.
type document struct {
	id, text string
	sides    []string
	problems *record.Problems
}

// readFiles decodes several files at once.
func (r *reader) readFiles(ctx context.Context, b *batcher) error {
	ids := fileIDs(r.inputs)
	next := 0
	return par.InOrder(ctx, r.o.Workers,
		func() (int, error) {
			if next == len(r.inputs) {
				return 0, io.EOF
			}
			next++
			return next - 1, nil
		},
		func(i int) (document, error) {
			d, err := r.readFile(ctx, r.inputs[i], ids[i])
			for _, c := range r.names {
				d.sides = append(d.sides, c.value[i])
			}
			return d, err
		},
		func(d document) error {
			r.report(d.problems)
			return b.add(d.id, d.text, d.sides...)
		})
}

// readFile reads one document. An empty file is an empty document: it is
// placed like every other record.
func (r *reader) readFile(ctx context.Context, in source.Input, id string) (document, error) {
	d := document{id: id, problems: new(record.Problems)}
	text, err := in.Text(ctx, d.problems)
	if source.IsEmpty(err) {
		d.problems.Repaired("empty files, kept as empty records", 1)
		return d, nil
	}
	if err != nil {
		return d, err
	}
	var w strings.Builder
	n, err := io.Copy(&w, io.LimitReader(text, r.o.MaxText+1))
	text.Close()
	if err != nil {
		return d, err
	}
	if n > r.o.MaxText {
		return d, fmt.Errorf("%s: %w: one document of more than %d MB; is it one document a line (‹format› lines)?",
			in.Name, source.ErrTooLarge, r.o.MaxText>>20)
	}
	d.text = w.String()
	return d, nil
}

// report hands the problems of one file to those of the source.
func (r *reader) report(p *record.Problems) {
	if r.reported {
		return
	}
	r.p.Notes = append(r.p.Notes, p.Notes...)
	for what, n := range p.Repairs {
		r.p.Repaired(what, n)
	}
}

// fileIDs returns the names of the files without folder and ending; names that
// come twice keep their folder.
func fileIDs(inputs []source.Input) []string {
	ids := make([]string, len(inputs))
	seen := map[string]int{}
	for i, in := range inputs {
		ids[i] = stem(in.Base())
		seen[ids[i]]++
	}
	for i, in := range inputs {
		if seen[ids[i]] > 1 {
			dir := path.Base(path.Dir(strings.ReplaceAll(in.Name, `\`, "/")))
			ids[i] = dir + "/" + in.Base()
		}
	}
	return ids
}

// stem drops the last ending of a file name.
func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// batcher collects documents into batches.
type batcher struct {
	yield func(*record.Batch) error
	ids   bool
	sides int
	now   record.Batch
	bytes int
	total int
}

func (b *batcher) add(id, text string, sides ...string) error {
	if b.ids {
		b.now.IDs = append(b.now.IDs, id)
	}
	if b.sides > 0 {
		if b.now.Side == nil {
			b.now.Side = make([][]string, b.sides)
		}
		for j := range b.now.Side {
			b.now.Side[j] = append(b.now.Side[j], sides[j])
		}
	}
	b.now.Text = append(b.now.Text, text)
	b.bytes += len(text)
	b.total++
	if b.bytes >= batchBytes || len(b.now.Text) >= batchRecords {
		return b.flush()
	}
	return nil
}

// leaveOut notes a line that is no document.
func (b *batcher) leaveOut() { b.now.Gaps = append(b.now.Gaps, len(b.now.Text)) }

func (b *batcher) flush() error {
	if len(b.now.Text) == 0 && len(b.now.Gaps) == 0 {
		return nil
	}
	full := b.now
	b.now, b.bytes = record.Batch{}, 0
	return b.yield(&full)
}
