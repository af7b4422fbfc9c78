package texts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
			id := "#"
			if b.IDs != nil {
				id = b.IDs[i]
			}
			line := id + ": " + b.Text[i]
			for _, c := range b.Side {
				line += " | " + c[i]
			}
			out = append(out, line)
		}
		return nil
	})
	return strings.Join(out, "\n"), err
}

func TestLines(t *testing.T) {
	cases := []struct {
		layout     Layout
		text, want string
		skipped    int
	}{
		{Lines, "to be\r\n\nor not\nlast", "#: to be\n#: or not\n#: last", 0},
		{IDText, "a\tto be\nno tab\nb\tor\tnot\n", "a: to be\nb: or\tnot", 1},
		{Mallet, "a en to be\nb\tfr\tou non\nonly\nc it\n", "a: to be | en\nb: ou non | fr\nc:  | it", 1},
	}
	for _, c := range cases {
		p := new(record.Problems)
		s, err := New([]source.Input{source.Bytes("x", []byte(c.text))}, Options{Layout: c.layout}, p)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := all(t, s); err != nil || got != c.want || p.Skipped != c.skipped {
				t.Errorf("layout %d: %v, %d skipped\n%s\nwant\n%s", c.layout, err, p.Skipped, got, c.want)
			}
		}
	}
}

func TestStrictLines(t *testing.T) {
	p := &record.Problems{Strict: true}
	s, err := New([]source.Input{source.Bytes("x", []byte("a\tb\nbad\n"))}, Options{Layout: IDText}, p)
	if err != nil {
		t.Fatal(err)
	}
	var pe *record.ParseError
	if _, err := all(t, s); !errors.As(err, &pe) || pe.Line != 2 {
		t.Errorf("got %v", err)
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.txt": "second", "a.txt": "caf\xe9", "sub/b.txt": "third", ".hidden": "no", "empty.txt": "",
	} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := source.Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("a: café | %[1]s\n%[1]s/b.txt: second | %[1]s\nempty:  | %[1]s\nsub/b.txt: third | sub", filepath.Base(dir))
	for _, workers := range []int{1, 2, 8} {
		p := new(record.Problems)
		s, err := New(inputs, Options{Workers: workers}, p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := all(t, s); err != nil || got != want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
		if p.Repairs["files read as Windows-1252"] != 1 {
			t.Errorf("repairs %v", p.Repairs)
		}
	}
}

func TestTooLong(t *testing.T) {
	s, err := New([]source.Input{source.Bytes("x", bytes.Repeat([]byte("y "), 1000))}, Options{MaxText: 100}, new(record.Problems))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all(t, s); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", "\n\n", "a\x00b"} {
		s, err := New([]source.Input{source.Bytes("x", []byte(text))}, Options{Layout: Lines}, new(record.Problems))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all(t, s); !source.Unreadable(err) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, seed := range []string{"a\tb\n", "id label text\n", "\xff\xfea\x00", "\xef\xbb\xbfx\n", "\r\n\n\t", "caf\xe9"} {
		for layout := range 4 {
			f.Add([]byte(seed), layout)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, layout int) {
		p := new(record.Problems)
		s, err := New([]source.Input{source.Bytes("x", data)}, Options{Layout: Layout(uint(layout) % 4)}, p)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = s.Read(context.Background(), func(b *record.Batch) error {
			for i := range b.N() {
				if !strings.Contains(b.Text[i], "�") && strings.ToValidUTF8(b.Text[i], "�") != b.Text[i] {
					t.Errorf("text %q is not UTF-8", b.Text[i])
				}
			}
			if b.IDs != nil && len(b.IDs) != b.N() {
				t.Errorf("%d ids for %d records", len(b.IDs), b.N())
			}
			n += b.N()
			return nil
		})
		if err == nil && n == 0 {
			t.Error("no record and no error")
		}
	})
}
