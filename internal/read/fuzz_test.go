package read

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// FuzzOpen gives any bytes to the guess, and to every format: they are read or
// refused, and what is read holds together.
func FuzzOpen(f *testing.F) {
	for i, s := range []string{
		"id,code\n1,x\n1,y\n2,x\n", "{\"id\":1,\"codes\":[\"a\"]}\n{\"text\":\"b c\"}\n", "[{\"a\":1},{\"a\":2}]", "2\n3\n2\n1 1 1\n2 3 4\n",
		"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n", "# x\n1 1:2 3:4\n0 # a\n", "0120\n1?02\n", "PAR1\x15\x00PAR1",
		"the cat sat\non the mat\n", "sep=;\na;b\n1;2\n", "\"id\",code\n'=1,'@x\n", "{\"resourceType\":\"Bundle\",\"entry\":[]}",
		"id,t1,t2,t3\na,x,,y\n", "a\tb\n\"x\t1\n", "1,2\n3,4\n", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00",
	} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(i+1))
	}
	formats := append([]string{"auto"}, Formats()...)
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		o := Options{Reading: record.Reading{Format: formats[int(n)%len(formats)]}, Workers: 2, MaxMemory: 1 << 20, TempDir: t.TempDir()}
		if o.Format == "omop" {
			return // a database
		}
		s, err := OpenInputs(context.Background(), []source.Input{source.Bytes("x", data)}, o, new(record.Problems))
		if err != nil {
			return
		}
		_ = s.Read(context.Background(), func(b *record.Batch) error {
			sound(t, s.Schema(), b)
			return nil
		})
	})
}

// sound checks what every reader promises of a batch.
func sound(t *testing.T, s *record.Schema, b *record.Batch) {
	t.Helper()
	n := b.N()
	if b.IDs != nil && len(b.IDs) != n {
		t.Fatalf("%d ids of %d records", len(b.IDs), n)
	}
	if len(b.Side) != 0 && len(b.Side) != len(s.Side) {
		t.Fatalf("%d side columns of %d", len(b.Side), len(s.Side))
	}
	for i, side := range b.Side {
		if len(side) != n {
			t.Fatalf("side column %d has %d values of %d", i, len(side), n)
		}
	}
	for i := 1; i < len(b.Ptr); i++ {
		if b.Ptr[i] < b.Ptr[i-1] || b.Ptr[i] > len(b.Feature) {
			t.Fatalf("entries %v of %d", b.Ptr, len(b.Feature))
		}
	}
	for e, h := range b.Feature {
		if int(h) >= s.Dict.Len() {
			t.Fatalf("feature %d of %d", h, s.Dict.Len())
		}
		if math.IsInf(b.At(e), 0) {
			t.Fatalf("entry %d is infinite", e)
		}
	}
}
