package read

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// fill repeats rows made of a pattern, so that columns have something to say.
func fill(header string, rows ...string) string {
	return header + strings.Repeat(strings.Join(rows, "\n")+"\n", 10)
}

func TestSniff(t *testing.T) {
	cases := []struct {
		name, text, format, reason string
	}{
		{"x.csv", "patient_id,code\n1,428\n1,250\n2,428\n2,401\n", "long", "column patient_id repeats, column code has 3 different values"},
		{"x.csv", "id,code\n1,428\n2,250\n", "long", "column id is the id"},
		{"x.tsv", "P1\tA01\nP1\tB02\nP2\tC03\nP3\tA01\nP3\tD04\n", "long", "column1 repeats"},
		{"x.csv", "id,dx1,dx2\na,428,250\nb,401,\n", "wide", "dx1 to dx2"},
		{"x.csv", fill("id,a,b\n", "1,0,1", "2,1,1", "3,0,0"), "binary", "0/1"},
		{"x.csv", fill("w1,w2\n", "0,3", "2,0", "0,0"), "counts", "counts"},
		{"x.csv", fill("len;wid\n", "1,5;2", "2,25;3"), "real", "numbers"},
		{"x.csv", fill("colour,shape\n", "red,round", "blue,square", "green,round"), "categorical", "categories"},
		{"x.csv", fill("sex,weight\n", "m,70.5", "f,60.5", "f,63"), "mixed", "1 of numbers, 1 of categories"},
		{"x.csv", fill("title,body\n", "a,the quick brown fox jumps over the lazy dog", "b,some other words that make a sentence of text"), "text", "column body"},
		{"x.csv", "SUBJECT_ID,HADM_ID,SEQ_NUM,ICD9_CODE\n1,11,1,4280\n1,11,2,4019\n", "mimic", "MIMIC"},
		{"x.csv", fill("id,t1,t2,t3,t4,t5,t6\n", "1,a,a,b,b,a,b", "2,b,b,b,a,a,a"), "sequences", "t1 to t6"},
		{"x.jsonl", `{"id":1,"text":"a"}`, "jsonl", "JSON"},
		{"x.ndjson", `{"resourceType":"Condition","id":"1"}`, "fhir", "FHIR"},
		{"x.mtx", "%%MatrixMarket matrix coordinate integer general\n", "mtx", "Matrix Market"},
		{"docword.x.txt", "2\n3\n2\n1 1 2\n2 3 1\n", "uci", "UCI"},
		{"x.svm", "1 1:2 3:4\n-1 2:1\n", "svmlight", "SVMlight"},
		{"x.txt", "0120120120\n2222200000\n", "digits", "10 a line"},
		{"x.txt", "To be, or not to be\nthat is the question\nwhether, tis, nobler\n", "lines", "one document a line"},
		{"x.parquet", "PAR1xxxx", "parquet", "Parquet"},
	}
	for _, c := range cases {
		g, err := Sniff(context.Background(), []source.Input{source.Bytes(c.name, []byte(c.text))}, Options{})
		if err != nil || g.Format != c.format || !strings.Contains(g.Reason, c.reason) {
			t.Errorf("%.40q: got %s (%s), %v; want %s", c.text, g.Format, g.Reason, err, c.format)
		}
	}
}

func read(t *testing.T, o Options, args ...string) (int, *record.Problems, error) {
	t.Helper()
	p := new(record.Problems)
	s, err := Open(context.Background(), args, o, p)
	if err != nil {
		return 0, p, err
	}
	n := 0
	err = s.Read(context.Background(), func(b *record.Batch) error { n += b.N(); return nil })
	return n, p, err
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestArchives(t *testing.T) {
	plain := []byte("id,code\n1,x\n1,y\n2,x\n")
	var gz, zs bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(plain)
	g.Close()
	z, _ := zstd.NewWriter(&zs)
	z.Write(plain)
	z.Close()
	for name, data := range map[string][]byte{"plain.csv": plain, "x.csv.gz": gz.Bytes(), "x.csv.zst": zs.Bytes(), "wrongly-named.csv": gz.Bytes()} {
		if n, p, err := read(t, Options{}, write(t, name, data)); n != 2 || err != nil {
			t.Errorf("%s: %d records, %v, %v", name, n, err, p)
		}
	}
	cut := write(t, "cut.csv.gz", gz.Bytes()[:gz.Len()-9])
	if _, _, err := read(t, Options{Reading: record.Reading{Format: "long"}}, cut); !errors.Is(err, source.ErrDamaged) {
		t.Errorf("cut gzip: %v", err)
	}
	cut = write(t, "cut.csv.zst", zs.Bytes()[:zs.Len()-3])
	if _, _, err := read(t, Options{Reading: record.Reading{Format: "long"}}, cut); !errors.Is(err, source.ErrDamaged) {
		t.Errorf("cut zstd: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	ok := write(t, "x.csv", []byte("id,code\n1,x\n1,y\n"))
	for _, c := range []struct {
		name string
		o    Options
		arg  string
		is   error
		says string
	}{
		{"missing", Options{}, filepath.Join(t.TempDir(), "none.csv"), fs.ErrNotExist, "none.csv"},
		{"glob", Options{}, filepath.Join(t.TempDir(), "*.csv"), fs.ErrNotExist, "no file matches"},
		{"empty", Options{}, write(t, "x.csv", nil), source.ErrEmpty, "empty"},
		{"binary", Options{}, write(t, "x.csv", []byte("a,b\n\x00\x01")), source.ErrBinary, "NUL"},
		{"zip", Options{}, write(t, "x.xlsx", []byte("PK\x03\x04....")), source.ErrDamaged, "zip"},
		{"format", Options{Reading: record.Reading{Format: "lonk"}}, ok, nil, `did you mean "long"`},
		{"format", Options{Reading: record.Reading{Format: "something"}}, ok, nil, "known are: auto, arrow, binary"},
		{"unit", Options{Reading: record.Reading{Unit: "patients"}}, ok, nil, `did you mean "patient"`},
		{"column", Options{Reading: record.Reading{Format: "long", Code: "nope"}}, ok, nil, "the columns are: id, code"},
		{"mimic", Options{Reading: record.Reading{Format: "mimic"}}, ok, nil, "not DIAGNOSES_ICD"},
	} {
		_, _, err := read(t, c.o, c.arg)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", c.name, err)
		}
		if c.is != nil && !source.Unreadable(err) {
			t.Errorf("%s: %v does not count as unreadable", c.name, err)
		}
	}
}

func TestMimicUnits(t *testing.T) {
	three := write(t, "DIAGNOSES_ICD.csv", []byte("\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"SEQ_NUM\",\"ICD9_CODE\"\n1,10,100,1,\"4280\"\n2,10,101,1,\"0389\"\n3,11,102,1,\"4280\"\n"))
	four := write(t, "diagnoses_icd.csv", []byte("subject_id,hadm_id,seq_num,icd_code,icd_version\n10,100,1,4280,9\n10,101,1,I50,10\n"))
	for _, c := range []struct {
		file, unit string
		n          int
		names      string
	}{
		{three, "", 3, "4280 0389"},
		{three, "stay", 3, "4280 0389"},
		{three, "patient", 2, "4280 0389"},
		{four, "patient", 1, "9:4280 10:I50"},
	} {
		s, err := Open(context.Background(), []string{c.file}, Options{Reading: record.Reading{Unit: c.unit}}, new(record.Problems))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := s.Read(context.Background(), func(b *record.Batch) error { n += b.N(); return nil }); err != nil {
			t.Fatal(err)
		}
		if names := strings.Join(s.Schema().Dict.Names(), " "); n != c.n || names != c.names || s.Schema().Format != "mimic" {
			t.Errorf("unit %q: %d records, codes %s, format %s", c.unit, n, names, s.Schema().Format)
		}
	}
}

func TestOMOPDump(t *testing.T) {
	file := write(t, "condition_occurrence.csv", []byte("condition_occurrence_id,person_id,condition_concept_id,condition_start_date,visit_occurrence_id,condition_source_value\n1,7,316139,2008-01-01,70,4280\n2,7,201826,2008-02-01,71,25000\n"))
	if n, _, err := read(t, Options{Reading: record.Reading{Format: "omop"}}, file); n != 1 || err != nil {
		t.Errorf("%d persons, %v", n, err)
	}
	if n, _, err := read(t, Options{Reading: record.Reading{Format: "omop", Unit: "stay", OMOP: record.OMOP{SourceValues: true}}}, file); n != 2 || err != nil {
		t.Errorf("%d visits, %v", n, err)
	}
}

func TestStrict(t *testing.T) {
	file := write(t, "x.csv", []byte("id,code\n1,x\n1,y,z\n2,y\n"))
	n, p, err := read(t, Options{Reading: record.Reading{Format: "long", SkipMalformed: 0.5}}, file)
	if n != 2 || err != nil || p.Skipped != 1 {
		t.Errorf("%d records, %d skipped, %v", n, p.Skipped, err)
	}
	var pe *record.ParseError
	if _, _, err := read(t, Options{Reading: record.Reading{Format: "long"}}, file); !errors.As(err, &pe) || !strings.Contains(err.Error(), "1 of 3 rows would be left out") {
		t.Errorf("a third is lost: %v", err)
	}
	if _, _, err := read(t, Options{Reading: record.Reading{Format: "long", Strict: true}}, file); !errors.As(err, &pe) || pe.Line != 3 {
		t.Errorf("strict: %v", err)
	}
}

func TestEveryFormatIsDescribed(t *testing.T) {
	for _, w := range Formats() {
		if formats()[w].about == "" {
			t.Errorf("%s has no description", w)
		}
	}
}

// TestCodesAmongMeasurements: a column of codes beside measurements is no measurement, though
// its values are numbers.
func TestCodesAmongMeasurements(t *testing.T) {
	var b strings.Builder
	b.WriteString("weight,pressure,height,x\n")
	for i := range 120 {
		fmt.Fprintf(&b, "%.1f,%.1f,%.1f,250.%d%d\n", 60+float64(i*37%100)/10, 100+float64(i*53%400)/10, 150+float64(i*71%350)/10, i%10, i/10%4)
	}
	s, err := Open(context.Background(), []string{write(t, "x.csv", []byte(b.String()))}, Options{}, new(record.Problems))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Schema().Side, " "); got != "x" || s.Schema().Kind != record.Real {
		t.Errorf("beside the features: %q, of kind %v, want x beside measurements", got, s.Schema().Kind)
	}
}
