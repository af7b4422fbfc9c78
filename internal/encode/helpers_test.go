package encode

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
)

// fake is a source of records in memory, in batches of a given size.
type fake struct {
	schema  record.Schema
	batches []*record.Batch
}

func (f *fake) Schema() *record.Schema { return &f.schema }

func (f *fake) Read(ctx context.Context, yield func(*record.Batch) error) error {
	for _, b := range f.batches {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// texts returns a source of running text in batches of n.
func texts(n int, list ...string) *fake {
	f := &fake{schema: record.Schema{Format: "lines", Kind: record.Text}}
	for lo := 0; lo < len(list); lo += n {
		f.batches = append(f.batches, &record.Batch{Text: list[lo:min(lo+n, len(list))]})
	}
	return f
}

// lists returns a source of code lists: each line the features of a record,
// separated by spaces; "feature=value" gives a value.
func lists(format string, kind record.Kind, lines ...string) *fake {
	f := &fake{schema: record.Schema{Format: format, Kind: kind, Dict: record.NewDict()}}
	for lo := 0; lo < len(lines); lo += 3 {
		b := &record.Batch{Ptr: []int{7}, Feature: make([]uint32, 7)} // offsets need not start at 0
		for _, line := range lines[lo:min(lo+3, len(lines))] {
			for _, name := range strings.Fields(line) {
				b.Feature = append(b.Feature, f.schema.Dict.Add(name))
			}
			b.Ptr = append(b.Ptr, len(b.Feature))
		}
		f.batches = append(f.batches, b)
	}
	return f
}

// side adds a side column.
func (f *fake) side(name string, values ...string) *fake {
	f.schema.Side = append(f.schema.Side, name)
	at := 0
	for _, b := range f.batches {
		b.Side = append(b.Side, values[at:at+b.N()])
		at += b.N()
	}
	return f
}

func (f *fake) ids(values ...string) *fake {
	at := 0
	for _, b := range f.batches {
		b.IDs = values[at : at+b.N()]
		at += b.N()
	}
	return f
}

func encode(t testing.TB, src record.Source, s Settings) *Result {
	t.Helper()
	r, err := Encode(context.Background(), src, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// words returns the names of the features of record i.
func row(r *Result, i int) string {
	index, _ := held(r).Rows.Row(i)
	var names []string
	for _, h := range index {
		names = append(names, held(r).Vocab.Names[h])
	}
	return strings.Join(names, " ")
}

// data returns a folder of real data or skips the test.
func data(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("MOIETY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("missing data: " + name)
	}
	return dir
}

// folder reads the files of a folder as texts.
func folder(t testing.TB, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(b))
	}
	return list
}

// held is the data set of a result, in memory.
func held(r *Result) *dataset.Dataset { return r.Set.(*dataset.Dataset) }
