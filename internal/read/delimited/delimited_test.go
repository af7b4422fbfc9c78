package delimited

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// all reads a source and writes its records as lines: id, features with
// values that are not 1, sides after a bar; steps in brackets.
func all(t testing.TB, s *Source) ([]string, error) {
	t.Helper()
	var out []string
	err := s.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			out = append(out, render(b, s.Schema(), i, len(out)+1))
		}
		return nil
	})
	return out, err
}

func render(b *record.Batch, sc *record.Schema, i, number int) string {
	var w strings.Builder
	if b.IDs != nil {
		w.WriteString(b.IDs[i])
	} else {
		fmt.Fprintf(&w, "#%d", number)
	}
	w.WriteString(":")
	entries := func(lo, hi int) {
		for e := lo; e < hi; e++ {
			w.WriteString(" " + sc.Dict.Name(b.Feature[e]))
			if b.Value != nil && b.Value[e] != 1 {
				fmt.Fprintf(&w, "*%v", b.Value[e])
			}
		}
	}
	switch {
	case b.Text != nil:
		w.WriteString(" " + b.Text[i])
	case b.Steps != nil:
		for st := b.Steps[i]; st < b.Steps[i+1]; st++ {
			w.WriteString(" [")
			entries(b.Ptr[st], b.Ptr[st+1])
			w.WriteString(" ]")
		}
	default:
		entries(b.Ptr[i], b.Ptr[i+1])
	}
	if b.Side != nil {
		w.WriteString(" |")
		for _, c := range b.Side {
			w.WriteString(" " + c[i])
		}
	}
	return w.String()
}

func open(t testing.TB, o Options, texts ...string) (*Source, *record.Problems, error) {
	t.Helper()
	p := new(record.Problems)
	var inputs []source.Input
	for i, text := range texts {
		inputs = append(inputs, source.Bytes(fmt.Sprintf("t%d.csv", i), []byte(text)))
	}
	s, err := New(context.Background(), inputs, o, p)
	return s, p, err
}

func TestShapes(t *testing.T) {
	cases := []struct {
		name string
		o    Options
		text string
		kind record.Kind
		want string
	}{
		{
			"long",
			Options{Shape: Long},
			"patient,code\nP1,4280\nP1,25000\nP2,4019\n", record.Presence,
			"P1: 4280 25000\nP2: 4019",
		},
		{
			"long with date",
			Options{Shape: Long},
			"patient_id,date,code\nP1,2008-01-02,4280\nP2,2008-01-01,4019\n", record.Presence,
			"P1: 4280 | 2008-01-02\nP2: 4019 | 2008-01-01",
		},
		{
			"ids come again",
			Options{Shape: Long},
			"id,code\na,x\nb,x\na,y\nc,z\nb,y\n", record.Presence,
			"a: x y\nb: x y\nc: z",
		},
		{
			"counts",
			Options{Shape: Long},
			"id,word,count\n1,a,3\n1,b,1\n2,a,0\n", record.Counts,
			"1: a*3 b\n2:",
		},
		{"no header", Options{Shape: Long}, "P1,428\nP1,250\nP2,428\n", record.Presence, "P1: 428 250\nP2: 428"},
		{"tab", Options{Shape: Long}, "id\tcode\n1\tx y\n1\tz\n", record.Presence, "1: x y z"},
		{"semicolon", Options{Shape: Long}, "id;code\n1;x\n1;z\n", record.Presence, "1: x z"},
		{"bar", Options{Shape: Long}, "id|code\n1|x\n1|z\n", record.Presence, "1: x z"},
		{"blanks", Options{Shape: Long}, "id   code\n 1  x\n1 z  \n", record.Presence, "1: x z"},
		{"returns", Options{Shape: Long}, "id,code\r\n1,x\r\n1,z\r\n", record.Presence, "1: x z"},
		{"no last line end", Options{Shape: Long}, "id,code\n1,x\n1,z", record.Presence, "1: x z"},
		{"blank lines", Options{Shape: Long}, "\nid,code\n\n1,x\n\n\n1,z\n\n", record.Presence, "1: x z"},
		{
			"quotes",
			Options{Shape: Long},
			"\"id\",\"code\"\n\"1\",\"x, \"\"y\"\"\"\n1,\"two\nlines\"\n", record.Presence,
			"1: x, \"y\" two\nlines",
		},
		{"named", Options{Shape: Long, ID: "b", Code: "A"}, "a,b\nx,1\ny,1\n", record.Presence, "1: x y"},
		{
			"stays",
			Options{Shape: Long, Unit: "stay"},
			"patient,stay_id,code\n1,11,x\n1,12,y\n1,11,z\n", record.Presence,
			"11: x z | 1\n12: y | 1",
		},
		{"rows", Options{Shape: Long, Unit: "row"}, "patient,code\n1,x\n1,y\n", record.Presence, "1: x\n1: y"},
		{
			"version",
			Options{Shape: Long},
			"subject_id,hadm_id,seq_num,icd_code,icd_version\n1,11,1,4280,9\n1,12,1,I50,10\n", record.Presence,
			"1: 9:4280 10:I50 | 11 1",
		},
		{"without code", Options{Shape: Long}, "id,code\n1,x\n2,\n3,y\n", record.Presence, "1: x\n2:\n3: y"},
		{
			"list",
			Options{Shape: List},
			"id,dx1,dx2,dx3,age\na,x,y,,30\nb,y,,z,\n", record.Presence,
			"a: x y | 30\nb: y z |",
		},
		{
			"list of patients",
			Options{Shape: List, Group: true},
			"claim_id,patient_id,dx1,dx2\n1,p,x,y\n2,q,x,\n3,p,z,x\n", record.Presence,
			"p: x y z x | 1\nq: x | 2",
		},
		{
			"binary",
			Options{Shape: Binary},
			"id,a,b,c\nr1,1,0,NA\nr2,0,1,1\n", record.Presence,
			"r1: a c*NaN\nr2: b c",
		},
		{
			"votes",
			Options{Shape: Binary},
			"republican,n,y,?\ndemocrat,y,y,n\nrepublican,n,n,n\nrepublican,n,n,n\n", record.Presence,
			"#1: column3 column4*NaN | republican\n#2: column2 column3 | democrat\n#3: | republican\n#4: | republican",
		},
		{"counts table", Options{Shape: Counts}, "id,a,b\nx,0,2\ny,1,0\n", record.Counts, "x: b*2\ny: a"},
		{"real", Options{Shape: Real}, "id,a,b\nx,1.5,0\ny,?,-2e3\n", record.Mixed, "x: a*1.5 b*0\ny: a*NaN b*-2000"},
		{"decimal comma", Options{Shape: Real}, "id;a;b\nx;1,5;0\ny;NA;2\n", record.Mixed, "x: a*1.5 b*0\ny: a*NaN b*2"},
		{
			"categorical",
			Options{Shape: Categorical},
			"id,a,b\nx,red,1\ny,blue,2\nz,red,?\n", record.Categorical,
			"x: a=red b=1\ny: a=blue b=2\nz: a=red",
		},
		{
			"mixed",
			Options{Shape: Mixed},
			"id,sex,age,visits,flag\np,m,30.5,0,1\nq,f,41,2,0\nr,m,?,0,1\n", record.Mixed,
			"p: sex=m age*30.5 flag\nq: sex=f age*41 visits*2\nr: sex=m age*NaN flag",
		},
		{
			"text",
			Options{Shape: Text, Text: "body"},
			"id,body,year\nx,\"to be, or\nnot\",1600\ny,that is,1601\n", record.Text,
			"x: to be, or\nnot | 1600\ny: that is | 1601",
		},
		{
			"sequence",
			Options{Shape: Sequences},
			"id,time,state\na,2,y\na,1,x\nb,1,y\n", record.Categorical,
			"a: [ x ] [ y ] | 2 1 2\nb: [ y ] | 1 1",
		},
		{
			"sequence of visits",
			Options{Shape: Sequences},
			"id,date,code\na,2008-02-01,y\na,2008-01-01,x\na,2008-01-01,z\n", record.Presence,
			"a: [ x z ] [ y ] | 2008-02-01 2008-01-01 2008-02-01",
		},
		{
			"sequence of numbers",
			Options{Shape: Sequences},
			"id,time,u,v\na,2,1.5,2\na,1,0.5,NA\nb,1,3,4\n", record.Real,
			"a: [ u*0.5 v*NaN ] [ u*1.5 v*2 ] | 2 1 2\nb: [ u*3 v*4 ] | 1 1",
		},
		{
			"states",
			Options{Shape: Sequences},
			"id,sex,t1,t2,t3\na,m,x,y,x\nb,f,,y,\nc,f,x,,y\n", record.Categorical,
			"a: [ x ] [ y ] [ x ] | m\nb: [ y ] | f\nc: [ x ] [ ] [ y ] | f",
		},
		{"digits", Options{Shape: Digits}, "0120\n1?02\n", record.Counts, "#1: 2 3*2\n#2: 1 2*NaN 4*2"},
		{"names twice", Options{Shape: Binary}, "a,a\n1,0\n0,1\n1,1\n", record.Presence, "#1: a\n#2: a.2\n#3: a a.2"},
		{"one line", Options{Shape: Binary, Header: NoHeader}, "1,0,1\n", record.Presence, "#1: column1 column3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 2, 8} {
				for _, chunk := range []int{0, 7} {
					c.o.Workers, c.o.ChunkSize = workers, chunk
					s, _, err := open(t, c.o, c.text)
					if err != nil {
						t.Fatal(err)
					}
					got, err := all(t, s)
					if err != nil {
						t.Fatal(err)
					}
					if g := strings.ReplaceAll(strings.Join(got, "\n"), " \n", "\n"); strings.TrimRight(g, " ") != c.want {
						t.Fatalf("%d workers, chunks of %d:\n%s\nwant\n%s", workers, chunk, g, c.want)
					}
					if k := s.Schema().Kind; k != c.kind {
						t.Errorf("kind %v, want %v", k, c.kind)
					}
				}
			}
		})
	}
}

func TestMalformed(t *testing.T) {
	cases := []struct {
		name         string
		o            Options
		text         string
		line, column int
		msg          string
		want         string
	}{
		{"ragged", Options{Shape: Long}, "id,code\n1,x\n2,y,z\n3\n4,w\n", 3, 0, "3 fields where the table has 2", "1: x\n3:\n4: w"},
		{"empty id", Options{Shape: Long}, "id,code\n1,x\n,y\n", 3, 1, "the id is empty", "1: x"},
		{"bad count", Options{Shape: Long}, "id,code,count\n1,x,2\n1,y,two\n1,z,1\n", 3, 5, "not a whole number", "1: x*2 z"},
		{"bad binary", Options{Shape: Binary, Columns: []string{"a", "b"}}, "a,b\n1,0\n1,7\n0,1\n", 3, 3, "not 0 or 1", "#1: a\n#2: b"},
		{"bad number", Options{Shape: Real}, "a,b\n1,0\n1,x1\n0,1\n" + strings.Repeat("2,3\n", 20), 3, 3, "not a number", ""},
		{"bad time", Options{Shape: Sequences}, "id,time,state\na,1,x\na,3/4/2008,y\n", 3, 3, "the time is not", "a: [ x ] | 1 1"},
		{"open quote", Options{Shape: Long}, "id,code\n1,x\n2,\"y\n3,z\n", 3, 3, "quote", "1: x\n3: z"},
		{"bad digit", Options{Shape: Digits}, "012\n0a2\n01\n111\n", 2, 0, "not a digit", "#1: 2 3*2\n#2: 1 2 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, p, err := open(t, c.o, c.text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := all(t, s)
			if err != nil {
				t.Fatal(err)
			}
			if c.want != "" && strings.Join(got, "\n") != c.want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
			if len(p.First) == 0 {
				t.Fatal("nothing was reported")
			}
			e := p.First[0]
			if e.Line != c.line || e.Column != c.column || !strings.Contains(e.Msg, c.msg) || e.File != "t0.csv" {
				t.Errorf("reported %v at %d:%d", e, e.Line, e.Column)
			}
			strict, sp, err := open(t, c.o, c.text)
			if err != nil {
				t.Fatal(err)
			}
			sp.Strict = true
			var pe *record.ParseError
			if _, err := all(t, strict); !errors.As(err, &pe) || pe.Line != c.line {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

func TestManyMalformedAreCounted(t *testing.T) {
	text := "id,code\n" + strings.Repeat("1,x\n", 600) + strings.Repeat("2,y,z\n", 500)
	for _, chunk := range []int{0, 64} {
		s, p, err := open(t, Options{Shape: Long, ChunkSize: chunk}, text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all(t, s); err != nil {
			t.Fatal(err)
		}
		if p.Skipped != 500 || len(p.First) != 20 {
			t.Errorf("%d skipped, %d kept", p.Skipped, len(p.First))
		}
		if _, err := all(t, s); err != nil || p.Skipped != 500 {
			t.Errorf("second reading: %d skipped, %v", p.Skipped, err)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": "\n\n  \n", "header only": "id,code\n", "nul": "id,code\n1,\x00\n",
		"no valid line": "id,code\n,x\n,y\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, _, err := open(t, Options{Shape: Long, Header: WithHeader}, text)
			if err == nil {
				_, err = all(t, s)
			}
			if err == nil || !source.Unreadable(err) {
				t.Errorf("got %v, want an error of unreadable data", err)
			}
		})
	}
}

func TestWrongColumns(t *testing.T) {
	for name, o := range map[string]Options{
		"id": {Shape: Long, ID: "nope"}, "code": {Shape: Long, Code: "nope"}, "pattern": {Shape: List, Code: "nope*"},
		"twice": {Shape: Long, ID: "code", Code: "code"}, "label": {Shape: Binary, Label: []string{"nope"}},
		"shape": {Shape: "round"}, "decimal": {Shape: Real, Decimal: 'x'},
	} {
		if _, _, err := open(t, o, "id,code\n1,x\n2,y\n"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSeveralFiles(t *testing.T) {
	s, _, err := open(t, Options{Shape: Long}, "id,code\n1,x\n2,y\n", "code,id\nz,1\n", "3,w\n1,v\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := all(t, s)
	if want := "1: x z v\n2: y\n3: w"; err != nil || strings.Join(got, "\n") != want {
		t.Errorf("got %v, %v", got, err)
	}
	s, _, err = open(t, Options{Shape: Long}, "id,code\n1,x\n2,y\n", "id,kode\n1,z\n")
	if err != nil {
		t.Fatal(err)
	}
	var pe *record.ParseError
	if _, err := all(t, s); !errors.As(err, &pe) || pe.File != "t1.csv" {
		t.Errorf("other columns: %v", err)
	}
}

// longTable makes rows of patients with codes; sorted, or with ids that come
// again.
func longTable(patients, rows int, sorted bool) string {
	var b strings.Builder
	b.WriteString("patient,code,date\n")
	x := uint32(1)
	for i := range rows {
		x = x*1664525 + 1013904223
		id := i * patients / rows
		if !sorted {
			id = int(x>>8) % patients
		}
		fmt.Fprintf(&b, "P%06d,%d,2008-%02d-%02d\n", id, 100+x>>20%900, 1+x>>12%12, 1+x>>5%28)
	}
	return b.String()
}

// TestLimitedMemory compares the three ways of grouping: in memory, as they
// come, and with temporary files.
func TestLimitedMemory(t *testing.T) {
	for _, sorted := range []bool{true, false} {
		text := longTable(500, 30000, sorted)
		s, _, err := open(t, Options{Shape: Long}, text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all(t, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 8} {
			for _, once := range []bool{false, true} {
				dir := t.TempDir()
				o := Options{Shape: Long, MaxMemory: 80 << 10, TempDir: dir, ChunkSize: 10000, Workers: workers}
				in := source.Bytes("x", []byte(text))
				if once {
					in = source.Reader("x", strings.NewReader(text))
				}
				s, err := New(context.Background(), []source.Input{in}, o, new(record.Problems))
				if err != nil {
					t.Fatal(err)
				}
				got, err := all(t, s)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Join(got, "\n") != strings.Join(want, "\n") {
					t.Errorf("sorted %v, once %v: %d records differ from the %d in memory", sorted, once, len(got), len(want))
				}
				if left, _ := os.ReadDir(dir); len(left) > 0 {
					t.Errorf("%d temporary files are left", len(left))
				}
			}
		}
	}
}

func TestTooManyIDs(t *testing.T) {
	text := longTable(30000, 30000, false)
	s, err := New(context.Background(), []source.Input{source.Reader("x", strings.NewReader(text))},
		Options{Shape: Long, MaxMemory: 200 << 10, TempDir: t.TempDir()}, new(record.Problems))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all(t, s); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

func TestCancelRemovesFiles(t *testing.T) {
	dir := t.TempDir()
	o := Options{Shape: Long, MaxMemory: 80 << 10, TempDir: dir, ChunkSize: 10000}
	text := longTable(500, 30000, false)
	s, err := New(context.Background(), []source.Input{source.Bytes("x", []byte(text))}, o, new(record.Problems))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = s.Read(ctx, func(*record.Batch) error { cancel(); return ctx.Err() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d temporary files are left", len(left))
	}
}

func TestNumberTwin(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "1": 1, "-2.5": -2.5, "0.1": 0.1, "123456789012345": 123456789012345, "1e3": 1000, "-1E-2": -0.01,
		"3.14159265358979": 3.14159265358979, ".5": 0.5, "5.": 5, "+4": 4, "12345678901234567890": 12345678901234567890,
	} {
		if got, ok := number([]byte(text), '.'); !ok || got != want {
			t.Errorf("%s: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "-", ".", "x", "1x", "0x10", "1_000", "Inf", "nan", "1,5", "1e999", "--1"} {
		if got, ok := number([]byte(text), '.'); ok {
			t.Errorf("%q: got %v", text, got)
		}
	}
	if got, ok := number([]byte("1,5"), ','); !ok || got != 1.5 || math.IsNaN(got) {
		t.Errorf("decimal comma: %v %v", got, ok)
	}
}

func BenchmarkLongCSV(b *testing.B) {
	text := []byte(longTable(420000, 4200000, true))
	for _, workers := range []int{1, 0} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := New(context.Background(), []source.Input{source.Bytes("x", text)}, Options{Shape: Long, Workers: workers}, new(record.Problems))
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A column that names the groups is beside the features, whatever its people call it: a
// group that is found by its label says nothing. A column of words with another name is a
// feature like the others.
func TestLabelsByName(t *testing.T) {
	for name, label := range map[string]bool{
		"Species": true, "diagnosis": true, "cell_type": true, "Survived": true, "true label": true, "Klasse": true,
		"population": true, "disease_status": true, "Diagnóstico": true, "subtype": true,
		"smoker": false, "island": false, "popular": false, "prototype": false, "classroom": false,
	} {
		var b strings.Builder
		b.WriteString("id,a,b,c,d," + name + "\n")
		for i := range 60 {
			fmt.Fprintf(&b, "%d,%d.5,%d.25,%d.75,%d.5,%s\n", i, i%7, i*i%11, i%13, i%5, []string{"red", "blue"}[i%2])
		}
		s, _, err := open(t, Options{Shape: Mixed}, b.String())
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(s.Schema().Side, name); got != label {
			t.Errorf("%q beside the features: %v, want %v", name, got, label)
		}
	}
}

// Columns that speak of patients close the counts, whether their codes are known or not.
func TestTablesOfPatients(t *testing.T) {
	for header, want := range map[string]bool{
		"patient_id,event": true, "MRN,item": true, "pid,icd9": true, "id,dx_code": true, "NHC,codigo": true,
		"user,item": false, "id,word": false, "customer_id,product": false, "session,tag": false,
	} {
		s, _, err := open(t, Options{Shape: Long}, header+"\n1,ZZ9\n1,QQ1\n2,ZZ9\n3,XX7\n")
		if err != nil {
			t.Fatal(header, err)
		}
		if got := s.Schema().OfPatients; got != want {
			t.Errorf("%s of patients: %v, want %v", header, got, want)
		}
	}
	s, _, err := open(t, Options{Shape: List}, "id,Diag 1,Diag 2\n1,ZZ9,QQ1\n2,ZZ9,\n3,XX7,QQ1\n")
	if err != nil {
		t.Fatal(err)
	}
	if !s.Schema().OfPatients {
		t.Error("a wide list of diagnoses is not of patients")
	}
}

// Rows that became no records are told with their places however the text is cut: a chunk may
// hold nothing else.
func TestBlankRowsInAnyChunk(t *testing.T) {
	text := "a,b,c\n1,0,1\n" + strings.Repeat(",,\n", 40) + "0,1,1\n" + strings.Repeat(",,\n", 3) + "1,1,1\n"
	for _, chunk := range []int{16, 40, 1 << 20} {
		s, _, err := open(t, Options{Shape: Binary, ChunkSize: chunk, Workers: 2}, text)
		if err != nil {
			t.Fatal(err)
		}
		row, at := 0, []int(nil)
		err = s.Read(t.Context(), func(b *record.Batch) error {
			gaps := b.Gaps
			for i := range b.N() + 1 {
				for ; len(gaps) > 0 && gaps[0] == i; gaps = gaps[1:] {
					row++
				}
				if i < b.N() {
					row++
					at = append(at, row)
				}
			}
			return nil
		})
		if err != nil || fmt.Sprint(at) != "[1 42 46]" {
			t.Errorf("chunks of %d: the records are rows %v (%v)", chunk, at, err)
		}
	}
}
