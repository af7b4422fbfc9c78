package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/record"
)

func packed(t *testing.T, data []byte, zst bool) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if zst {
		var err error
		if w, err = zstd.NewWriter(&b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return b.Bytes()
}

func TestBomb(t *testing.T) {
	// Ten million bytes from a few thousand: beyond 1 MB at more than 100 to 1.
	data := bytes.Repeat([]byte("a,b,c,d\n"), 10<<20/8)
	for _, zst := range []bool{false, true} {
		stored := packed(t, data, zst)
		in := Bytes("bomb", stored)
		in.Limits = Limits{Free: 1 << 20, Ratio: 100}
		r, err := in.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if !errors.Is(err, ErrTooLarge) || n > int64(1<<20+200*len(stored)) {
			t.Errorf("%d bytes came out, %v", n, err)
		}
		r.Close()
	}
}

func TestDamagedArchives(t *testing.T) {
	data := bytes.Repeat([]byte("id,code,1234567\n"), 5000)
	for _, zst := range []bool{false, true} {
		whole := packed(t, data, zst)
		for _, bad := range [][]byte{whole[:len(whole)/2], append(bytes.Clone(whole[:len(whole)-6]), 1, 2, 3, 4, 5, 6)} {
			_, _, err := readText(t, bad)
			if !errors.Is(err, ErrDamaged) || !Unreadable(err) {
				t.Errorf("zstd %v: %v", zst, err)
			}
		}
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.csv", "a.csv", "c.txt", ".hidden", "sub/d.csv"} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ arg, want string }{
		{dir, "a.csv b.csv c.txt d.csv"},
		{filepath.Join(dir, "*.csv"), "a.csv b.csv"},
		{filepath.Join(dir, "b.csv"), "b.csv"},
		{Stdin, "standard input"},
	} {
		inputs, err := Expand([]string{c.arg})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, in := range inputs {
			names = append(names, in.Base())
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.arg, got, c.want)
		}
	}
	empty := t.TempDir()
	for arg, is := range map[string]error{
		empty: ErrEmpty, filepath.Join(dir, "no"): fs.ErrNotExist, filepath.Join(dir, "no*"): fs.ErrNotExist,
	} {
		if _, err := Expand([]string{arg}); !errors.Is(err, is) {
			t.Errorf("%s: %v", arg, err)
		}
	}
	if _, err := Expand(nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
}

func TestStreamIsReadOnce(t *testing.T) {
	in := Reader("x", strings.NewReader("hello world"))
	head, err := in.Head(context.Background(), 5)
	if err != nil || string(head) != "hello" {
		t.Fatalf("%q, %v", head, err)
	}
	r, err := in.Text(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(r); err != nil || string(all) != "hello world" {
		t.Errorf("%q, %v", all, err)
	}
	if _, err := in.Open(context.Background()); err == nil {
		t.Error("a stream was opened twice")
	}
}

func TestProgress(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), bytes.Repeat([]byte("x\n"), 500), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var last progress.Event
	ctx := progress.With(context.Background(), func(e progress.Event) {
		if e.Done < last.Done {
			t.Errorf("progress goes back from %d to %d", last.Done, e.Done)
		}
		last = e
	})
	for _, in := range inputs {
		r, err := in.Text(ctx, new(record.Problems))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r)
		r.Close()
	}
	if want := (progress.Event{Step: "reading", Done: 2000, Total: 2000, Unit: "bytes"}); last != want {
		t.Errorf("last event %+v", last)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Bytes("x", bytes.Repeat([]byte("x\n"), 1<<20)).Text(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
