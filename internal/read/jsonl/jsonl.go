// Package jsonl reads JSON lines: one object a line, with a text, a list of
// tokens or codes, or an object of counts. Flat objects become a table, and
// documents over several lines (a list of objects, a FHIR bundle) lines.
//
// It takes opened inputs and gives records of kind Text, Presence or Counts in
// input order, parsed on all cores. Fields are named by their key; a point
// leads into objects ("meta.id").
//
// Step in the flow: source -> read/jsonl -> record. It must not know tokens,
// code systems or models.
package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Options of the reader. Fields that are empty are looked for.
type Options struct {
	ID     string   // field of the id; none found: records are numbered
	Text   string   // field of running text
	Tokens string   // field of a list of strings, or of an object of counts
	Side   []string // fields that become side columns
	// AllSide makes side columns of all plain fields of the first lines.
	AllSide bool
	Workers int // 0: all cores
	MaxLine int // longest line; 0: 64 MiB
}

// Names by which fields are recognised when nobody names them.
var (
	idName    = pattern.New(`(?i)^(_?id|key|doc_?id|patient(_?id)?|subject(_?id)?|person(_?id)?|uid|uuid|name|title)$`)
	textName  = pattern.New(`(?i)^(text|body|content|abstract|document|doc|note|comment|review|message|description|summary)$`)
	tokenName = pattern.New(`(?i)^(tokens?|words?|terms?|codes?|icd.*|dx|diagnos[ei]s|items|features|counts?|bow|tags|concepts)$`)
	codeName  = pattern.New(`(?i)(code|icd|dx|diagnos|concept|tag|item)`)
)

// ErrFlat says that no field is a running text, a list or counts: the objects
// are the rows of a table, and Table reads them.
var ErrFlat = errors.New("the objects are rows of a table")

type reader struct {
	inputs   []source.Input
	o        Options
	p        *record.Problems
	schema   record.Schema
	reported bool // problems were reported by an earlier Read
}

// sampleBytes is what is looked at to find the fields: more only where a line is longer.
const sampleBytes = 256 << 10

// look returns the fields of the first lines and the text that held them.
func look(ctx context.Context, in source.Input) (list []field, head []byte, err error) {
	for size := sampleBytes; ; size *= 4 {
		if head, err = in.Head(ctx, size); err != nil {
			return nil, nil, err
		}
		list = fields(head)
		cut := len(head) >= size && size < source.MaxLine && bytes.Count(head, []byte{'\n'}) < firstLines
		if len(list) > 0 || !cut {
			return list, head, nil
		}
	}
}

// New looks at the first lines and decides about the fields.
func New(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no file given: %w", source.ErrEmpty)
	}
	if o.Text != "" && o.Tokens != "" {
		return nil, fmt.Errorf("both a field of text (%q) and one of tokens (%q) are named; choose one", o.Text, o.Tokens)
	}
	fields, head, err := look(ctx, inputs[0])
	if err != nil {
		return nil, err
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("%s: %w", inputs[0].Name, &record.ParseError{
			File: inputs[0].Name, Line: 1, Text: firstLine(head), Msg: "not a line of JSON; every line must be one object {…}",
		})
	}
	r := &reader{inputs: inputs, o: o, p: p}
	if err := r.choose(fields); err != nil {
		return nil, fmt.Errorf("%s: %w", inputs[0].Name, err)
	}
	r.schema = record.Schema{Format: "jsonl", Kind: record.Text, Dict: record.NewDict(), Side: r.o.Side}
	if r.o.Tokens != "" {
		r.schema.Kind = record.Counts
		if codeName.MatchString(r.o.Tokens) && kindOf(fields, r.o.Tokens) == list {
			r.schema.Kind = record.Presence
		}
	}
	return r, nil
}

// choose fills the fields that nobody named.
func (r *reader) choose(fields []field) error {
	named := func(name *pattern.Pattern, kinds ...kind) string {
		for _, f := range fields {
			for _, k := range kinds {
				if f.kind == k && name.MatchString(f.name) {
					return f.name
				}
			}
		}
		return ""
	}
	if r.o.Text == "" && r.o.Tokens == "" {
		if r.o.Text = named(textName, text); r.o.Text == "" {
			r.o.Tokens = named(tokenName, list, counts)
		}
	}
	if k := kindOf(fields, r.o.Tokens); r.o.Text == "" && (r.o.Tokens == "" || k == text || k == number) {
		return ErrFlat
	}
	if r.o.ID == "" {
		if id := named(idName, text, number); id != r.o.Text {
			r.o.ID = id
		}
	}
	if r.o.AllSide {
		for _, f := range fields {
			plain := f.kind == text || f.kind == number || f.kind == truth
			if plain && f.name != r.o.Text && f.name != r.o.ID {
				r.o.Side = append(r.o.Side, f.name)
			}
		}
	}
	return nil
}

func firstLine(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\n")
	return s
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	n := 0
	for _, in := range r.inputs {
		err := r.readOne(ctx, in, func(b *record.Batch) error {
			n += b.N()
			return yield(b)
		})
		if err != nil {
			return err
		}
	}
	if n == 0 {
		if len(r.p.First) > 0 {
			return fmt.Errorf("%s: no valid line: %w", r.inputs[0].Name, r.p.First[0])
		}
		return fmt.Errorf("%s: no line with an object: %w", r.inputs[0].Name, source.ErrEmpty)
	}
	r.reported = true
	return nil
}

func (r *reader) readOne(ctx context.Context, in source.Input, yield func(*record.Batch) error) error {
	p := new(record.Problems)
	opened, err := in.Text(ctx, p)
	if err != nil {
		return err
	}
	defer opened.Close()
	cutter := source.NewCutter(in.Name, opened, 0, r.o.MaxLine)
	err = par.InOrder(ctx, r.o.Workers, cutter.Next,
		func(ch source.Chunk) (*part, error) {
			defer ch.Release()
			return r.parse(in.Name, ch), nil
		},
		func(part *part) error { return r.merge(part, yield) })
	opened.Close()
	if err == nil && !r.reported {
		r.p.Notes = append(r.p.Notes, p.Notes...)
		for what, n := range p.Repairs {
			r.p.Repaired(what, n)
		}
	}
	return err
}

// merge numbers the names of a part and hands its records over.
func (r *reader) merge(p *part, yield func(*record.Batch) error) error {
	if !r.reported {
		for _, e := range p.first {
			if err := r.p.Malformed(e); err != nil {
				return err
			}
		}
		r.p.Skipped += p.skipped - len(p.first)
	}
	final := make([]uint32, p.names.Len())
	for i, name := range p.names.Names() {
		final[i] = r.schema.Dict.Add(name)
	}
	for i, f := range p.batch.Feature {
		p.batch.Feature[i] = final[f]
	}
	if p.batch.N() == 0 && len(p.batch.Gaps) == 0 {
		return nil
	}
	return yield(&p.batch)
}
