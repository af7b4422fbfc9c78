package read

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/internal/read/source"
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
	return seen{rows, s.Schema(), strings.Join(record.Texts(p.Notes), "\n"), p.Skipped}, err
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

// parquetOf writes rows as a Parquet file: cells are texts, numbers, lists or nil.
func parquetOf(t *testing.T, name string, columns []pq.Column, rows ...[]any) source.Input {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewWriter(&b, "t", "", columns)
	for _, row := range rows {
		for i, cell := range row {
			switch v := cell.(type) {
			case nil:
				w.Null(i)
			case string:
				w.Text(i, v)
			case float64:
				w.Number(i, v)
			case int:
				w.Whole(i, int64(v))
			case []string:
				w.List(i, v)
			}
		}
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return source.Bytes(name, b.Bytes())
}

// foreignParquet is a file of another program.
func foreignParquet(t *testing.T, name string) source.Input {
	t.Helper()
	in, err := source.File(filepath.Join("..", "parquet", "testdata", name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A Parquet file has the roles that the same table has as CSV: ids, categories,
// numbers with their point, times beside.
func TestParquetRoles(t *testing.T) {
	csv := "pid,colour,price,at,age\n"
	for i := range 60 {
		at := time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)
		csv += fmt.Sprintf("p%03d,%s,%.2f,%s,%g\n", i, []string{"red", "green", "blue"}[i%3], float64(100+3*i)/100, at.Format(time.RFC3339), 20.5+float64(i%7))
	}
	want, err := open(t, Options{}, memory("t.csv", csv))
	if err != nil {
		t.Fatal(err)
	}
	if want.rows[1] != "p001|2020-01-02T00:00:00Z|colour=green price=1.03 age=21.5" {
		t.Errorf("the table is %q", want.rows[1])
	}
	for _, name := range []string{"roles-snappy", "roles-lz4"} {
		got, err := open(t, Options{}, foreignParquet(t, name))
		if err != nil || !slices.Equal(got.rows, want.rows) || got.schema.Kind != want.schema.Kind {
			t.Errorf("as Parquet %v %q, want %v %q (%v)", got.schema.Kind, got.rows[:2], want.schema.Kind, want.rows[:2], err)
		}
	}
}

func TestParquetShapes(t *testing.T) {
	expect(t, Options{}, "binary", record.Presence, []string{"p1||a", "p2||b", "p3||a b"},
		parquetOf(t, "ids.parquet", []pq.Column{pq.TextColumn("pid"), pq.WholeColumn("a"), pq.NumberColumn("b")}, []any{"p1", 1, 0.}, []any{"p2", 0, 1.}, []any{"p3", 1, 1.}))
	expect(t, Options{}, "long", record.Counts, []string{"d1||x=2 y=1", "d2||x=4"},
		parquetOf(t, "counts.parquet", []pq.Column{pq.TextColumn("doc"), pq.TextColumn("word"), pq.WholeColumn("count")}, []any{"d1", "x", 2}, []any{"d1", "y", 1}, []any{"d2", "x", 4}))
	expect(t, Options{}, "parquet", record.Presence, []string{"a|true|I10 E11", "b|false|"},
		parquetOf(t, "list.parquet", []pq.Column{pq.TextColumn("id"), pq.TextColumn("codes").Lists(), pq.TextColumn("died")},
			[]any{"a", []string{"I10", "E11"}, "true"}, []any{"b", []string(nil), "false"}))
	expect(t, Options{Reading: record.Reading{Format: "real"}}, "real", record.Real, []string{"||big=9.223372036854776e+18 dose=0.5", "||big=2 dose=1.5"},
		foreignParquet(t, "unsigned"))
	expect(t, Options{Reading: record.Reading{Format: "real", Columns: []string{"dose"}, Label: []string{"big"}}}, "real", record.Mixed, []string{"|7|dose=0.5", "|2|dose=NaN"},
		foreignParquet(t, "unsigned-inf"))
	if _, err := open(t, Options{}, parquetOf(t, "none.parquet", []pq.Column{pq.WholeColumn("big")})); err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), "0 records") {
		t.Errorf("no rows: %v", err)
	}
}

// Codes in structures and maps are rows of codes, with an id that is made where there
// is none; with several, the one that is named.
func TestParquetElements(t *testing.T) {
	for name, o := range map[string]Options{
		"structs": {}, "maps": {}, "structs-alone": {}, "two-structs": {Reading: record.Reading{Code: "dx.code"}},
	} {
		got, err := open(t, o, foreignParquet(t, name))
		if err != nil || got.schema.Format != "long" || len(got.rows) != 32 {
			t.Errorf("%s: %d records (%v)\n%s", name, len(got.rows), err, got.notes)
			continue
		}
		for i, want := range map[int]string{0: "I10", 6: "E11 I10 J44", 31: ""} {
			id, _, _ := strings.Cut(got.rows[i], "|")
			codes := strings.Fields(got.rows[i][strings.LastIndexByte(got.rows[i], '|')+1:])
			slices.Sort(codes)
			if id != fmt.Sprint(i+1) || strings.Join(codes, " ") != want {
				t.Errorf("%s: row %d is %q, want %d and %q", name, i+1, got.rows[i], i+1, want)
			}
		}
	}
	_, err := open(t, Options{}, foreignParquet(t, "two-structs"))
	if err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), "name it with ‹code›: dx.code, dx.n, drugs.code, drugs.n") {
		t.Errorf("two lists of structures: %v", err)
	}
	got, err := open(t, Options{Reading: record.Reading{Code: "labs.key"}}, foreignParquet(t, "nested-v1"))
	if err != nil || len(got.rows) != 4 || !strings.HasSuffix(got.rows[0], "|crp hb") && !strings.HasSuffix(got.rows[0], "|hb crp") || !strings.Contains(got.notes, "dx.code") {
		t.Errorf("a map by name: %q (%v)\n%s", got.rows, err, got.notes)
	}
}

// What the folders of a file say are columns of it, but not what it says itself.
func TestParquetFolders(t *testing.T) {
	dir := t.TempDir()
	var in []source.Input
	for _, year := range []string{"2019", "2020", "2021"} {
		path := filepath.Join(dir, "site=a%20b", "sex=__HIVE_DEFAULT_PARTITION__", "year="+year, "n=7", "part.parquet")
		rows := make([][]any, 40)
		for i := range rows {
			rows[i] = []any{fmt.Sprintf("p%s-%d", year, i), float64(i*7%11) + .5, i % 5}
		}
		b, err := parquetOf(t, "", []pq.Column{pq.TextColumn("pid"), pq.NumberColumn("dose"), pq.WholeColumn("n")}, rows...).Stored(1 << 20)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = os.WriteFile(path, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		file, err := source.File(path)
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, file)
	}
	o := Options{Reading: record.Reading{Format: "mixed", Label: []string{"site", "year", "sex"}}}
	got, err := open(t, o, in...)
	if err != nil || len(got.rows) != 120 || got.rows[42] != "p2020-2|a b,,2020|dose=3.5 n=2" {
		t.Errorf("folders: %d records, %q (%v)", len(got.rows), got.rows[min(42, len(got.rows)):][:min(1, len(got.rows))], err)
	}
}

// repeated makes n rows of a pattern with %d in it.
func repeated(n int, pattern, between string) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = strings.ReplaceAll(strings.ReplaceAll(pattern, "%d", fmt.Sprint(i)), "%m", fmt.Sprint(i%3))
	}
	return strings.Join(rows, between)
}

// Flat objects are the rows of a table, as lines and as a list, on one line or
// pretty-printed, also from standard input; fields that come late count.
func TestJSONTables(t *testing.T) {
	object := `{"name":"n%d","age":2%m.5,"sex":"s%m","in":{"bp":1%d.25},"list":[1,{"a":"}"}],"none":null}`
	late := `{"name":"n40","age":20.5,"sex":"s0","late":7.5}`
	pretty := strings.NewReplacer(`{`, "{\n  ", `,"`, ",\n  \"", `":`, `": `).Replace(repeated(40, object, ",\n"))
	want := []string{"n0||age=20.5 sex=s0 in.bp=10.25 none=NaN late=NaN", "n1||age=21.5 sex=s1 in.bp=11.25 none=NaN late=NaN"}
	for name, text := range map[string]string{
		"lines": repeated(40, object, "\n") + "\n" + late, "list": "[" + repeated(40, object, ",") + "," + late + "]",
		"list of lines": " [\n" + repeated(40, object, ",\n") + ",\n" + late + "\n]\n", "pretty": "[" + pretty + ",\n" + late + "]",
	} {
		in := source.Reader(name, strings.NewReader(text))
		got, err := open(t, Options{}, in)
		if err != nil || len(got.rows) != 41 || got.lost > 0 || got.schema.Kind != record.Mixed {
			t.Errorf("%s: %d records, %d lost, %v (%v)\n%s", name, len(got.rows), got.lost, got.schema, err, got.notes)
			continue
		}
		for i, w := range want {
			for _, f := range strings.Fields(w) {
				if !strings.HasSuffix(f, "=NaN") && !strings.Contains(got.rows[i]+" ", f) {
					t.Errorf("%s: record %d is %q, want %q", name, i, got.rows[i], w)
				}
			}
		}
		if !strings.Contains(got.rows[40], "late=7.5") || !strings.Contains(got.notes, "left out: list") {
			t.Errorf("%s: the last is %q\n%s", name, got.rows[40], got.notes)
		}
	}
	expect(t, Options{}, "long", record.Presence, []string{"1||a b", "2||a"},
		memory("long.jsonl", `{"patient":1,"code":"a"}`+"\n"+`{"patient":1,"code":"b"}`+"\n"+`{"patient":2,"code":"a"}`))
	expect(t, Options{Reading: record.Reading{Format: "categorical"}}, "categorical", record.Categorical, []string{"||q1=1 q2=x", "||q1=2 q2=y"},
		memory("a.json", `[{"q1":1,"q2":"x"},{"q1":2,"q2":"y"},{"q1":1,"q2":"y"},{"q1":1,"q2":"y"},{"q1":2,"q2":"x"}]`))
	for name, text := range map[string]string{
		"cut off": `[{"a":1},{"a":`, "two commas": `[{"a":1},,{"a":2}]`, "no end": `[{"a":1},{"a":2}`, "trailing": `[{"a":1},]`,
	} {
		if _, err := open(t, Options{}, memory(name, text)); err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), "JSON") {
			t.Errorf("%s: %v", name, err)
		}
	}
	texts, err := open(t, Options{}, memory("t.json", `[{"id":"a","text":"one two"},{"id":"b","text":"three"}]`))
	if err != nil || texts.schema.Kind != record.Text || !slices.Equal(texts.rows, []string{"a||one two", "b||three"}) {
		t.Errorf("a list of texts: %q (%v)", texts.rows, err)
	}
}

// FHIR comes as bundles, as resources on many lines, and as folders of them.
func TestFHIRDocuments(t *testing.T) {
	condition := func(who, code string) string {
		return `{"resourceType":"Condition","subject":{"reference":"Patient/` + who + `"},"code":{"coding":[{"system":"http://hl7.org/fhir/sid/icd-10-cm","code":"` + code + `","display":"Title of ` + code + `"}]}}`
	}
	bundle := `{"type":"collection","resourceType":"Bundle","entry":[{"fullUrl":"u","resource":{"resourceType":"Patient","id":"p1","gender":"female"}},` +
		`{"resource":` + condition("p1", "I10") + `},{"resource":` + condition("p1", "E11.9") + `},{"resource":` + condition("p2", "I10") + `},{"request":{}}],"total":4}`
	want := []string{"p1|female,|10:I10 10:E11.9", "p2|,|10:I10"}
	pretty := strings.NewReplacer(`{`, "{\n  ", `,"`, ",\n  \"", `[`, "[\n").Replace(bundle)
	for name, text := range map[string]string{"bundle": bundle, "pretty bundle": pretty} {
		got, err := open(t, Options{}, source.Reader(name, strings.NewReader(text)))
		if err != nil || !slices.Equal(got.rows, want) || got.schema.Titles["10:I10"] != "Title of I10" {
			t.Errorf("%s: %q (%v)", name, got.rows, err)
		}
	}
	one := strings.NewReplacer(`{`, "{\n  ", `,"`, ",\n  \"").Replace(condition("p1", "I10"))
	got, err := open(t, Options{}, memory("a.json", one), memory("b.json", condition("p2", "J44")), memory("c.json", pretty))
	if err != nil || len(got.rows) != 2 || got.rows[1] != "p2|,|10:I10 10:J44" {
		t.Errorf("a folder: %q (%v)", got.rows, err)
	}
}

// Files that scikit-learn writes, and what moiety writes itself.
func TestSVMlightRecognised(t *testing.T) {
	rows := []string{"|1|2=2.5 10=-5.2", "|1|5=1 12=-3", "|3|20=27"}
	body := "1 2:2.5 10:-5.2 # a remark\n1.0 5:1.0 12:-3\n\n3 20:27\n"
	for name, text := range map[string]string{
		"comment on top":   "# comment\n# note: the next line is empty\n\n" + body,
		"empty records":    body + "2\n-1.5\n",
		"several labels":   strings.Replace(body, "1 2:", "1,2 2:", 1),
		"labels in powers": strings.Replace(body, "1 2:", "1e-3 2:", 1),
		"query":            strings.Replace(body, "1 2:", "0.5 qid:7 2:", 1),
	} {
		got, err := open(t, Options{}, memory(name, text))
		if err != nil || got.schema.Format != "svmlight" || got.lost > 0 || len(got.rows) < 3 || got.rows[2] != rows[2] && name != "query" {
			t.Errorf("%s: %v %q, %d lost (%v)", name, got.schema, got.rows, got.lost, err)
		}
		if name == "empty records" && (len(got.rows) != 5 || got.rows[4] != "|-1.5|") {
			t.Errorf("%s: %q", name, got.rows)
		}
	}
	for _, text := range []string{"1\n2\n3\n", "12:30 the train left\n13:05 it came\n", "a 1:2\n"} {
		if got, err := open(t, Options{}, memory("no", text)); err == nil && got.schema.Format == "svmlight" {
			t.Errorf("%q is taken for SVMlight", text)
		}
	}
}

// A folder as sequencers write it is the matrix with its names, cells as
// records, whatever comes first in the folder.
func TestFolderOfCells(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"matrix.mtx":   "%%MatrixMarket matrix coordinate integer general\n%\n3 2 4\n1 1 5\n3 1 1\n2 2 4\n3 2 2\n",
		"barcodes.tsv": "AAAC-1\nAAAG-1\n",
		"genes.tsv":    "ENSG1\tCD3D\nENSG2\tCD8A\nENSG3\tLYZ\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := source.Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, Options{}, "mtx", record.Counts, []string{"AAAC-1||ENSG1=5 ENSG3", "AAAG-1||ENSG2=4 ENSG3=2"}, inputs...)
}

// Tables of hospitals are known by their columns and their names.
func TestHospitalTables(t *testing.T) {
	mimic := "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"SEQ_NUM\",\"ICD9_CODE\"\n3994,10114,167957,1,3893\n3995,10114,167957,2,9604\n3996,10115,167958,1,3893\n"
	got, err := open(t, Options{}, memory("PROCEDURES_ICD.csv", mimic))
	if err != nil || got.schema.System != "procedures" || !slices.Equal(got.rows, []string{"167957|10114,1,|3893 9604", "167958|10115,1,|3893"}) && len(got.rows) != 2 {
		t.Errorf("procedures: %q, system %q (%v)", got.rows, got.schema.System, err)
	}
	if got, err = open(t, Options{}, memory("DIAGNOSES_ICD.csv", mimic)); err != nil || got.schema.System != "icd9" {
		t.Errorf("diagnoses: system %q (%v)", got.schema.System, err)
	}
	if got, err = open(t, Options{Reading: record.Reading{Code: "SEQ_NUM"}}, memory("DIAGNOSES_ICD.csv", mimic)); err != nil || got.schema.Format == "mimic" || got.schema.Dict.Len() != 2 {
		t.Errorf("the column that was asked for is not read: %+v, %d names (%v)", got.schema.Format, got.schema.Dict.Len(), err)
	}
	condition := "condition_occurrence_id,person_id,condition_concept_id,condition_start_date,condition_type_concept_id,condition_source_value\n" +
		"1,7,316139,2008-01-01,32020,4280\n2,7,201826,2008-02-01,32020,25000\n3,8,316139,2009-01-01,32020,4280\n"
	drug := "drug_exposure_id,person_id,drug_concept_id,drug_exposure_start_date,quantity,drug_source_value\n1,7,19,2008-01-01,0.000,a\n2,7,20,2008-01-02,,b\n3,8,19,2008-01-03,30,a\n"
	for name, text := range map[string]string{"CONDITION_OCCURRENCE.csv": condition, "drug_exposure.csv": drug} {
		got, err := open(t, Options{}, memory(name, text))
		want := "7|316139 201826;8|316139"
		if name == "drug_exposure.csv" {
			want = "7|19 20;8|19"
		}
		var short []string
		for _, r := range got.rows {
			f := strings.Split(r, "|")
			short = append(short, f[0]+"|"+f[2])
		}
		if err != nil || got.schema.Format != "omop" || got.schema.Kind != record.Presence || got.lost > 0 || strings.Join(short, ";") != want {
			t.Errorf("%s: %v %q, %d lost (%v), want %s", name, got.schema, short, got.lost, err, want)
		}
	}
	header := "START,STOP,PATIENT,PAYER,ENCOUNTER,CODE,DESCRIPTION,BASE_COST,PAYER_COVERAGE,DISPENSES,TOTALCOST,REASONCODE,REASONDESCRIPTION\n"
	rows := "2020-01-01T00:00:00Z,,p1,x,e1,313782,Acetaminophen 325 MG Oral Tablet of a long name,1.5,0,1,1.5,,\n" +
		"2020-02-01T00:00:00Z,,p1,x,e2,310965,\"Ibuprofen 200 MG, Oral Tablet in a box\",2.5,0,3,7.5,,\n" +
		"2020-01-05T00:00:00Z,,p2,x,e3,313782,Acetaminophen 325 MG Oral Tablet of a long name,1.5,0,1,1.5,,\n"
	got, err = open(t, Options{}, memory("medications.csv", header+rows))
	if err != nil || len(got.rows) != 2 || !strings.HasPrefix(got.rows[0], "p1|") || !strings.HasSuffix(got.rows[0], "|313782 310965") ||
		got.schema.Titles["310965"] != "Ibuprofen 200 MG, Oral Tablet in a box" {
		t.Errorf("medications: %q, titles %q (%v)", got.rows, got.schema.Titles, err)
	}
	if got, err = open(t, Options{Reading: record.Reading{Unit: "stay"}}, memory("medications.csv", header+rows)); err != nil || len(got.rows) != 3 {
		t.Errorf("by stay: %q (%v)", got.rows, err)
	}
	if got, err = open(t, Options{}, memory("x.csv", "id,code,description\n1,a,one\n1,b,two\n2,a,other\n2,b,thing\n")); err != nil || got.schema.Titles != nil {
		t.Errorf("descriptions of rows become titles: %q (%v)", got.schema.Titles, err)
	}
}

// Counts of things in records, in any order of the columns.
func TestLongCounts(t *testing.T) {
	expect(t, Options{}, "long", record.Counts, []string{"C1||G1=3 G2=1", "C2||G1=2"},
		memory("umi.tsv", "gene\tcell\tcount\nG1\tC1\t3\nG1\tC2\t2\nG2\tC1\t1\n"))
	expect(t, Options{}, "long", record.Counts, []string{"d1||the=2 of=1", "d2||the=4"},
		memory("w.csv", "doc,word,n\nd1,the,2\nd1,of,1\nd2,the,4\n"))
}

// An archive of one file is that file; of several it is refused by its name.
func TestZippedTable(t *testing.T) {
	pack := func(names ...string) source.Input {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(w, "id,code\n1,a\n1,b\n2,a\n")
		}
		z.Close()
		return source.Reader("t.zip", bytes.NewReader(b.Bytes()))
	}
	expect(t, Options{}, "long", record.Presence, []string{"1||a b", "2||a"}, pack("t.csv"))
	if _, err := open(t, Options{}, pack("a.csv", "b.csv")); err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), "zip archive of 2 files") {
		t.Errorf("two files: %v", err)
	}
}
