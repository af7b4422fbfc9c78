package fhir

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// read gives all records as "id|side|codes".
func read(t testing.TB, o Options, p *record.Problems, inputs ...source.Input) (rows []string, s *record.Schema, err error) {
	t.Helper()
	src, err := New(inputs, o, p)
	if err != nil {
		return nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var side, codes []string
			for _, column := range b.Side {
				side = append(side, column[i])
			}
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				codes = append(codes, s.Dict.Name(b.Feature[e]))
			}
			rows = append(rows, b.IDs[i]+"|"+strings.Join(side, ",")+"|"+strings.Join(codes, " "))
		}
		return nil
	})
	return rows, s, err
}

func text(lines ...string) source.Input {
	return source.Bytes("t.ndjson", []byte(strings.Join(lines, "\n")))
}

// cond is a Condition with codings "system code display".
func cond(patient, stay, status string, codings ...string) string {
	var list []string
	for _, c := range codings {
		f := strings.SplitN(c, " ", 3)
		list = append(list, fmt.Sprintf(`{"system":"%s","version":"x","code":"%s","display":"%s"}`, f[0], f[1], f[2]))
	}
	return fmt.Sprintf(`{"resourceType":"Condition","id":"c","meta":{"profile":["a{b]"]},"verificationStatus":{"coding":[{"code":"%s"}]},`+
		`"code":{"coding":[%s],"text":"t"},"subject":{"reference":"Patient/%s","display":"\"]}"},"encounter":{"reference":"Encounter/%s"}}`,
		status, strings.Join(list, ","), patient, stay)
}

const (
	ten    = "http://hl7.org/fhir/sid/icd-10-cm"
	nine   = "http://hl7.org/fhir/sid/icd-9-cm"
	sct    = "http://snomed.info/sct"
	local  = "http://example.org/codes"
	female = `{"resourceType":"Patient","id":"p1","gender":"female","birthDate":"1950-02-03"}`
)

func TestRecords(t *testing.T) {
	lines := []string{
		cond("p1", "e1", "confirmed", sct+" 84114007 Heart failure", ten+" I50.9 Heart failure, unspecified"),
		"",
		cond("p2", "e2", "confirmed", nine+" 428.0 CHF"),
		cond("p1", "e3", "confirmed", sct+" 49436004 Atrial fibrillation"),
		cond("p1", "e1", "entered-in-error", ten+" I10 Hypertension"),
		cond("p3", "e4", "refuted", ten+" I10 Hypertension"),
		cond("p2", "e2", "provisional", local+" X1 Local", local+" X2 Local"),
		cond("p1", "e3", "", ten+" I50.9 Heart failure, unspecified"),
		`{"resourceType":"Encounter","id":"e1"}`,
	}
	cases := []struct {
		name string
		o    Options
		more string
		want []string
	}{
		{"patients", Options{}, "", []string{"p1||10:I50.9 49436004", "p2||9:428.0 X1", "p3||"}},
		{"stays", Options{Unit: Stay}, "", []string{"e1||10:I50.9", "e2||9:428.0 X1", "e3||10:I50.9 49436004", "e4||"}},
		{"side columns", Options{}, female, []string{"p1|female,1950-02-03|10:I50.9 49436004", "p2|,|9:428.0 X1", "p3|,|"}},
		{"side columns of stays", Options{Unit: Stay}, female, []string{"e1|female,1950-02-03|10:I50.9", "e2|,|9:428.0 X1", "e3|female,1950-02-03|10:I50.9 49436004", "e4|,|"}},
		{"snomed alone", Options{System: "snomed"}, "", []string{"p1||84114007 49436004", "p2||", "p3||"}},
		{"icd-9 alone", Options{System: "icd-9"}, "", []string{"p1||", "p2||9:428.0", "p3||"}},
		{"local alone", Options{System: local}, "", []string{"p1||", "p2||X1", "p3||"}},
		{"patient without conditions", Options{}, strings.ReplaceAll(female, "p1", "p9"), []string{"p1|,|10:I50.9 49436004", "p2|,|9:428.0 X1", "p3|,|", "p9|female,1950-02-03|"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &record.Problems{Strict: true}
			rows, s, err := read(t, c.o, p, text(append(lines, c.more)...))
			if err != nil {
				t.Fatal(err)
			}
			// Codes are numbered by first appearance; compare them as sets.
			if !reflect.DeepEqual(sorted(rows), sorted(c.want)) {
				t.Errorf("records %q, want %q", rows, c.want)
			}
			if s.Format != "fhir" || s.Kind != record.Presence || len(p.Notes) == 0 {
				t.Errorf("schema %+v, notes %q", s, p.Notes)
			}
			if p.Repairs["conditions entered in error or refuted, left out"] != 2 {
				t.Errorf("repairs %v", p.Repairs)
			}
		})
	}
}

// sorted orders the codes inside each row.
func sorted(rows []string) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		at := strings.LastIndexByte(row, '|')
		codes := strings.Fields(row[at+1:])
		for a := range codes {
			for b := range a {
				if codes[b] > codes[a] {
					codes[a], codes[b] = codes[b], codes[a]
				}
			}
		}
		out[i] = row[:at+1] + strings.Join(codes, " ")
	}
	return out
}

func TestTitles(t *testing.T) {
	p := &record.Problems{}
	_, s, err := read(t, Options{}, p, text(cond("p", "e", "", ten+` E11.9 Type 2 \"diabetes\" \u00e9`), cond("p", "e", "", ten+" E11.9 Another")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Titles, s.System), `map[10:E11.9:Type 2 "diabetes" é]10:`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestEditions(t *testing.T) {
	old := `{"resourceType":"Condition","verificationStatus":"refuted","patient":{"reference":"p7"},"code":{"coding":[{"code":"1"}]}}`
	absolute := `{"resourceType":"Condition","subject":{"reference":"https://host/fhir/Patient/p8/_history/2"},"code":{"coding":[{"system":"urn:oid:2.16.840.1.113883.6.103","code":"42"}]}}`
	urn := `{"code":{"coding":[{"system":"urn:oid:2.16.840.1.113883.6.90","code":" I10 "}]},"subject":{"reference":"urn:uuid:p9"},"resourceType":"Condition"}`
	rows, _, err := read(t, Options{}, &record.Problems{Strict: true}, text(old, absolute, urn))
	if want := []string{"p7||", "p8||9:42", "p9||10:I10"}; err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("%q, want %q (%v)", rows, want, err)
	}
}

func TestMalformed(t *testing.T) {
	good := cond("p1", "e1", "", sct+" 1 One")
	for name, line := range map[string]string{
		"cut off":          good[:len(good)-20],
		"cut in a string":  good[:60],
		"not JSON":         "id,code",
		"array":            `[1,2]`,
		"no type":          `{"id":"x"}`,
		"no subject":       `{"resourceType":"Condition","code":{"coding":[{"code":"1"}]}}`,
		"two on a line":    good + good,
		"patient no id":    `{"resourceType":"Patient"}`,
		"unclosed":         `{"resourceType":"Condition","a":[1,{"b":2}`,
		"missing colon":    `{"resourceType" "Condition"}`,
		"bad escape":       strings.Replace(good, "One", `\q`, 1),
		"deeply nested":    `{"a":` + strings.Repeat("[", 100000),
		"comma at the end": `{"resourceType":"Condition",}`,
	} {
		p := &record.Problems{}
		rows, _, err := read(t, Options{}, p, text(good, line))
		if err != nil || len(rows) != 1 || p.Skipped != 1 || p.First[0].Line != 2 {
			t.Errorf("%s: %q, %d skipped %v (%v)", name, rows, p.Skipped, p.First, err)
		}
		if _, _, err := read(t, Options{}, &record.Problems{Strict: true}, text(good, line)); err == nil {
			t.Errorf("%s: accepted under strict", name)
		}
		if _, _, err := read(t, Options{}, &record.Problems{}, text(line)); err == nil || !source.Unreadable(err) {
			t.Errorf("%s alone: error %v is not one of unreadable data", name, err)
		}
	}
	if _, _, err := read(t, Options{Limit: 1}, &record.Problems{}, text(good, good)); err == nil || !source.Unreadable(err) {
		t.Errorf("beyond the limit: %v", err)
	}
}

// many makes n conditions of n/8 patients.
func many(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(cond(fmt.Sprint("p", i*7919%(n/8+1)), fmt.Sprint("e", i), "confirmed", sct+fmt.Sprintf(" %d Name", i*31%500)))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func TestWorkers(t *testing.T) {
	data := many(10000)
	var want []string
	for _, workers := range []int{1, 2, 8} {
		rows, _, err := read(t, Options{Workers: workers}, &record.Problems{Strict: true}, source.Bytes("m.ndjson", data))
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = rows
		}
		if !reflect.DeepEqual(rows, want) {
			t.Errorf("%d workers: records differ", workers)
		}
	}
}

func TestSynthea(t *testing.T) {
	root := os.Getenv("MOIETY_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
		}
		root = filepath.Join(dir, "..", "shared", "data")
	}
	inputs, err := source.Expand([]string{filepath.Join(root, "fhir-synthea-10", "*.ndjson.gz")})
	if err != nil {
		t.Skip("data set fhir-synthea-10 is not here")
	}
	p := &record.Problems{Strict: true}
	rows, s, err := read(t, Options{}, p, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	for _, row := range rows {
		codes += len(strings.Fields(row[strings.LastIndexByte(row, '|')+1:]))
		if !strings.Contains(row, "|male,") && !strings.Contains(row, "|female,") {
			t.Errorf("no gender in %q", row)
		}
	}
	all := codes
	for _, n := range p.Repairs {
		all += n
	}
	if len(rows) != 13 || all != 555 || len(s.Titles) != s.Dict.Len() || s.Titles["91302008"] != "Sepsis (disorder)" {
		t.Errorf("%d patients, %d codes of %d conditions, %d features, %d titles; want 13 patients, 555 conditions", len(rows), codes, all, s.Dict.Len(), len(s.Titles))
	}
	if want := []string{"1215 resources of type Encounter were not used"}; !reflect.DeepEqual(record.Texts(p.Notes), want) {
		t.Errorf("notes %q, want %q", p.Notes, want)
	}
}

func FuzzFHIR(f *testing.F) {
	f.Add([]byte(cond("p1", "e1", "refuted", ten+" I10 x") + "\n" + female))
	f.Add([]byte(`{"resourceType":"Condition","subject":{"reference":"\u0041\\"},"code":{"coding":[{"code":"1"},null,7,[]]}}`))
	f.Add([]byte(`{"a":[1,2,{"b":"}"}],"c":nul`))
	f.Add([]byte("{}\n[]\n\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []string
		for _, workers := range []int{1, 3} {
			rows, _, err := read(t, Options{Workers: workers}, &record.Problems{}, source.Bytes("f.ndjson", data))
			if err != nil {
				return
			}
			if want != nil && !reflect.DeepEqual(rows, want) {
				t.Fatalf("%d workers: other records", workers)
			}
			want = rows
		}
	})
}

func BenchmarkConditions(b *testing.B) {
	data := many(40000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		src, err := New([]source.Input{source.Bytes("m.ndjson", data)}, Options{Workers: 1}, &record.Problems{})
		if err != nil {
			b.Fatal(err)
		}
		if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
