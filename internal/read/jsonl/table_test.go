package jsonl

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// textOf reads all of an input.
func textOf(in source.Input) (string, error) {
	r, err := in.Text(context.Background(), nil)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

// values of JSON that parsers trip over, in the shapes of JSONTestSuite: each as
// the field of an object and as an element of a list.
var values = []struct {
	json, cell string
	valid      bool
}{
	{`1`, "1", true},
	{`-0`, "-0", true},
	{`-0.0e-1`, "-0.0e-1", true},
	{`1E+2`, "1E+2", true},
	{`123456789012345678901234567890`, "123456789012345678901234567890", true},
	{`"a\u0041\n\"\\"`, "aA\n\"\\", true},
	{`"\uD834\uDD1E"`, "𝄞", true},
	{`"\ud800"`, "\uFFFD", true},
	{`""`, "", true},
	{`true`, "true", true},
	{`null`, "", true},
	{`" , ] } : "`, " , ] } : ", true},
	{"01", "", false},
	{"1.", "", false},
	{".5", "", false},
	{"+1", "", false},
	{"'a'", "", false},
	{`"\x41"`, "", false},
	{`"a` + "\t" + `b"`, "", false},
	{"tru", "", false},
	{"[1", "", false},
	{`{"b":1,}`, "", false},
	{`{b:1}`, "", false},
	{`{"b" 1}`, "", false},
}

func TestValues(t *testing.T) {
	ctx := context.Background()
	for _, v := range values {
		object := `{"first":1, "v" : ` + v.json + ` , "last":2}`
		p := new(record.Problems)
		tables, _, err := Table(ctx, []source.Input{source.Bytes("t", []byte(`{"first":0,"v":"x","last":0}`+"\n"+object+"\n"))}, "", p)
		if err != nil {
			t.Errorf("%s: %v", v.json, err)
			continue
		}
		got, err := textOf(tables[0])
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := [][]string{{"first", "v", "last"}, {"0", "x", "0"}, {"1", v.cell, "2"}}
		if !v.valid {
			want = want[:2]
		}
		if fmt.Sprint(rows) != fmt.Sprint(want) || p.Skipped != 3-len(want) {
			t.Errorf("%s: rows %q, %d malformed, want %q", v.json, rows, p.Skipped, want)
		}
		lines, err := Lines(ctx, source.Bytes("t", []byte("["+object+",\n"+object+"]")))
		if err != nil {
			t.Fatal(err)
		}
		if got, err = textOf(lines); (err == nil) != v.valid || v.valid && strings.Count(got, "\n") != 2 {
			t.Errorf("%s in a list: %q (%v)", v.json, got, err)
		}
		if err != nil && !source.Unreadable(err) {
			t.Errorf("%s: %v is not an error of the data", v.json, err)
		}
	}
}

func TestIsWhole(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"a":1}]`: true, "  [\n {": true, `[]`: true, "[1,2]": false, "[draft] a text\n": false,
		"{\"a\":1}\n{\"a\":2}\n": false, "{\n\"a\":1\n}": true, "{not json\nat all}": false, `{"a":1}`: false,
		`{"resourceType" : "Bundle","entry":[`: true, "a,b\n1,2\n": false, "": false,
	} {
		if got := IsWhole([]byte(text), true); got != want {
			t.Errorf("IsWhole(%q) = %v", text, got)
		}
	}
}

// FuzzDocuments: no document makes the readers fail other than by an error of
// the data; a valid list gives as many lines as it has elements.
func FuzzDocuments(f *testing.F) {
	for _, v := range values {
		f.Add([]byte(`[{"a":` + v.json + `},{"b":{"c":[` + v.json + `]}}]`))
	}
	f.Add([]byte(`{"resourceType":"Bundle","entry":[{"resource":{"a":1}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := context.Background()
		lines, err := Lines(ctx, source.Bytes("t", data))
		if err != nil {
			t.Fatal(err)
		}
		got, err := textOf(lines)
		if err != nil && !source.Unreadable(err) {
			t.Errorf("%v is not an error of the data", err)
		}
		var list []json.RawMessage
		if clean := !bytes.ContainsAny(data, "\x1a"); clean && err == nil && json.Unmarshal(data, &list) == nil && strings.Count(got, "\n") != len(list) {
			t.Errorf("%d lines of %d elements", strings.Count(got, "\n"), len(list))
		}
		tables, _, err := Table(ctx, []source.Input{source.Bytes("t", data)}, "", new(record.Problems))
		if err == nil {
			if _, err = textOf(tables[0]); err != nil {
				t.Error(err)
			}
		}
	})
}
