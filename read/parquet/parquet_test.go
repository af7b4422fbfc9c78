package parquet

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/moiety-go/moiety/read/source"
	"github.com/moiety-go/moiety/record"
)

// encode writes rows as a Parquet file.
func encode[T any](t testing.TB, rows []T, options ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read gives all records as "id|side|feature:value ..." or "id|side|text".
func read(t testing.TB, o Options, p *record.Problems, inputs ...source.Input) (rows []string, s *record.Schema, err error) {
	t.Helper()
	src, err := New(inputs, o, p)
	if err != nil {
		return nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var side, row []string
			id := ""
			if b.IDs != nil {
				id = b.IDs[i]
			}
			for _, column := range b.Side {
				side = append(side, column[i])
			}
			if b.Text != nil {
				row = append(row, b.Text[i])
			} else {
				for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
					name := s.Dict.Name(b.Feature[e])
					if b.Value != nil {
						name = fmt.Sprintf("%s:%g", name, b.Value[e])
					}
					row = append(row, name)
				}
			}
			rows = append(rows, id+"|"+strings.Join(side, ",")+"|"+strings.Join(row, " "))
		}
		return nil
	})
	return rows, s, err
}

type longRow struct {
	Patient int64   `parquet:"patient_id"`
	Code    *string `parquet:"icd_code,optional"`
}

type countRow struct {
	Doc   string `parquet:"doc_id"`
	Word  string `parquet:"word"`
	Count int32  `parquet:"count"`
}

type listRow struct {
	ID    string   `parquet:"id"`
	Codes []string `parquet:"codes,list"`
	Died  bool     `parquet:"died"`
}

type bareList struct {
	Key  string  `parquet:"key"`
	Many []int32 `parquet:"many"`
}

type textRow struct {
	ID   int32  `parquet:"id"`
	Note string `parquet:"note"`
}

type wideRow struct {
	ID    string   `parquet:"id"`
	Age   *float64 `parquet:"age,optional"`
	Dose  float32  `parquet:"dose"`
	Group string   `parquet:"group"`
}

type flagRow struct {
	A bool  `parquet:"a"`
	B int32 `parquet:"b"`
}

func ptr[T any](v T) *T { return &v }

func TestShapes(t *testing.T) {
	longFile := encode(t, []longRow{{7, ptr("I10")}, {7, ptr("E11")}, {3, ptr("I10")}, {7, ptr("I10")}, {9, nil}})
	countFile := encode(t, []countRow{{"b", "heart", 2}, {"b", "lung", 1}, {"a", "heart", 4}, {"a", "heart", 1}, {"a", "lung", 0}})
	listFile := encode(t, []listRow{{"x", []string{"I10", " E11", "I10"}, true}, {"y", nil, false}, {"z", []string{"J44", ""}, true}})
	bareFile := encode(t, []bareList{{"x", []int32{5, 6}}, {"y", nil}})
	textFile := encode(t, []textRow{{1, "a cough"}, {2, ""}})
	wideFile := encode(t, []wideRow{{"p", ptr(61.5), 0, "u"}, {"q", nil, 2, "v"}, {"r", ptr(-1.0), float32(math.Inf(1)), "u"}})
	cases := []struct {
		name string
		file []byte
		o    Options
		kind record.Kind
		want []string
	}{
		{"long", longFile, Options{}, record.Presence, []string{"7||I10 E11", "3||I10", "9||"}},
		{"long with counts", countFile, Options{}, record.Counts, []string{"b||heart:2 lung:1", "a||heart:5"}},
		{"long, named", countFile, Options{ID: "word", Code: "doc_id", Count: "count"}, record.Counts, []string{"heart||b:2 a:5", "lung||b:1"}},
		{"list", listFile, Options{}, record.Presence, []string{"x||I10 E11", "y||", "z||J44"}},
		{"list with side", listFile, Options{Side: []string{"died"}}, record.Presence, []string{"x|true|I10 E11", "y|false|", "z|true|J44"}},
		{"only list", bareFile, Options{}, record.Presence, []string{"||5 6", "||"}},
		{"text", textFile, Options{}, record.Text, []string{"1||a cough", "2||"}},
		{"text, named", textFile, Options{Text: "note", ID: "id"}, record.Text, []string{"1||a cough", "2||"}},
		{"wide real", wideFile, Options{Side: []string{"group"}}, record.Real, []string{"p|u|age:61.5 dose:0", "q|v|age:NaN dose:2", "r|u|age:-1 dose:NaN"}},
		{"wide counts", wideFile, Options{Columns: []string{"dose"}}, record.Counts, []string{"p||", "q||dose:2", "r||dose:NaN"}},
		{"wide flags", encode(t, []flagRow{{true, 0}, {false, 1}}), Options{}, record.Presence, []string{"||a:1", "||b:1"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rows, s, err := read(t, c.o, &record.Problems{Strict: true}, source.Bytes("t.parquet", c.file))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(rows, c.want) || s.Kind != c.kind || s.Format != "parquet" {
				t.Errorf("%s %q, want %s %q", s.Kind, rows, c.kind, c.want)
			}
		})
	}
}

func TestWrongColumns(t *testing.T) {
	long := encode(t, []longRow{{7, ptr("I10")}})
	text := encode(t, []textRow{{1, "x"}})
	onlyText := encode(t, []struct {
		Odd string `parquet:"odd"`
	}{{"x"}})
	for name, c := range map[string]struct {
		file []byte
		o    Options
		want string
	}{
		"no such column":     {long, Options{Code: "dx"}, `no column "dx"`},
		"nothing recognised": {onlyText, Options{}, "--code or --text"},
		"code without id":    {onlyText, Options{Code: "odd"}, "--id"},
		"count of words":     {encode(t, []countRow{{"a", "x", 1}}), Options{Code: "count", Count: "word"}, "does not hold numbers"},
		"list as id":         {encode(t, []listRow{{"x", []string{"a"}, true}}), Options{ID: "codes", Code: "id"}, "holds lists"},
		"side of long":       {long, Options{Code: "icd_code", Side: []string{"patient_id"}, ID: "patient_id"}, "side columns"},
	} {
		if _, _, err := read(t, c.o, &record.Problems{}, source.Bytes("t.parquet", c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
	if _, _, err := read(t, Options{}, &record.Problems{}, source.Bytes("a", long), source.Bytes("b", text)); err == nil || !strings.Contains(err.Error(), "other columns") {
		t.Errorf("two shapes: %v", err)
	}
	negative := encode(t, []countRow{{"a", "x", -1}, {"a", "y", 1}})
	p := &record.Problems{}
	if rows, _, err := read(t, Options{}, p, source.Bytes("t", negative)); err != nil || p.Skipped != 1 || rows[0] != "a||y:1" {
		t.Errorf("negative count: %q, %d skipped (%v)", rows, p.Skipped, err)
	}
}

// many makes rows of a file with several pages and row groups.
func many(n int) []longRow {
	rng := rand.New(rand.NewPCG(11, 12))
	rows := make([]longRow, n)
	for i := range rows {
		rows[i] = longRow{int64(rng.IntN(n/10 + 1)), ptr(fmt.Sprint("c", rng.IntN(300)))}
	}
	return rows
}

func TestManyGroups(t *testing.T) {
	rows := many(20000)
	want := make(map[string]map[string]bool)
	for _, r := range rows {
		id := fmt.Sprint(r.Patient)
		if want[id] == nil {
			want[id] = make(map[string]bool)
		}
		want[id][*r.Code] = true
	}
	file := encode(t, rows, pq.MaxRowsPerRowGroup(3000), pq.PageBufferSize(2000), pq.Compression(&pq.Zstd))
	got, _, err := read(t, Options{}, &record.Problems{}, source.Bytes("m.parquet", file))
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d records, want %d (%v)", len(got), len(want), err)
	}
	for _, row := range got {
		f := strings.SplitN(row, "|", 3)
		codes := make(map[string]bool)
		for _, c := range strings.Fields(f[2]) {
			codes[c] = true
		}
		if !reflect.DeepEqual(codes, want[f[0]]) {
			t.Fatalf("record %s: %v, want %v", f[0], codes, want[f[0]])
		}
	}
}

func TestPlaces(t *testing.T) {
	file := encode(t, []longRow{{7, ptr("I10")}})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(file)
	z.Close()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	path := filepath.Join(dir, "f.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := source.File(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]source.Input{
		"file": plain, "stream": source.Reader("standard input", bytes.NewReader(file)), "gzip": source.Bytes("f.gz", packed.Bytes()),
	} {
		rows, _, err := read(t, Options{}, &record.Problems{}, in)
		if err != nil || len(rows) != 1 || rows[0] != "7||I10" {
			t.Errorf("%s: %q (%v)", name, rows, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files left in the temporary folder (%v)", len(left), err)
	}
	_, _, err = read(t, Options{Limits: Limits{Spool: 10}}, &record.Problems{}, source.Reader("standard input", bytes.NewReader(file)))
	if !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("beyond the limit: %v", err)
	}
}

func TestDamaged(t *testing.T) {
	file := encode(t, many(300))
	hostile := bytes.Clone(file)
	copy(hostile[len(hostile)-8:], "\xff\xff\xff\xff")
	for name, data := range map[string][]byte{
		"footer of 4 GB": hostile,
		"cut off":        file[:len(file)-10], "half": file[:len(file)/2], "magic alone": []byte("PAR1PAR1"), "text": []byte("id,code\n1,2\n"),
	} {
		if _, _, err := read(t, Options{}, &record.Problems{}, source.Bytes("t.parquet", data)); err == nil || !source.Unreadable(err) {
			t.Errorf("%s: error %v is not one of unreadable data", name, err)
		}
	}
	for name, l := range map[string]Limits{"page": {Page: 100}, "row group": {RowGroup: 100}, "columns": {Columns: 1}} {
		if _, _, err := read(t, Options{Limits: l}, &record.Problems{}, source.Bytes("t.parquet", file)); err == nil || !source.Unreadable(err) {
			t.Errorf("limit on %s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	src, err := New([]source.Input{source.Bytes("t.parquet", file)}, Options{}, &record.Problems{})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Read(ctx, func(*record.Batch) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMutations flips bytes at random places: every file must give records or
// an error of the data, never a panic.
func TestMutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, file := range [][]byte{encode(t, many(400)), encode(t, []listRow{{"x", []string{"I10", "E11"}, true}, {"y", nil, false}})} {
		for range 150 {
			data := bytes.Clone(file)
			for range 1 + rng.IntN(3) {
				data[rng.IntN(len(data))] ^= byte(1 + rng.IntN(255))
			}
			_, _, err := read(t, Options{}, &record.Problems{}, source.Bytes("t.parquet", data))
			if err != nil && !source.Unreadable(err) && !strings.Contains(err.Error(), "column") {
				t.Errorf("error %v is not one of unreadable data", err)
			}
		}
	}
}

func FuzzParquet(f *testing.F) {
	f.Add(encode(f, many(50)))
	f.Add(encode(f, []listRow{{"x", []string{"I10", "E11"}, true}, {"y", nil, false}}))
	f.Add(encode(f, []wideRow{{"p", ptr(61.5), 0, "u"}, {"q", nil, 2, "v"}}))
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Options{Limits: Limits{Page: 1 << 20, RowGroup: 1 << 16}}
		read(t, o, &record.Problems{}, source.Bytes("f.parquet", data))
	})
}

func BenchmarkLong(b *testing.B) {
	rows := many(1 << 20)
	file := encode(b, rows)
	path := filepath.Join(b.TempDir(), "b.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		b.Fatal(err)
	}
	in, err := source.File(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		src, err := New([]source.Input{in}, Options{}, &record.Problems{})
		if err != nil {
			b.Fatal(err)
		}
		if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows))*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
