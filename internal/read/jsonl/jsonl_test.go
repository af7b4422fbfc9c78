package jsonl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

func all(t testing.TB, s record.Source) (string, error) {
	t.Helper()
	var out []string
	err := s.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			line := "#"
			if b.IDs != nil {
				line = b.IDs[i]
			}
			line += ":"
			if b.Text != nil {
				line += " " + b.Text[i]
			} else {
				for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
					line += fmt.Sprintf(" %s*%v", s.Schema().Dict.Name(b.Feature[e]), b.Value[e])
				}
			}
			for _, c := range b.Side {
				line += " | " + c[i]
			}
			out = append(out, line)
		}
		return nil
	})
	return strings.Join(out, "\n"), err
}

// TestLongLines: lines longer than what is looked at at first are read.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x ", 2*sampleBytes)
	for _, text := range []string{
		`{"id":"a","text":"` + long + `"}`,
		`{"id":"a","text":"` + long + `"}` + "\n" + `{"id":"b","text":"y"}`,
		"\n{damaged\n" + `{"id":"a","text":"` + long + `"}`,
		`{"id":"b","text":"y"}` + "\n" + `{"id":"a","text":"` + long + `"}`,
	} {
		s, err := New(context.Background(), []source.Input{source.Bytes("x.jsonl", []byte(text))}, Options{}, new(record.Problems))
		if err != nil {
			t.Error(err)
			continue
		}
		if got, err := all(t, s); err != nil || !strings.Contains(got, "a: "+long) {
			t.Errorf("%d bytes are read as %d: %v", len(text), len(got), err)
		}
	}
	flat := []byte(`{"id":"a","n":1,"list":[{"of":"` + long + `"}]}`)
	if _, err := New(context.Background(), []source.Input{source.Bytes("x.jsonl", flat)}, Options{}, new(record.Problems)); !errors.Is(err, ErrFlat) {
		t.Errorf("a long row of a table: %v", err)
	}
}

func TestRead(t *testing.T) {
	cases := []struct {
		name, text string
		o          Options
		kind       record.Kind
		want       string
		skipped    int
	}{
		{"text", `{"id":1,"text":"to be"}` + "\n" + `{"text":"or \u006eot","id":"b"}`, Options{}, record.Text, "1: to be\nb: or not", 0},
		{"no id", `{"text":"x"}` + "\r\n\n" + `{"text":null}`, Options{}, record.Text, "#: x\n#: ", 0},
		{"tokens", `{"id":"a","tokens":["x","y","x"]}` + "\n" + `{"id":"b","tokens":[]}` + "\n" + `{"id":"c"}`, Options{}, record.Counts, "a: x*2 y*1\nb:\nc:", 0},
		{"codes", `{"id":"a","codes":["428","250"]}`, Options{}, record.Presence, "a: 428*1 250*1", 0},
		{"counts", `{"id":"a","words":{"z":2,"b":1,"n":0}}`, Options{}, record.Counts, "a: z*2 b*1", 0},
		{"path", `{"meta":{"id":"a"},"doc":{"t":"x"}}`, Options{ID: "meta.id", Text: "doc.t"}, record.Text, "a: x", 0},
		{"side", `{"id":"a","text":"x","year":1999,"ok":true,"deep":{}}`, Options{AllSide: true}, record.Text, "a: x | true | 1999", 0},
		{"named side", `{"id":"a","text":"x","year":1999}`, Options{Side: []string{"year", "none"}}, record.Text, "a: x | 1999 | ", 0},
		{"malformed", `{"id":"a","text":"x"}` + "\n{\"id\":\n[1]\n" + `{"id":{},"text":"y"}` + "\n" + `{"id":"b","text":[1]}`, Options{}, record.Text, "a: x", 4},
		{"bad counts", `{"id":"a","words":{"z":2}}` + "\n" + `{"id":"b","words":{"z":-1}}` + "\n" + `{"id":"c","words":5}`, Options{}, record.Counts, "a: z*2", 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 8} {
				p := new(record.Problems)
				c.o.Workers = workers
				s, err := New(context.Background(), []source.Input{source.Bytes("x", []byte(c.text))}, c.o, p)
				if err != nil {
					t.Fatal(err)
				}
				got, err := all(t, s)
				if err != nil || got != c.want || p.Skipped != c.skipped {
					t.Errorf("%v, %d skipped\n%s\nwant\n%s", err, p.Skipped, got, c.want)
				}
				if s.Schema().Kind != c.kind {
					t.Errorf("kind %v", s.Schema().Kind)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	for _, text := range []string{"", "not json\n", "[1,2]\n", "{\"text\":\"\x00\"}"} {
		s, err := New(ctx, []source.Input{source.Bytes("x", []byte(text))}, Options{}, new(record.Problems))
		if err == nil {
			_, err = all(t, s)
		}
		if !source.Unreadable(err) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	if _, err := New(ctx, []source.Input{source.Bytes("x", []byte(`{"a":1}`))}, Options{}, new(record.Problems)); err == nil {
		t.Error("no field with text, and no error")
	}
	s, err := New(ctx, []source.Input{source.Bytes("x", []byte("{\"text\":\"a\"}\nbad\n"))}, Options{}, &record.Problems{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	var pe *record.ParseError
	if _, err := all(t, s); !errors.As(err, &pe) || pe.Line != 2 {
		t.Errorf("strict: %v", err)
	}
}

func FuzzJSONL(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"text":"a"}`, `{"id":"a","tokens":["x",1,null]}`, `{"words":{"a":1,"a":2}}`, `{"text":"\ud800"}`,
		`{"id":[[[[]]]],"text":""}`, "{}\n{}", `{"codes":[{}]}`, "\xff\xfe{\x00}\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := context.Background()
		s, err := New(ctx, []source.Input{source.Bytes("x", data)}, Options{AllSide: true}, new(record.Problems))
		if err != nil {
			return
		}
		s.Read(ctx, func(b *record.Batch) error {
			for _, c := range b.Side {
				if len(c) != b.N() {
					t.Errorf("%d side values for %d records", len(c), b.N())
				}
			}
			for _, f := range b.Feature {
				s.Schema().Dict.Name(f)
			}
			return nil
		})
	})
}
