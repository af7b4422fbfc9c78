package read

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/read/biom"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/fhir"
	"github.com/moiety-go/moiety/internal/read/mtx"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/svmlight"
	"github.com/moiety-go/moiety/internal/read/texts"
	"github.com/moiety-go/moiety/internal/read/uci"
	"github.com/moiety-go/moiety/record"
)

// opener opens inputs as one format.
type opener func(context.Context, []source.Input, Options, *record.Problems) (record.Source, error)

// format is one word of --format.
type format struct {
	about string
	open  opener
}

// formats is the table word -> reader.
func formats() map[string]format {
	return map[string]format{
		"long":        {"table with the columns id, code[, count][, date]", table(delimited.Long)},
		"wide":        {"table with the columns id, dx1..dxN that share one vocabulary", table(delimited.List)},
		"binary":      {"table of 0/1, yes/no or true/false, a column a feature", table(delimited.Binary)},
		"counts":      {"table of whole numbers, a column a feature", table(delimited.Counts)},
		"real":        {"table of measurements", table(delimited.Real)},
		"categorical": {"table of answers: a few values a column", table(delimited.Categorical)},
		"mixed":       {"table of columns of different kinds", table(delimited.Mixed)},
		"sequences":   {"id, time, symbol or numbers; or id, t1..tT; or a list of symbols a row", openSequences},
		"digits":      {"lines of digits, a digit a feature", table(delimited.Digits)},
		"genotypes":   {"table of 0, 1 or 2 copies of an allele, a column a locus", openGenotypes},
		"text":        {"folder of texts, or a table with a column of text", openText},
		"lines":       {"one document a line", openLines},
		"jsonl":       {"JSON lines or a JSON list: with a text, tokens or counts, or flat objects as a table", openJSONL},
		"biom":        {"matrix of observations by samples in JSON (BIOM 1.0); samples are the records", openBIOM},
		"uci":         {"docword and vocab files of the UCI repository", openUCI},
		"mtx":         {"Matrix Market coordinates", openMTX},
		"svmlight":    {"SVMlight or LIBSVM lines", openSVMlight},
		"parquet":     {"Parquet file: a table, or a list of codes a row", openParquet},
		"xlsx":        {"Excel workbook: its first sheet, or that of --sheet, as a table", openXLSX},
		"arrow":       {"Feather or Arrow file, as a table", openArrow},
		"npy":         {"array of numpy, as a table", openArrays},
		"npz":         {"arrays of numpy, or a sparse matrix of scipy", openArrays},
		"mimic":       {"DIAGNOSES_ICD of MIMIC-III or MIMIC-IV", openMimic},
		"fhir":        {"FHIR: Condition as NDJSON (bulk export), bundles or single resources", openFHIR},
		"omop":        {"OMOP condition_occurrence: database (omop:) or CSV", openOMOPFiles},
	}
}

// Formats returns the words of --format, sorted.
func Formats() []string {
	var words []string
	for w := range formats() {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

// delimited turns the options into those of a table.
func (o Options) delimited(shape delimited.Shape) delimited.Options {
	d := delimited.Options{
		Shape: shape, ID: o.ID, Code: o.Code, Count: o.Count, Text: o.Text, Time: o.Time,
		Label: o.Label, Typed: o.typed, Freq: o.Freq, Unit: o.Unit, SkipLines: o.SkipLines,
		Guessed: o.guessed, Like: o.Like, Coded: codes.Evidence,
		MaxMemory: o.MaxMemory, TempDir: o.TempDir, Workers: o.Workers,
		Strict: o.Strict && !o.guessed, Seen: o.seen,
	}
	d.Columns, d.Kinds = delimited.ParseColumns(o.Columns)
	switch o.Header {
	case "yes":
		d.Header = delimited.WithHeader
	case "no":
		d.Header = delimited.NoHeader
	}
	switch o.Separator {
	case "":
	case "tab":
		d.Separator = '\t'
	case "space":
		d.Separator = ' '
	default:
		d.Separator = o.Separator[0]
	}
	if o.Decimal != "" {
		d.Decimal = o.Decimal[0]
	}
	return d
}

func table(shape delimited.Shape) opener {
	return func(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
		d := o.delimited(shape)
		if o.ways && shape == delimited.List {
			d = asLists(d)
			d.Seen = nil
		}
		if o.VocabFile != "" {
			names, err := namesOf(ctx, o.VocabFile)
			if err != nil {
				return nil, err
			}
			d.Names = names
		}
		s, err := openTable(ctx, in, d, p)
		if err != nil || shape != delimited.Long {
			return s, err
		}
		return withTitles(s, in, s.(*delimited.Source).Profile()), nil
	}
}

// openSequences reads a table, or lines that are lists of symbols: those of
// different lengths, or of one length without a name for a column.
func openSequences(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if !o.ways && !o.guessed && !o.names() && o.Time == "" {
		d := o.delimited(delimited.Sequences)
		prof, err := delimited.Survey(ctx, in[0], d)
		if err != nil {
			return nil, err
		}
		if o.seen = prof; !tabular(prof) {
			lists, err := delimited.Survey(ctx, in[0], asLists(d))
			if err != nil {
				return nil, err
			}
			o.ways = lists.AreLists()
		}
	}
	if o.ways {
		o.seen = nil
		return openTable(ctx, in, asLists(o.delimited(delimited.Sequences)), p)
	}
	return table(delimited.Sequences)(ctx, in, o, p)
}

// openGenotypes reads a table, or lines with a digit a locus.
func openGenotypes(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	lines, _, err := in[0].Lines(ctx, sniffBytes)
	if err != nil {
		return nil, err
	}
	if !delimited.AreDigits(lines[:min(len(lines), 20)]) {
		return table(delimited.Genotypes)(ctx, in, o, p)
	}
	s, err := table(delimited.Digits)(ctx, in, o, p)
	if err == nil {
		s.Schema().Format = string(delimited.Genotypes)
	}
	return s, err
}

// openTable keeps a nil source out of the interface.
func openTable(ctx context.Context, in []source.Input, d delimited.Options, p *record.Problems) (record.Source, error) {
	s, err := delimited.New(ctx, in, d, p)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// namesOf reads a file with one name a line.
func namesOf(ctx context.Context, path string) ([]string, error) {
	in, err := source.File(path)
	if err != nil {
		return nil, err
	}
	r, err := in.Text(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var names []string
	lines := bufio.NewScanner(io.Reader(r))
	for lines.Scan() {
		if name := strings.TrimSpace(lines.Text()); name != "" {
			names = append(names, name)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return names, nil
}

// openText reads a table when a column of text is named, or when a single
// file is a table with one; otherwise a document a file.
func openText(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if o.Text != "" || o.table {
		return openTable(ctx, in, o.delimited(delimited.Text), p)
	}
	if len(in) == 1 && !o.guessed {
		if prof, err := delimited.Survey(ctx, in[0], o.delimited(delimited.Text)); err == nil && (tabular(prof) || oneColumn(in[0], prof)) {
			if shape, _ := prof.Classify(o.delimited(delimited.Text)); shape == delimited.Text {
				return openTable(ctx, in, o.delimited(delimited.Text), p)
			}
		}
	}
	return o.described(texts.New(in, texts.Options{Layout: texts.Files, Workers: o.Workers}, p))
}

// described refuses a column that was named and is not among those that describe
// records of a format without a table.
func (o Options) described(s record.Source, err error) (record.Source, error) {
	if err != nil {
		return nil, err
	}
	side := s.Schema().Side
	check := func(flag, name string) {
		if err == nil && name != "" && !slices.Contains(side, name) {
			have := "which is no table and has no columns"
			if len(side) > 0 {
				have = "which has the columns " + strings.Join(side, ", ")
			}
			err = record.NoColumn("‹%s›: there is no column %q in data of the format %s, %s", flag, name, s.Schema().Format, have)
		}
	}
	check("id", o.ID)
	check("count", o.Count)
	check("time", o.Time)
	for _, name := range o.Label {
		check("label", name)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func openLines(_ context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	layout := texts.Lines
	switch o.Lines {
	case "id":
		layout = texts.IDText
	case "mallet":
		layout = texts.Mallet
	case "fasttext":
		layout = texts.FastText
	}
	return o.described(texts.New(in, texts.Options{Layout: layout, Workers: o.Workers}, p))
}

func openUCI(_ context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	return o.described(uci.New(in, uci.Options{VocabFile: o.VocabFile, MaxMemory: o.MaxMemory, Workers: o.Workers}, p))
}

// openMTX leaves files out that only name rows and columns; the reader finds
// them beside their matrix.
func openMTX(_ context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(in) > 1 {
		in = slices.DeleteFunc(slices.Clone(in), func(i source.Input) bool { return mtx.IsSide(i.Base()) })
	}
	return o.described(mtx.New(in, mtx.Options{Transpose: o.Transpose, NamesFile: o.VocabFile, IDsFile: o.IDsFile, Workers: o.Workers}, p))
}

func openBIOM(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(in) > 1 {
		return nil, fmt.Errorf("%s is a matrix of its own; read several one by one, or join them first", in[0].Name)
	}
	return o.described(biom.New(ctx, in[0], p))
}

func openSVMlight(_ context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	return o.described(svmlight.New(in, svmlight.Options{NamesFile: o.VocabFile, Workers: o.Workers}, p))
}

func openFHIR(_ context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	unit := fhir.Patient
	if o.Unit == "stay" {
		unit = fhir.Stay
	}
	return fhir.New(in, fhir.Options{Unit: unit, System: o.System, Workers: o.Workers}, p)
}
