package read

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/arrow"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/npy"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/xlsx"
	"github.com/moiety-go/moiety/record"
)

// containers are formats that show what they are by their first bytes and hold
// tables, which are then read like every table.
var containers = []struct {
	magic  string
	format string
	reason string
}{
	{"PAR1", "parquet", "is a Parquet file"},
	{npy.Magic, "npy", "is an array of numpy"},
	{arrow.Magic, "arrow", "is a Feather or Arrow file"},
}

// IsContainer reports that a format says how a table is kept, and nothing of what
// its columns are.
func IsContainer(format string) bool {
	return slices.Contains([]string{"parquet", "xlsx", "npy", "npz", "arrow", "jsonl"}, format)
}

// zipMagic are the first bytes of an archive, which workbooks and files of
// arrays are.
const zipMagic = "PK\x03\x04"

// contained recognises a container by the first bytes of an input, unpacked
// ones included.
func contained(ctx context.Context, in source.Input) (Guess, bool, error) {
	const enough = 8
	start, err := in.Start(ctx, enough)
	if err != nil {
		return Guess{}, false, err
	}
	for _, c := range containers {
		if bytes.HasPrefix(start, []byte(c.magic)) {
			return Guess{Format: c.format, Reason: c.reason}, true, nil
		}
	}
	if bytes.HasPrefix(start, []byte(zipMagic)) {
		return zipped(ctx, in)
	}
	return Guess{}, false, nil
}

// zipped tells workbooks and files of arrays from other archives.
func zipped(ctx context.Context, in source.Input) (Guess, bool, error) {
	raw, err := in.Seek(ctx)
	if err != nil {
		return Guess{}, false, err
	}
	z, err := zip.NewReader(raw, raw.Size)
	if err != nil {
		return Guess{}, false, fmt.Errorf("%s: %w: a zip archive or a workbook: %w", in.Name, source.ErrDamaged, source.Damage(err))
	}
	if xlsx.Is(z) {
		return Guess{Format: "xlsx", Reason: "is an Excel workbook"}, true, nil
	}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".npy") {
			return Guess{Format: "npz", Reason: "is a file of numpy arrays"}, true, nil
		}
	}
	return Guess{}, false, fmt.Errorf("%s: %w: it is %s", in.Name, source.ErrBinary, archive(z))
}

// archive says what an archive is that is not read, and what to do.
func archive(z *zip.Reader) string {
	for _, f := range z.File {
		switch f.Name {
		case "content.xml":
			return "a document of LibreOffice; save it as xlsx or CSV"
		case "word/document.xml":
			return "a Word document; save it as plain text"
		case "ppt/presentation.xml":
			return "a PowerPoint document; save its table as CSV"
		}
	}
	return fmt.Sprintf("a zip archive of %d files; unpack it first", len(packed(z)))
}

// packed are the files of an archive, without folders and without what machines of
// Apple put beside them.
func packed(z *zip.Reader) []*zip.File {
	return slices.DeleteFunc(slices.Clone(z.File), func(f *zip.File) bool {
		return strings.HasSuffix(f.Name, "/") || strings.HasPrefix(f.Name, "__MACOSX/") || strings.HasPrefix(path.Base(f.Name), ".")
	})
}

// reusable makes a copy of containers that come through standard input, as they
// are read from their end, and takes the file out of archives that hold one.
func reusable(ctx context.Context, inputs []source.Input) ([]source.Input, error) {
	start, err := inputs[0].Start(ctx, len(npy.Magic))
	if err != nil {
		return nil, err
	}
	is := func(magic string) bool { return bytes.HasPrefix(start, []byte(magic)) }
	if !is(zipMagic) && !is(npy.Magic) && !is("PAR1") && !is(arrow.Magic) {
		return inputs, nil
	}
	out := slices.Clone(inputs)
	if out[0], err = out[0].Reusable(ctx); err != nil || !is(zipMagic) {
		return out, err
	}
	for i, in := range out {
		if out[i], err = single(ctx, in); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// single returns the only file of an archive that is neither a workbook nor a
// file of arrays; other inputs stay as they are.
func single(ctx context.Context, in source.Input) (source.Input, error) {
	raw, err := in.Seek(ctx)
	if err != nil {
		return in, err
	}
	z, err := zip.NewReader(raw, raw.Size)
	if err != nil {
		return in, nil // reported by who reads it
	}
	files := packed(z)
	if len(files) != 1 || strings.HasSuffix(files[0].Name, ".npy") {
		return in, nil
	}
	f := files[0]
	return source.Made(in, func(_ context.Context, w io.Writer) error {
		r, err := f.Open()
		if err != nil {
			return fmt.Errorf("%s: %w: %w", in.Name, source.ErrDamaged, source.Damage(err))
		}
		defer r.Close()
		most := max(1<<30, 400*raw.Size) // the bounds of all archives
		n, err := io.Copy(w, io.LimitReader(r, most+1))
		switch {
		case source.Damaged(err):
			return fmt.Errorf("%s: %w: %w", in.Name, source.ErrDamaged, source.Damage(err))
		case err == nil && n > most:
			return fmt.Errorf("%s: %w: %d stored bytes expand to more than %d", in.Name, source.ErrTooLarge, raw.Size, most)
		}
		return err
	}), nil
}

// openArrays reads sparse matrices as records and dense arrays as tables.
func openArrays(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	tables := make([]source.Input, len(in))
	for i := range in {
		f, err := npy.Open(ctx, in[i])
		if err != nil {
			return nil, err
		}
		if f.Sparse() {
			if len(in) > 1 {
				return nil, fmt.Errorf("%s is a sparse matrix; read several one by one, or join them first", in[i].Name)
			}
			return npy.New(f, p)
		}
		if tables[i], err = f.Table(); err != nil {
			return nil, err
		}
	}
	return openMade(ctx, tables, o, p)
}

// openArrow reads the columns of a file as a table.
func openArrow(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	tables := make([]source.Input, len(in))
	for i := range in {
		f, err := arrow.Open(ctx, in[i])
		if err != nil {
			return nil, err
		}
		if left := f.Left(); len(left) > 0 {
			p.Aside("columns of %s that hold neither numbers nor texts were left out: %s", in[i].Name, strings.Join(left, ", "))
		}
		tables[i] = f.Table()
		for _, name := range f.Categories() {
			o.typed = append(o.typed, delimited.Declared{Column: name, Kind: record.Categorical})
		}
	}
	return openMade(ctx, tables, o, p)
}

// openXLSX reads a sheet of a workbook. Lines above the header are found as in
// any table.
func openXLSX(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	tables := make([]source.Input, len(in))
	for i := range in {
		book, err := xlsx.Open(ctx, in[i])
		if err != nil {
			return nil, err
		}
		t, err := book.Table(ctx, o.Sheet)
		if err != nil {
			return nil, err
		}
		if all := book.Sheets(); len(all) > 1 && o.Sheet == "" {
			p.Note("%s has %d sheets, and %s was read; choose another with --sheet (%s)", in[i].Name, len(all), t.Sheet, strings.Join(all, ", "))
		}
		if len(t.Numbers) > 0 {
			p.Note("%s holds numbers in the column %s: if these are codes, their leading zeros are lost (042 became 42); format the column as text before typing or importing codes",
				in[i].Name, strings.Join(t.Numbers, ", "))
		}
		if t.Hidden > 0 {
			p.Note("%s hidden in %s and read too; to leave out what is hidden, copy what is shown to a sheet of its own", record.Several(t.Hidden, "row is", "rows are"), in[i].Name)
		}
		if t.Filled > 0 {
			p.Note("%s over several rows in %s, and each of these rows has its value", record.Several(t.Filled, "cell goes", "cells go"), in[i].Name)
		}
		tables[i] = t.Input
	}
	return openTables(ctx, tables, o, p)
}

// isTable reports whether a word of --format is a shape of a table: it then
// says how the table of a container is to be read.
func isTable(word string) bool {
	switch delimited.Shape(word) {
	case delimited.Long, delimited.List, delimited.Binary, delimited.Counts, delimited.Real,
		delimited.Categorical, delimited.Mixed, delimited.Sequences, delimited.Text:
		return true
	}
	return word == "omop" || word == "mimic" || word == "genotypes"
}

// openMade opens tables that a reader has made of something else; their first
// line is the header.
func openMade(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	o.Header = "yes"
	return openTables(ctx, in, o, p)
}

// openTables opens tables whose separator and decimal sign are known.
func openTables(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	o.Separator, o.Decimal = ",", "."
	if !isTable(o.Format) {
		prof, err := delimited.Survey(ctx, in[0], o.delimited(delimited.Long))
		if err != nil {
			return nil, err
		}
		if prof.Rows == 0 && prof.Ragged == 0 {
			return nil, fmt.Errorf("%s: it names %d columns and holds 0 records: %w", in[0].Name, len(prof.Columns), source.ErrEmpty)
		}
		g, prof, err := classify(ctx, in, prof, o)
		if err != nil {
			return nil, err
		}
		p.Note("%s %s", in[0].Name, g.Reason)
		g.seen, g.table = prof, true
		o.take(g)
	}
	return formats()[o.Format].open(ctx, in, o, p)
}
