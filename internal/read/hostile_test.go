package read

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// endless makes text without end: header, then rows numbered from 0.
type endless struct {
	rest []byte
	row  func(i int) string
	i    int
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.rest) < 1<<15 {
		e.rest = append(e.rest, e.row(e.i)...)
		e.i++
	}
	n := copy(p, e.rest)
	e.rest = append(e.rest[:0], e.rest[n:]...)
	return n, nil
}

// TestHostile reads inputs that never end; each must give an error of
// unreadable data before memory grows beyond a bound.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads some hundred megabytes")
	}
	const bound = 700 << 20 // a line of 64 MB in a few copies, and the garbage of growing buffers
	for _, c := range []struct {
		name, format, header string
		row                  func(i int) string
	}{
		{"line", "long", "id,code\n1,", func(int) string { return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }},
		{"quote", "long", "id,code\n1,x\n1,\"", func(int) string { return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }},
		{"ids", "long", "id,code\n", func(i int) string { return fmt.Sprintf("%d,x\n", i*7919%100000007) }},
		{"codes", "long", "id,code\n", func(i int) string { return fmt.Sprintf("1,%d\n", i) }},
		{"text", "lines", "", func(int) string { return "word " }},
		{"json", "jsonl", "{\"text\":\"x\"}\n{\"text\":\"", func(int) string { return "word " }},
		{"brackets", "jsonl", "{\"text\":\"x\"}\n{\"text\":", func(int) string { return "[[[[[[[[" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := source.Reader("hostile", io.MultiReader(&endless{rest: []byte(c.header), row: c.row}))
			o := Options{Reading: record.Reading{Format: c.format}, MaxMemory: 8 << 20, TempDir: t.TempDir(), Workers: 2}
			s, err := OpenInputs(context.Background(), []source.Input{in}, o, new(record.Problems))
			if err == nil {
				err = s.Read(context.Background(), func(*record.Batch) error { return nil })
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if !source.Unreadable(err) {
				t.Errorf("got %v", err)
			}
			if m.HeapSys > bound {
				t.Errorf("the heap grew to %d MB", m.HeapSys>>20)
			}
		})
	}
}
