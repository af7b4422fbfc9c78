package read

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"github.com/moiety-go/moiety/read/source"
	"github.com/moiety-go/moiety/record"
)

// seen is what a reader made of an input: its records as
// "id|side|feature=value ...", missing values as NaN.
type seen struct {
	rows   []string
	schema *record.Schema
	notes  string
	lost   int
}

// open reads inputs with the given options.
func open(t testing.TB, o Options, inputs ...source.Input) (seen, error) {
	t.Helper()
	p := new(record.Problems)
	s, err := OpenInputs(context.Background(), inputs, o, p)
	if err != nil {
		return seen{}, err
	}
	var rows []string
	err = s.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			rows = append(rows, rowOf(b, s.Schema(), i))
		}
		return nil
	})
	return seen{rows, s.Schema(), strings.Join(p.Notes, "\n"), p.Skipped}, err
}

func rowOf(b *record.Batch, s *record.Schema, i int) string {
	var side, row []string
	id := ""
	if b.IDs != nil {
		id = b.IDs[i]
	}
	for _, column := range b.Side {
		side = append(side, column[i])
	}
	if b.Text != nil {
		return id + "|" + strings.Join(side, ",") + "|" + b.Text[i]
	}
	from, to := i, i+1
	if b.Steps != nil {
		from, to = b.Steps[i], b.Steps[i+1]
	}
	for e := b.Ptr[from]; e < b.Ptr[to]; e++ {
		name := s.Dict.Name(b.Feature[e])
		if v := b.At(e); v != 1 || s.Kind == record.Real || s.Kind == record.Counts {
			name = fmt.Sprintf("%s=%g", name, v)
		}
		row = append(row, name)
	}
	return id + "|" + strings.Join(side, ",") + "|" + strings.Join(row, " ")
}

// memory is an input in memory.
func memory(name string, content string) source.Input { return source.Bytes(name, []byte(content)) }

// expect opens an input and compares the first records.
func expect(t *testing.T, o Options, format string, kind record.Kind, want []string, inputs ...source.Input) {
	t.Helper()
	got, err := open(t, o, inputs...)
	if err != nil {
		t.Errorf("%s: %v", inputs[0].Name, err)
		return
	}
	n := min(len(want), len(got.rows))
	if got.lost > 0 || got.schema.Kind != kind || got.schema.Format != format || len(got.rows) < len(want) || !slices.Equal(got.rows[:n], want) {
		t.Errorf("%s: %s, %s, %d lost, %d records %q\nwant %s, %s, %q\n%s", inputs[0].Name, got.schema.Format, got.schema.Kind, got.lost,
			len(got.rows), got.rows[:min(len(got.rows), 12)], format, kind, want, got.notes)
	}
}

// parquetOf writes rows as a Parquet file.
func parquetOf[T any](t *testing.T, name string, rows []T, options ...pq.WriterOption) source.Input {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return source.Bytes(name, b.Bytes())
}

// A Parquet file has the roles that the same table has as CSV: ids, categories,
// numbers with their point, times beside.
func TestParquetRoles(t *testing.T) {
	type row struct {
		PID    string    `parquet:"pid"`
		Colour string    `parquet:"colour"`
		Price  int32     `parquet:"price,decimal(2:9)"`
		At     time.Time `parquet:"at,timestamp(microsecond)"`
		Age    *float64  `parquet:"age,optional"`
	}
	var rows []row
	csv := "pid,colour,price,at,age\n"
	for i := range 60 {
		age := 20.5 + float64(i%7)
		r := row{fmt.Sprintf("p%03d", i), []string{"red", "green", "blue"}[i%3], int32(100 + 3*i), time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC), &age}
		rows = append(rows, r)
		csv += fmt.Sprintf("%s,%s,%.2f,%s,%g\n", r.PID, r.Colour, float64(r.Price)/100, r.At.Format(time.RFC3339), age)
	}
	want, err := open(t, Options{}, memory("t.csv", csv))
	if err != nil {
		t.Fatal(err)
	}
	if want.rows[1] != "p001|2020-01-02T00:00:00Z|colour=green price=1.03 age=21.5" {
		t.Errorf("the table is %q", want.rows[1])
	}
	for _, codec := range []pq.WriterOption{pq.Compression(&pq.Snappy), pq.Compression(&pq.Lz4Raw)} {
		got, err := open(t, Options{}, parquetOf(t, "t.parquet", rows, codec))
		if err != nil || !slices.Equal(got.rows, want.rows) || got.schema.Kind != want.schema.Kind {
			t.Errorf("as Parquet %v %q, want %v %q (%v)", got.schema.Kind, got.rows[:2], want.schema.Kind, want.rows[:2], err)
		}
	}
}

func TestParquetShapes(t *testing.T) {
	type flags struct {
		PID string  `parquet:"pid"`
		A   int64   `parquet:"a"`
		B   float64 `parquet:"b"`
	}
	type counts struct {
		Doc  string `parquet:"doc"`
		Word string `parquet:"word"`
		N    int64  `parquet:"count"`
	}
	type list struct {
		ID    string   `parquet:"id"`
		Codes []string `parquet:"codes,list"`
		Died  bool     `parquet:"died"`
	}
	type unsigned struct {
		X uint64  `parquet:"big"`
		Y float64 `parquet:"dose"`
	}
	expect(t, Options{}, "binary", record.Presence, []string{"p1||a", "p2||b", "p3||a b"},
		parquetOf(t, "ids.parquet", []flags{{"p1", 1, 0}, {"p2", 0, 1}, {"p3", 1, 1}}))
	expect(t, Options{}, "long", record.Counts, []string{"d1||x=2 y=1", "d2||x=4"},
		parquetOf(t, "counts.parquet", []counts{{"d1", "x", 2}, {"d1", "y", 1}, {"d2", "x", 4}}))
	expect(t, Options{}, "parquet", record.Presence, []string{"a|true|I10 E11", "b|false|"},
		parquetOf(t, "list.parquet", []list{{"a", []string{"I10", "E11"}, true}, {"b", nil, false}}))
	expect(t, Options{Format: "real"}, "real", record.Real, []string{"||big=9.223372036854776e+18 dose=0.5", "||big=2 dose=1.5"},
		parquetOf(t, "u.parquet", []unsigned{{1 << 63, 0.5}, {2, 1.5}}))
	expect(t, Options{Format: "real", Columns: []string{"dose"}, Label: []string{"big"}}, "real", record.Real, []string{"|7|dose=0.5", "|2|dose=NaN"},
		parquetOf(t, "u.parquet", []unsigned{{7, 0.5}, {2, math.Inf(1)}}))
	if _, err := open(t, Options{}, parquetOf(t, "none.parquet", []unsigned{})); err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), "0 records") {
		t.Errorf("no rows: %v", err)
	}
}
