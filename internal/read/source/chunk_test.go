package source

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/record"
)

// cuts are the chunks of a file and what its decoder reported.
type cuts struct{ text, err, notes string }

func cutFile(t *testing.T, path string, size int, split func([]byte, bool) int) (c cuts) {
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
	var all strings.Builder
	for {
		ch, err := cutter.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			c.err = err.Error()
			break
		}
		if want := 1 + strings.Count(all.String(), "\n"); ch.Line != want {
			t.Errorf("a chunk begins at line %d, want %d", ch.Line, want)
		}
		if ch.Ends != strings.Count(string(ch.Data), "\n") {
			t.Errorf("a chunk of %d line ends has %d", ch.Ends, strings.Count(string(ch.Data), "\n"))
		}
		all.Write(ch.Data)
		ch.Release()
	}
	text.Close()
	c.text, c.notes = all.String(), fmt.Sprint(p.Notes, p.Repairs)
	return c
}

// However large chunks are, together they are the text: with the same numbers of lines, errors
// and notes, whatever stands where.
func TestChunks(t *testing.T) {
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
	}{
		"plain":            {lines(100, "one,two\n"), nil},
		"no last end":      {lines(100, "one,two\n") + "last", nil},
		"empty lines":      {lines(30, "one\n\n\n\n\n\n\n\n\n\n\n\n\n"), nil},
		"windows":          {lines(100, "one,two\r\n"), nil},
		"returns":          {lines(100, "one,two\r"), nil},
		"long lines":       {lines(20, "ok\n"+strings.Repeat("y", 90)+"\n"), nil},
		"too long":         {lines(90, "ok\n") + strings.Repeat("y", 3000) + "\n" + lines(20, "ok\n"), nil},
		"wide":             {lines(50, "Jürgen,1\n"), nil},
		"wide, then wrong": {lines(50, "Jürgen,1\n") + "J\xfcrgen\n" + lines(50, "Jürgen,1\n"), nil},
		"latin":            {lines(50, "Juergen,1\n") + lines(50, "J\xfcrgen,stra\xdfe\n"), nil},
		"latin at once":    {lines(50, "J\xfcrgen,stra\xdfe\n"), nil},
		"mark":             {"\xef\xbb\xbf" + lines(50, "one,two\n"), nil},
		"mark inside":      {lines(50, "one,two\n") + "\xef\xbb\xbf" + lines(50, "one,two\n"), nil},
		"control":          {lines(50, "one,two\n") + "a\x00b\n" + lines(50, "one,two\n"), nil},
		"end of DOS":       {lines(50, "one,two\n") + "\x1a", nil},
		"records of lines": {lines(50, "one,two;\n") + "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no;\n" + lines(50, "one;\n"), whole},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.txt")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			want := cutFile(t, path, 500, test.split)
			for _, size := range []int{7, 9, 16, 31, 64} {
				got := cutFile(t, path, size, test.split)
				if want.err != "" { // what stands before it comes or does not, by the chunks
					got.text, want.text = "", ""
				}
				if got != want {
					t.Errorf("size %d: %d bytes, %s, %q\nwant %d, %s, %q",
						size, len(got.text), got.err, got.notes, len(want.text), want.err, want.notes)
				}
			}
		})
	}
}
