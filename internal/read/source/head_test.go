package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is remembered of a start is what would be read again, and what is plain is not copied.
func TestRemembered(t *testing.T) {
	ctx := context.Background()
	long := strings.Repeat("a,b\n", leastLook)
	for _, text := range []string{"a,b\n\n1,2\n", "a\r\nb\r\n", "a\rb\r", "caf\xe9\nx\n", "\xef\xbb\xbfé\nx", long, "\n\nabc"} {
		plain := Bytes("x", []byte(text))
		in := plain.Remembered()
		for _, n := range []int{3, 8, leastLook, 5, leastLook, 2 * leastLook, 3} {
			want, err := plain.Head(ctx, n)
			got, err2 := in.Head(ctx, n)
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(err2) {
				t.Errorf("%.10q, %d bytes: %.20q %v, not %.20q %v", text, n, got, err2, want, err)
			}
			lines, whole, _ := plain.Lines(ctx, n)
			for range 2 {
				again, all, _ := in.Lines(ctx, n)
				if !slices.Equal(again, lines) || all != whole {
					t.Errorf("%.10q, %d bytes: %.20q, not %.20q", text, n, again, lines)
				}
			}
		}
	}
	in := Bytes("x", []byte(long)).Remembered()
	a, _ := in.Head(ctx, 100)
	if b, _ := in.Stored(100); &a[0] != &b[0] {
		t.Error("plain text was copied")
	}
}

// The file is read once for what was seen of it.
func TestRememberedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("one\ntwo\nthr"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := File(path)
	if err != nil {
		t.Fatal(err)
	}
	in = in.Remembered()
	if _, err := in.Start(context.Background(), 4); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	lines, whole, err := in.Lines(context.Background(), 9)
	if err != nil || whole || !slices.Equal(lines, []string{"one", "two"}) {
		t.Errorf("%q %t %v", lines, whole, err)
	}
	if _, whole, _ = in.Lines(context.Background(), leastLook); !whole {
		t.Error("not the whole")
	}
}
