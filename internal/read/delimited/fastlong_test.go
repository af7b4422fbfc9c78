package delimited

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// TestCodesOfBadRows checks that a code of which every row is malformed is no
// feature, wherever in a chunk the row stands.
func TestCodesOfBadRows(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,code,date\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "p%04d,C%02d,2020-01-02\n", i/3, i%7)
		if i%500 == 499 {
			text.WriteString(",BAD,2020-01-02\n ,BAD2,2020-01-02\n")
		}
	}
	for _, tail := range []string{"", "p9999,,2020-01-02\np9999,NA,2020-01-02\n"} {
		src, err := New(context.Background(), []source.Input{source.Bytes("t.csv", []byte(text.String()+tail))}, Options{Shape: Long, Workers: 1}, &record.Problems{})
		if err != nil {
			t.Fatal(err)
		}
		if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if names := src.Schema().Dict.Names(); len(names) != 7 {
			t.Errorf("features %q", names)
		}
	}
}

// TestLongTwin reads random long tables twice: as they are, and with quotes around
// one field, which sends every row the general way.
func TestLongTwin(t *testing.T) {
	ids := []string{"p1", "p1", "p2", "P3", "a longer id", "exactly8", "p2", "é", "1", "2", "10"}
	codes := []string{"C1", "C2", "C3", "a longer code", "12345678", "C1", "C2", "ü"}
	odd := []string{"", " ", "NA", ".", " p1", "C1 ", "x\ty"}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		pick := func(list []string) string {
			if r.IntN(10+int(seed)) == 0 {
				return odd[r.IntN(len(odd))]
			}
			return list[r.IntN(len(list))]
		}
		end := []string{"\n", "\r\n"}[seed%2]
		var text strings.Builder
		for i := range 1 + r.IntN(3000) {
			id := pick(ids)
			if seed%3 == 0 {
				id = fmt.Sprintf("p%06d", i/3) // rising
			}
			row := []string{pick(codes), id, pick([]string{"2020-01-02", "2021-03-04"})}
			if r.IntN(20+10*int(seed)) == 0 {
				row = row[:r.IntN(3)] // too short, or blank
			}
			text.WriteString(strings.Join(row, ",") + end)
		}
		var rows, wrong [2]string
		for way, first := range []string{"C1,p1,2020-01-02", `"C1",p1,2020-01-02`} {
			s, p, err := open(t, Options{Shape: Long, Group: true, Workers: 1}, "code,id,date"+end+first+end+text.String())
			if err != nil {
				t.Fatal(err)
			}
			got, err := all(t, s)
			if err != nil {
				t.Fatal(err)
			}
			rows[way] = strings.Join(got, "\n")
			wrong[way] = fmt.Sprint(p.Skipped, p.Repairs, s.Schema().Dict.Names())
			for _, e := range p.First {
				wrong[way] += fmt.Sprint("\n", e.Line, e.Text, e.Msg)
			}
		}
		if rows[0] != rows[1] || wrong[0] != wrong[1] {
			t.Fatalf("seed %d: the short way gives\n%.400s\n%s\nthe general way\n%.400s\n%s", seed, rows[0], wrong[0], rows[1], wrong[1])
		}
	}
}

// TestManyCodes has more codes than a part remembers: numbers and records do not
// depend on the chunks, nor on which worker had which.
func TestManyCodes(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,code\n")
	r := rand.New(rand.NewPCG(1, 12))
	for i := range 3 * mostLocal {
		fmt.Fprintf(&text, "p%d,c%d\np%[1]d,c%[3]d\n", i/4, i, r.IntN(i+1))
	}
	var want, names []string
	for _, o := range []Options{{Workers: 1}, {Workers: 1, ChunkSize: 1 << 16}, {Workers: 3, ChunkSize: 1 << 15}} {
		o.Shape, o.Group = Long, true
		s, _, err := open(t, o, text.String())
		if err != nil {
			t.Fatal(err)
		}
		got, err := all(t, s)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want, names = got, s.Schema().Dict.Names()
		}
		if !slices.Equal(got, want) || !slices.Equal(s.Schema().Dict.Names(), names) || len(names) != 3*mostLocal || names[7] != "c7" {
			t.Fatalf("%+v: %d records, %d names; want %d and %d", o, len(got), s.Schema().Dict.Len(), len(want), len(names))
		}
	}
}
