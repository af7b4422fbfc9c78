// Package read opens data of every format the product knows: it expands the
// arguments into inputs, finds out what they hold, says why in words, and
// chooses the reader.
//
// It takes arguments and Options and gives a record.Source. Formats live in
// the rooms below; the table of them is in formats.go.
//
// Step in the flow: read -> encode. It must not know tokens, thresholds or
// models; of code systems it asks only whether values are codes.
package read

import (
	"context"
	"fmt"
	"slices"
	"strings"

	text "github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/record"
)

// Options are what is known about the data and what this machine gives to read
// them.
type Options struct {
	record.Reading

	// Like says how the columns of an earlier table were read, so that these are
	// read in the same way; nil: look at the data.
	Like *delimited.Like

	MaxMemory int64  // bytes for grouping; 0: 1 GiB
	TempDir   string // "": the system's
	Workers   int    // 0: all cores

	typed   []delimited.Declared // what the types of columns in the file say
	guessed bool                 // nobody named the format
	seen    *delimited.Profile   // what sniffing saw of the first input
	table   bool                 // sniffing saw a table
	ways    bool                 // every line is a list of symbols
	large   *turnable            // a table on its side that is too large to be held
}

// Open opens the data that the arguments name. What was decided, repaired or
// skipped goes to problems.
func Open(ctx context.Context, args []string, o Options, p *record.Problems) (record.Source, error) {
	p.Strict = p.Strict || o.Strict
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.isDatabase(args) {
		return openDatabase(args[0], o, p)
	}
	inputs, err := source.Expand(args)
	if err != nil {
		return nil, err
	}
	return OpenInputs(ctx, inputs, o, p)
}

// OpenInputs is Open for inputs that are expanded already.
func OpenInputs(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	p.Strict = p.Strict || o.Strict
	o.Strict = p.Strict
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Encoding != "" {
		if _, err := source.Encoding(o.Encoding); err != nil {
			return nil, err
		}
		inputs = slices.Clone(inputs)
		for i := range inputs {
			inputs[i].Encoding = o.Encoding
		}
	}
	inputs = remembered(inputs)
	for _, in := range inputs {
		if len(in.Papers) > 0 {
			p.Aside("left out, as they lie beside tables and are none: %s", strings.Join(in.Papers, ", "))
		}
	}
	inputs, err := reusable(ctx, inputs)
	if err != nil {
		return nil, err
	}
	auto := o.Format == "" || o.Format == "auto"
	if auto || isTable(o.Format) {
		if inputs, err = asTable(ctx, inputs, p); err != nil {
			return nil, err
		}
	}
	if auto || o.Format == "jsonl" || o.Format == "fhir" || isTable(o.Format) {
		if inputs, err = asLines(ctx, inputs, p); err != nil {
			return nil, err
		}
	}
	if auto || o.Transpose && isTable(o.Format) {
		if inputs, o, err = upright(ctx, inputs, o, p); err != nil {
			return nil, err
		}
	}
	if o.large != nil {
		src, err := openLarge(ctx, inputs[0], o, p)
		return bounded{src, p}, err
	}
	if auto || o.Format == "genotypes" {
		if inputs, o, err = asCopies(ctx, inputs, o, p); err != nil {
			return nil, err
		}
		auto = o.Format == "" || o.Format == "auto"
	}
	if auto {
		if inputs, o, err = labelledCounts(ctx, inputs, o, p); err != nil {
			return nil, err
		}
	}
	if auto && len(inputs) == 1 {
		if o, err = asGenotypes(ctx, inputs[0], o, p); err != nil {
			return nil, err
		}
		auto = o.Format == "" || o.Format == "auto"
	}
	if auto {
		g, err := Sniff(ctx, inputs, o)
		if err != nil {
			return nil, err
		}
		p.Note("%s %s", first(inputs).Name, g.Reason)
		o.take(g)
	}
	p.Allow = max(p.Allow, o.SkipMalformed)
	src, err := openAs(ctx, inputs, o, p)
	if err != nil {
		return nil, err
	}
	src = numbered{src}
	if o.Freq != "" {
		src = &frequencies{Source: src, column: o.Freq, inputs: first(inputs).Name, problems: p}
	}
	return bounded{src, p}, nil
}

// openAs opens inputs as the format that was named or found; a container keeps
// its own reader whatever the shape of the table in it.
func openAs(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if !o.guessed && isTable(o.Format) {
		g, ok, err := holdsTable(ctx, inputs[0])
		if err != nil {
			return nil, err
		}
		if ok {
			p.Note("%s %s", inputs[0].Name, g.Reason)
			return formats()[g.Format].open(ctx, inputs, o, p)
		}
	}
	return formats()[o.Format].open(ctx, inputs, o, p)
}

// bounded is a source that may not leave out more than problems allow.
type bounded struct {
	record.Source
	problems *record.Problems
}

// remembered has the input that tells the format keep what is looked at of it: that of
// thousands of others would fill the memory.
func remembered(inputs []source.Input) []source.Input {
	inputs = slices.Clone(inputs)
	name := first(inputs).Name
	i := slices.IndexFunc(inputs, func(in source.Input) bool { return in.Name == name })
	inputs[i] = inputs[i].Remembered()
	return inputs
}

// Read is that of the source, and an error where too much was left out. What a terminal
// would act on in names of columns and titles is written by its number, as in those of
// features.
func (b bounded) Read(ctx context.Context, yield func(*record.Batch) error) error {
	n := 0
	err := b.Source.Read(ctx, func(batch *record.Batch) error {
		n += batch.N()
		return yield(batch)
	})
	if err != nil {
		return err
	}
	s := b.Schema()
	for i, name := range s.Side {
		s.Side[i] = text.Visible(name)
	}
	for i := range s.Columns {
		s.Columns[i].Name = text.Visible(s.Columns[i].Name)
	}
	for name, title := range s.Titles {
		s.Titles[name] = text.Visible(title)
	}
	return b.problems.TooMany(n)
}

// take enters what was found out.
func (o *Options) take(g Guess) {
	o.Format, o.guessed, o.seen, o.table = g.Format, true, g.seen, g.table
	if g.with != nil {
		g.with(o)
	}
}

// databasePrefix marks an argument that is a database.
const databasePrefix = "omop:"

func (o Options) isDatabase(args []string) bool {
	return len(args) == 1 && strings.HasPrefix(args[0], databasePrefix) &&
		(o.Format == "" || o.Format == "auto" || o.Format == "omop")
}

// check refuses words that nobody knows.
func (o Options) check() error {
	if o.Format != "" && o.Format != "auto" {
		if _, ok := formats()[o.Format]; !ok {
			return unknown("format", o.Format, append([]string{"auto"}, Formats()...))
		}
	}
	for _, w := range []struct {
		what, value string
		known       []string
	}{
		{"unit", o.Unit, []string{"patient", "stay", "row"}},
		{"header", o.Header, []string{"yes", "no"}},
		{"separator", o.Separator, []string{",", ";", "tab", "|", "space", "^", "~"}},
		{"decimal sign", o.Decimal, []string{".", ","}},
		{"layout of lines", o.Lines, []string{"plain", "id", "mallet", "fasttext"}},
		{"table", o.OMOP.Table, []string{"condition", "drug", "procedure"}},
	} {
		if w.value != "" && !contains(w.known, w.value) {
			return unknown(w.what, w.value, w.known)
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// unknown words an error with the nearest known word.
func unknown(what, word string, known []string) error {
	best := suggest.Word(word, known)
	if best != "" {
		return fmt.Errorf("unknown %s %q; did you mean %q?", what, word, best)
	}
	return fmt.Errorf("unknown %s %q; known are: %s", what, word, strings.Join(known, ", "))
}
