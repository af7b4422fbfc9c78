package delimited

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// check fails when a batch breaks the promises of record.Batch.
func check(t *testing.T, b *record.Batch, sc *record.Schema) {
	t.Helper()
	n := b.N()
	if b.IDs != nil && len(b.IDs) != n {
		t.Errorf("%d ids for %d records", len(b.IDs), n)
	}
	if len(b.Side) != len(sc.Side) && n > 0 {
		t.Errorf("%d side columns, the schema has %d", len(b.Side), len(sc.Side))
	}
	for _, c := range b.Side {
		if len(c) != n {
			t.Errorf("%d side values for %d records", len(c), n)
		}
	}
	if b.Value != nil && len(b.Value) != len(b.Feature) {
		t.Errorf("%d values for %d features", len(b.Value), len(b.Feature))
	}
	if b.Ptr != nil && b.Ptr[len(b.Ptr)-1] != len(b.Feature) {
		t.Errorf("entries end at %d of %d", b.Ptr[len(b.Ptr)-1], len(b.Feature))
	}
	if b.Steps != nil && b.Steps[n] != len(b.Ptr)-1 {
		t.Errorf("steps end at %d of %d", b.Steps[n], len(b.Ptr)-1)
	}
	for _, f := range b.Feature {
		if int(f) >= sc.Dict.Len() {
			t.Fatalf("feature %d of %d", f, sc.Dict.Len())
		}
	}
}

func FuzzDelimited(f *testing.F) {
	seeds := []string{
		"id,code\n1,x\n1,y\n2,x\n", "id;a;b\n1;1,5;2\n", "a\tb\r\n1\t0\r\n", "\"a\"\"b\",\"c\nd\"\n1,2\n", "1 2  3\n4 5 6\n",
		"id,time,state\na,2008-01-01,x\na,2007-01-01,y\n", "id,t1,t2,t3\na,x,,y\n", "0120\n1?02\n", "a,\"b\nc,d\n", "x\n,\n,,\n", "\xff\xfea\x00,\x00b\x00\n\x00",
		"id,dx1,dx2\n1,a,b\n1,,\n", "\"", "a,\"b\"c\",d\n", "NA,?,.\n",
		"Ward seven\nall beds of spring\nage;stay;sex\n" + strings.Repeat("41;2;m\n50;3;f\n", 9), // a header in the second chunk
	}
	shapes := []Shape{Long, List, Binary, Counts, Real, Categorical, Mixed, Text, Sequences, Digits}
	for i, s := range seeds {
		f.Add([]byte(s), uint8(i))
		f.Add([]byte(s), uint8(i+5))
	}
	f.Fuzz(func(t *testing.T, data []byte, shape uint8) {
		var first string
		for i, o := range []Options{{Workers: 1}, {Workers: 3, ChunkSize: 16}} {
			o.Shape = shapes[int(shape)%len(shapes)]
			o.Group = shape&16 != 0
			p := new(record.Problems)
			s, err := New(context.Background(), []source.Input{source.Bytes("x", data)}, o, p)
			if err != nil {
				return
			}
			var out strings.Builder
			err = s.Read(context.Background(), func(b *record.Batch) error {
				check(t, b, s.Schema())
				for r := range b.N() {
					fmt.Fprintln(&out, render(b, s.Schema(), r, 0))
				}
				return nil
			})
			if err == nil && out.Len() == 0 {
				t.Error("no record and no error")
			}
			fmt.Fprintln(&out, p.Notes)
			if i == 0 {
				first = out.String()
			} else if out.String() != first && !strings.Contains(string(data), "\"") {
				t.Errorf("chunks of 16 bytes give and say\n%s\nthe whole\n%s", out.String(), first)
			}
		}
	})
}
