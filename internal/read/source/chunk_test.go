package source

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/record"
)

// cuts are the chunks of a file and what its decoder reported.
type cuts struct {
	text  string
	err   string
	notes string
	ahead bool // some chunk was fetched ahead
}

func cutFile(t *testing.T, path string, size, workers int, early bool, split func([]byte, bool) int) (c cuts) {
	t.Helper()
	in, err := File(path)
	if err != nil {
		t.Fatal(err)
	}
	p := new(record.Problems)
	text, err := in.Text(context.Background(), p)
	if err != nil {
		return cuts{err: err.Error()}
	}
	cutter := NewCutter("x", text, size, 1000)
	if split != nil {
		cutter.Split = split
	}
	cutter.Early = early
	cutter.Ahead(workers)
	var all strings.Builder
	var ahead atomic.Bool
	err = par.InOrder(t.Context(), workers, cutter.Next, func(ch Chunk) (Chunk, error) {
		if ch.pool != cutter.pool {
			ahead.Store(true)
		}
		return ch, nil
	}, func(ch Chunk) error {
		if want := 1 + strings.Count(all.String(), "\n"); ch.First() != want || !early && ch.Line != want {
			t.Errorf("a chunk begins at line %d, %d, want %d", ch.First(), ch.Line, want)
		}
		if ch.Ends != strings.Count(string(ch.Data), "\n") {
			t.Errorf("a chunk of %d line ends has %d", ch.Ends, strings.Count(string(ch.Data), "\n"))
		}
		all.Write(ch.Data)
		ch.Release()
		return nil
	})
	if err != nil {
		c.err = err.Error()
	}
	text.Close()
	c.ahead = ahead.Load()
	c.text, c.notes = all.String(), fmt.Sprint(p.Notes, p.Repairs)
	return c
}

// What is fetched on several cores is what comes chunk by chunk: text, numbers of
// lines, errors and notes, whatever stands where.
func TestAhead(t *testing.T) {
	lines := func(n int, line string) string { return strings.Repeat(line, n) }
	whole := func(buf []byte, atEOF bool) int { // cuts behind lines that end in a semicolon
		if atEOF {
			return len(buf)
		}
		return strings.LastIndex(string(buf), ";\n") + len(";\n")*min(1, strings.Count(string(buf), ";\n"))
	}
	for name, test := range map[string]struct {
		text  string
		split func([]byte, bool) int
		ahead bool
	}{
		"plain":            {lines(100, "one,two\n"), nil, true},
		"no last end":      {lines(100, "one,two\n") + "last", nil, true},
		"empty lines":      {lines(30, "one\n\n\n\n\n\n\n\n\n\n\n\n\n"), nil, true},
		"windows":          {lines(100, "one,two\r\n"), nil, true},
		"returns":          {lines(100, "one,two\r"), nil, false},
		"long lines":       {lines(20, "ok\n"+strings.Repeat("y", 90)+"\n"), nil, true},
		"too long":         {lines(90, "ok\n") + strings.Repeat("y", 3000) + "\n" + lines(20, "ok\n"), nil, true},
		"wide":             {lines(50, "Jürgen,1\n"), nil, true},
		"wide, then wrong": {lines(50, "Jürgen,1\n") + "J\xfcrgen\n" + lines(50, "Jürgen,1\n"), nil, true},
		"latin":            {lines(50, "Juergen,1\n") + lines(50, "J\xfcrgen,stra\xdfe\n"), nil, true},
		"latin at once":    {lines(50, "J\xfcrgen,stra\xdfe\n"), nil, false},
		"mark":             {"\xef\xbb\xbf" + lines(50, "one,two\n"), nil, false},
		"mark inside":      {lines(50, "one,two\n") + "\xef\xbb\xbf" + lines(50, "one,two\n"), nil, true},
		"control":          {lines(50, "one,two\n") + "a\x00b\n" + lines(50, "one,two\n"), nil, true},
		"end of DOS":       {lines(50, "one,two\n") + "\x1a", nil, true},
		"records of lines": {lines(50, "one,two;\n") + "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no;\n" + lines(50, "one;\n"), whole, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.txt")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 2, 7, 8, 9, 16, 31, 64} {
				want := cutFile(t, path, size, 1, false, test.split)
				if want.ahead {
					t.Fatal("one worker fetched ahead")
				}
				for _, workers := range []int{2, 16, -2, -16} { // below 0: early
					got := cutFile(t, path, size, max(workers, -workers), workers < 0, test.split)
					if want.err != "" { // what stands before it comes or does not, by the chunks
						got.text, want.text = "", ""
					}
					if got.text != want.text || got.err != want.err || got.notes != want.notes {
						t.Errorf("size %d, %d workers: %d bytes, %s, %q\nwant %d, %s, %q",
							size, workers, len(got.text), got.err, got.notes, len(want.text), want.err, want.notes)
					}
					if got.ahead != test.ahead && size > 8 {
						t.Errorf("size %d, %d workers: fetched ahead: %v", size, workers, got.ahead)
					}
				}
			}
		})
	}
}

// Bytes behind a header that was read already come as they are.
func TestAheadOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.txt")
	text := "header\n" + strings.Repeat("1 2 \xff\n", 400)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := File(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, buffer := range []int{7, 16, 600, 5000} {
		opened, err := in.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		head := make([]byte, buffer)
		n, err := io.ReadFull(opened, head)
		if err != nil && err != io.ErrUnexpectedEOF {
			t.Fatal(err)
		}
		rest := io.MultiReader(strings.NewReader(string(head[len("header\n"):n])), opened)
		cutter := NewCutter("x", rest, 64, 0)
		cutter.AheadOf(opened, n-len("header\n"), 4)
		if ahead := cutter.ahead != nil; !ahead {
			t.Error("nothing is fetched ahead")
		}
		var got strings.Builder
		for {
			ch, err := cutter.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if ch.Load() == nil {
				got.Write(ch.Data)
				ch.Release()
			}
		}
		if got.String() != text[len("header\n"):] {
			t.Errorf("%d bytes in the buffer: %d bytes, want %d", buffer, got.Len(), len(text)-len("header\n"))
		}
		opened.Close()
	}
}
