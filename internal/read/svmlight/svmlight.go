// Package svmlight reads sparse rows as written for SVMlight and LIBSVM: a
// label, an optional qid:number, then number:value pairs, and a comment behind
// a hash sign.
//
// It takes opened inputs and gives one record a line; the label, and the qid
// where there are some, become side columns. Features are named by their
// numbers as written, or by a file of names. Lines are parsed on all cores;
// what is handed over does not depend on their number.
//
// Step in the flow: source -> read/svmlight -> record. It must not know models.
package svmlight

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Base is the number of the first feature.
type Base int

// Numbers of the first feature.
const (
	Auto Base = iota // 0 if the start of the file uses feature 0, otherwise 1
	Zero
	One
)

// Options of the reader; the zero value works.
type Options struct {
	// NamesFile names the features, one a line.
	NamesFile string
	// Base matters only with NamesFile: otherwise features keep their numbers.
	Base    Base
	Workers int // 0: all cores
}

// mark is the first line of files that moiety wrote: remarks behind the records
// then are their ids, and the numbers of features their places in the file of
// names beside.
const mark = "# moiety convert\n"

// sniffBytes is how much of the first input is looked at in advance.
const sniffBytes = 1 << 20

type reader struct {
	inputs []source.Input
	o      Options
	p      *record.Problems
	schema record.Schema
	qid    bool
	ids    bool // remarks are ids
	seen   content
	zero   bool // feature 0 was used
	lost   int  // qids that came after the side columns were fixed
	names  []string
	named  string // the file they are from
	base   int
	table  map[uint32]uint32
	near   []uint32 // the same for low numbers: the feature plus 1, 0 for none
}

// New returns a source of the given files.
func New(inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no file given: %w", source.ErrEmpty)
	}
	r := &reader{inputs: inputs, o: o, p: p, table: make(map[uint32]uint32)}
	r.schema = record.Schema{Format: "svmlight", Dict: record.NewDict(), Side: []string{"label"}, Sparse: true}
	return r, nil
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	if err := r.sniff(ctx); err != nil {
		return err
	}
	if err := r.readNames(ctx); err != nil {
		return err
	}
	for _, in := range r.inputs {
		if err := r.readOne(ctx, in, yield); err != nil {
			return err
		}
	}
	r.conclude()
	return nil
}

// sniff looks for a qid and for feature 0 at the start of the first input.
func (r *reader) sniff(ctx context.Context) error {
	head, err := r.inputs[0].Head(ctx, sniffBytes)
	if err != nil {
		return err
	}
	if r.qid = bytes.Contains(head, []byte(" qid:")); r.qid {
		r.schema.Side = []string{"label", "qid"}
	}
	r.base = 1
	r.ids = bytes.HasPrefix(head, []byte(mark))
	if r.o.Base == Zero || r.o.Base == Auto && bytes.Contains(head, []byte(" 0:")) {
		r.base = 0
	}
	return nil
}

// namesFile is the file of names: that of the options, or the one that moiety
// wrote beside the only input.
func (r *reader) namesFile() (source.Input, error) {
	if r.o.NamesFile != "" {
		return source.File(r.o.NamesFile)
	}
	if len(r.inputs) != 1 || !r.ids {
		return source.Input{}, nil
	}
	found, _ := r.inputs[0].Beside(r.inputs[0].Base() + ".columns")
	return found, nil
}

// readNames enters all names, so that unused features are known too.
func (r *reader) readNames(ctx context.Context) error {
	in, err := r.namesFile()
	if in.Name == "" || err != nil {
		return err
	}
	r.named = in.Name
	text, err := in.Text(ctx, r.p)
	if err != nil {
		return err
	}
	defer text.Close()
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		name := strings.TrimSpace(lines.Text())
		if r.ids {
			name = cells.Unline(name)
		}
		if _, taken := r.schema.Dict.Find(name); taken || name == "" {
			name = strings.TrimSpace(fmt.Sprintf("%s (line %d)", name, len(r.names)+1))
			r.p.Repaired("feature names that are empty or come twice, told apart by their line", 1)
		}
		r.schema.Dict.Add(name)
		r.names = append(r.names, name)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: line %d: %w", in.Name, len(r.names)+1, err)
	}
	return nil
}

func (r *reader) readOne(ctx context.Context, in source.Input, yield func(*record.Batch) error) error {
	text, err := in.Text(ctx, r.p)
	if err != nil {
		return err
	}
	defer text.Close()
	lines, valid := 0, 0
	cutter := source.NewCutter(in.Name, text, 0, 0)
	work := func(c source.Chunk) (*part, error) { return parse(in.Name, r.ids, c), nil }
	err = par.InOrder(ctx, r.o.Workers, cutter.Next, work, func(p *part) error {
		lines += p.lines
		valid += len(p.ptr) - 1
		return r.take(in, p, yield)
	})
	if err == nil && lines > 0 && valid == 0 {
		return &record.ParseError{File: in.Name, Msg: fmt.Sprintf("none of %d lines is valid", lines)}
	}
	return err
}

// take hands the records of a chunk over.
func (r *reader) take(in source.Input, p *part, yield func(*record.Batch) error) error {
	for _, bad := range p.bad {
		if err := r.p.Malformed(bad); err != nil {
			return err
		}
	}
	for range p.more {
		if err := r.p.Malformed(&record.ParseError{File: in.Name, Msg: "a malformed line among many"}); err != nil {
			return err
		}
	}
	if p.repeated > 0 {
		r.p.Repaired("features given twice in a line, values added up", p.repeated)
	}
	if len(p.ptr) == 1 && len(p.gaps) == 0 {
		return nil
	}
	r.seen.merge(p.seen)
	for e, f := range p.feature {
		if f > 0 && int(f) < len(r.near) && r.near[f] > 0 {
			p.feature[e] = r.near[f] - 1
			continue
		}
		n, err := r.feature(in, f)
		if err != nil {
			return err
		}
		p.feature[e] = n
	}
	b := &record.Batch{IDs: p.ids, Gaps: p.gaps, Ptr: p.ptr, Feature: p.feature, Value: p.value, Side: [][]string{p.label}, Kept: true}
	if r.qid {
		b.Side = append(b.Side, p.qid)
	} else {
		for _, q := range p.qid {
			if q != "" {
				r.lost++
			}
		}
	}
	return yield(b)
}

// nearby is the bound of the numbers that are looked up in a list.
const nearby = 1 << 22

// feature numbers a feature by its number in the file.
func (r *reader) feature(in source.Input, number uint32) (uint32, error) {
	r.zero = r.zero || number == 0
	if f, ok := r.table[number]; ok {
		return f, nil
	}
	name := strconv.FormatUint(uint64(number), 10)
	if r.names != nil {
		at := int(number) - r.base
		if at < 0 || at >= len(r.names) {
			return 0, &record.ParseError{File: in.Name, Msg: fmt.Sprintf(
				"feature %d has no name: %s has %d names, the first for feature %d", number, r.named, len(r.names), r.base)}
		}
		name = r.names[at]
	}
	f := r.schema.Dict.Add(name)
	r.table[number] = f
	if number < nearby {
		for int(number) >= len(r.near) {
			r.near = append(r.near, make([]uint32, max(len(r.near), 1024))...)
		}
		r.near[number] = f + 1
	}
	return f, nil
}

// conclude sets the kind by what the values were.
func (r *reader) conclude() {
	switch {
	case !r.seen.other:
		r.schema.Kind = record.Presence
	case !r.seen.negative && !r.seen.fraction:
		r.schema.Kind = record.Counts
	default:
		r.schema.Kind = record.Real
		for i, name := range r.schema.Dict.Names() {
			r.schema.Columns = append(r.schema.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(i)})
		}
	}
	if r.zero {
		r.p.Note("features are numbered from 0")
	}
	if r.lost > 0 {
		r.p.Aside("%d qid values were left out: the first ones come only after %d bytes", r.lost, sniffBytes)
	}
}
