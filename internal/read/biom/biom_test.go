package biom

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

const (
	axesText = `"rows":[{"id":"o1","metadata":{"taxonomy":["k","g"]}},{"id":"o2","metadata":null},{"id":"o1","metadata":null}],` +
		`"columns":[{"id":"a","metadata":{"site":"gut","deep":{"x":1}}},{"id":"b","metadata":null}]`
	above = `{"format":"Biological Observation Matrix 1.0.0","matrix_element_type":"int",`
)

func document(form, data string) string {
	return above + `"matrix_type":"` + form + `","shape":[3,2],"data":` + data + `,` + axesText + `}`
}

func read(text string) (out string, s record.Source, err error) {
	ctx := context.Background()
	s, err = New(ctx, source.Bytes("x.biom", []byte(text)), new(record.Problems))
	if err != nil {
		return "", nil, err
	}
	err = s.Read(ctx, func(b *record.Batch) error {
		for i := range b.N() {
			out += b.IDs[i] + "|" + b.Side[0][i] + "|"
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				out += fmt.Sprintf(" %s=%g", s.Schema().Dict.Name(b.Feature[e]), b.At(e))
			}
			out += "\n"
		}
		return nil
	})
	return out, s, err
}

// Entries before and after the names, dense and sparse and in any order, are the
// same matrix, turned: samples are the records.
func TestForms(t *testing.T) {
	want := "a|gut| o1=2 o1 (line 3)=1\nb|| o2=5\n"
	late := above + axesText + `,"data":[[0,0,2],[1,1,5],[2,0,1]],"shape":[3,2],"matrix_type":"sparse"}`
	for _, text := range []string{
		document("dense", "[[2,0],[0,5],[1,0]]"), document("sparse", "[[2,0,1],[1,1,5],[0,0,2],[0,1,0]]"), late, strings.ReplaceAll(late, ",", ",\n  "),
	} {
		got, s, err := read(text)
		if err != nil || got != want || s.Schema().Kind != record.Counts || s.Schema().Titles["o1"] != "k; g" {
			t.Errorf("%v, %v, titles %v\n%s\nwant\n%s", err, s.Schema().Kind, s.Schema().Titles, got, want)
		}
		if !Is([]byte(text)) {
			t.Errorf("not recognised: %s", text)
		}
	}
	if _, s, _ := read(document("sparse", "[[0,0,1],[1,1,1]]")); s.Schema().Kind != record.Presence {
		t.Error("ones are presences")
	}
	if _, s, _ := read(document("dense", "[[0.5,0],[0,1],[1,1]]")); s.Schema().Kind != record.Real || len(s.Schema().Columns) != 3 {
		t.Error("fractions are measurements")
	}
}

func TestWrong(t *testing.T) {
	good := document("sparse", "[[0,0,2]]")
	for _, text := range []string{
		good[:len(good)-20], document("dense", "[[2,0],[0,5]]x"), document("dense", "[[2,0,1],[0,5],[1,0]]"), document("sparse", "[[0,2,1]]"),
		document("sparse", "[[-1,0,1]]"), document("sparse", "[[0,0]]"), document("sparse", `["a"]`), document("sparse", `{"a":1}`), document("triangle", "[]"),
		strings.Replace(good, "[3,2]", "[9,2]", 1), strings.Replace(good, `"data"`, `"dato"`, 1), above + `"matrix_type":"dense","shape":[0,0],"data":[],"rows":[],"columns":[]}`,
		document("dense", "[[1,2],[1,2],[1,2],[1,2]]"),
	} {
		if _, _, err := read(text); !source.Unreadable(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzBIOM(f *testing.F) {
	f.Add([]byte(document("dense", "[[2,0],[0,5],[1,0]]")))
	f.Add([]byte(document("sparse", "[[2,0,1],[1,1,5]]")))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if len(data) < 1<<12 {
			_, _, _ = read(string(data))
		}
	})
}
