// Package uci reads bags of words in the format of the UCI repository: a
// docword file (three header lines D, W and NNZ, then "document word count"
// with numbers from 1, or from 0) and a vocabulary with one word a line.
//
// It takes opened inputs and gives records of counts, in the order of the
// document numbers, with a record for every document from 1 to D. Lines are
// parsed on all cores; what is handed over does not depend on their number.
//
// Step in the flow: source -> read/uci -> record. It must not know stop words,
// thresholds or models.
package uci

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// Options of the reader; the zero value works.
type Options struct {
	// VocabFile is the file of words. Empty: docword.X.txt is looked up as
	// vocab.X.txt beside it, plain or compressed.
	VocabFile string
	MaxMemory int64 // bytes for records; 0: no limit
	Workers   int   // 0: all cores
	// Window and Limit bound the entries held in memory: see triplets.Options.
	Window, Limit int
}

// reader is the record.Source of one or more docword files.
type reader struct {
	inputs []source.Input
	vocabs map[string]source.Input // by the X of vocab.X.txt
	o      Options
	p      *record.Problems
	schema record.Schema
}

// New returns a source of the given docword files. Vocabulary files among the
// inputs are used as such. A single file gives records numbered from 1; of
// several, ids are "X:number".
func New(inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	r := &reader{o: o, p: p, vocabs: make(map[string]source.Input)}
	r.schema = record.Schema{Format: "uci", Kind: record.Counts, Dict: record.NewDict()}
	for _, in := range inputs {
		if x, ok := vocabStem(in); ok {
			r.vocabs[x] = in
			continue
		}
		r.inputs = append(r.inputs, in)
	}
	if len(r.inputs) == 0 {
		return nil, fmt.Errorf("no docword file among %d inputs: %w", len(inputs), source.ErrEmpty)
	}
	return r, nil
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	for _, in := range r.inputs {
		if err := r.readOne(ctx, in, yield); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readOne(ctx context.Context, in source.Input, yield func(*record.Batch) error) error {
	opened, err := in.Open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	text := bufio.NewReaderSize(opened, maxHeader)
	head, err := readHeader(in.Name, text)
	if err != nil {
		return err
	}
	f := &file{in: in, head: head, p: r.p, most: r.o.MaxMemory}
	defer r.name(ctx, f)()
	f.group = triplets.NewGrouper(triplets.Options{Name: in.Name, Window: r.o.Window, Limit: r.o.Limit, Workers: r.o.Workers}, r.naming(in, yield))
	return f.read(ctx, text, r.o.Workers)
}

// name finds from where a file counts and reads its words, of several workers beside the
// first of its lines, and returns what waits for that.
func (r *reader) name(ctx context.Context, f *file) (wait func()) {
	var from base
	var group par.Group
	var wrong, err error
	found := make(chan struct{})
	look := func() {
		defer close(found)
		from, wrong = findBase(ctx, f.in, f.head)
	}
	read := func() {
		look()
		f.columns, err = r.columns(ctx, f.in, f.head.words)
	}
	if par.Workers(r.o.Workers) == 1 {
		read()
	} else {
		group.Go(read)
	}
	f.base = func() base {
		<-found
		return from
	}
	f.named = sync.OnceValue(func() error {
		group.Wait()
		if err = cmp.Or(err, wrong); err == nil && from.first == 0 {
			f.p.Note("%s counts documents and words from 0", f.in.Name)
		}
		return err
	})
	return group.Wait
}

// naming adds ids when there are several files: without, they would clash.
func (r *reader) naming(in source.Input, yield func(*record.Batch) error) func(int, *record.Batch) error {
	return func(first int, b *record.Batch) error {
		if len(r.inputs) > 1 {
			b.IDs = make([]string, b.N())
			for i := range b.IDs {
				b.IDs[i] = stem(in) + ":" + strconv.Itoa(first+i+1)
			}
		}
		return yield(b)
	}
}

// header is what the first three lines promise.
type header struct {
	docs, words, entries int
}

const (
	headerLines = 3
	maxHeader   = 1 << 10 // bytes; the three numbers need far fewer
)

// readHeader reads D, W and NNZ. Nothing is allocated by their size.
func readHeader(name string, r *bufio.Reader) (header, error) {
	var n [headerLines]int
	for i, what := range []string{"documents (D)", "words (W)", "entries (NNZ)"} {
		line, err := headerLine(r)
		if err != nil && (err != io.EOF || line == "") {
			if err == io.EOF {
				return header{}, &record.ParseError{File: name, Line: i + 1, Msg: "the file ends in its header, which is three lines: documents, words, entries"}
			}
			return header{}, err
		}
		limit := math.MaxInt32
		if i == headerLines-1 {
			limit = math.MaxInt64
		}
		n[i], err = strconv.Atoi(strings.TrimSpace(line))
		if err != nil || n[i] < 0 || n[i] > limit {
			return header{}, &record.ParseError{
				File: name, Line: i + 1, Text: strings.TrimSpace(line),
				Msg: fmt.Sprintf("the number of %s must be a whole number from 0 to %d", what, limit),
			}
		}
	}
	return header{n[0], n[1], n[2]}, nil
}

// headerLine reads a short line; a longer one is cut, which no number survives.
func headerLine(r *bufio.Reader) (string, error) {
	var line []byte
	for len(line) < maxHeader {
		c, err := r.ReadByte()
		if err != nil {
			return string(line), err
		}
		if c == '\n' {
			return string(line), nil
		}
		line = append(line, c)
	}
	return string(line), nil
}
