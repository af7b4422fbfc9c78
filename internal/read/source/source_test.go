package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/moiety-go/moiety/record"
)

func readText(t *testing.T, data []byte) (string, *record.Problems, error) {
	t.Helper()
	p := new(record.Problems)
	r, err := Bytes("x", data).Text(context.Background(), p)
	if err != nil {
		return "", p, err
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	return string(got), p, err
}

func utf16Bytes(s string, little bool) []byte {
	var out []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if little {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return out
}

func TestTextEncodings(t *testing.T) {
	long := strings.Repeat("plain ascii line\n", 10000)
	cases := []struct {
		name, want string
		data       []byte
		note       string
	}{
		{"ascii", "a,b\n1,2\n", []byte("a,b\n1,2\n"), ""},
		{"utf-8", "naïve €\n", []byte("naïve €\n"), ""},
		{"mark", "a\n", []byte("\xef\xbb\xbfa\n"), ""},
		{"utf-16 little", "aé€😀\n", utf16Bytes("aé€😀\n", true), "UTF-16"},
		{"utf-16 big", "aé€😀\n", utf16Bytes("aé€😀\n", false), "UTF-16"},
		{"windows-1252", "caf\u00e9 \u201cx\u201d \u20ac\n", []byte("caf\xe9 \x93x\x94 \x80\n"), "Windows-1252"},
		{"windows-1252 late", long + "é\n", []byte(long + "\xe9\n"), "Windows-1252"},
		{"patched", "ü é\n", []byte("ü \xe9\n"), "1 foreign bytes"},
		{"dos end", "a\n", []byte("a\n\x1a"), ""},
		{"cut rune at end", "aé", []byte("a\xe9"), "Windows-1252"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, p, err := readText(t, c.data)
			if err != nil || got != c.want {
				t.Fatalf("got %.60q, %v; want %.60q", got, err, c.want)
			}
			notes := strings.Join(record.Texts(p.Notes), "\n")
			if (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want one about %q", notes, c.note)
			}
		})
	}
}

func TestTextInSmallReads(t *testing.T) {
	want := strings.Repeat("aé€😀b\n", 50)
	r, err := Reader("x", iotest.OneByteReader(strings.NewReader(want))).Text(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(iotest.OneByteReader(r))
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestControlBytesAreAnError(t *testing.T) {
	for _, data := range []string{"a\x00b", "\x00", "abc\n\x01", "\x1b[31m", "a\x1ab", strings.Repeat("x", 999) + "\x00", "\xe9\x00", "ü\xe9\x02"} {
		if _, _, err := readText(t, []byte(data)); !errors.Is(err, ErrBinary) {
			t.Errorf("%.20q: got %v, want ErrBinary", data, err)
		}
	}
	for _, data := range []string{"PK\x03\x04xx", "PAR1....", "%PDF-1.4"} {
		if _, _, err := readText(t, []byte(data)); !errors.Is(err, ErrBinary) {
			t.Errorf("%.20q: got %v, want ErrBinary", data, err)
		}
	}
}

// TestOddTwin compares the word-at-a-time test with the byte test.
func TestOddTwin(t *testing.T) {
	for c := range 256 {
		for pos := range 8 {
			for _, filler := range []byte{'a', ' ', '\n', 0x7f} {
				b := bytes.Repeat([]byte{filler}, 8)
				b[pos] = byte(c)
				n, wide := cleanPrefix(b)
				want := 8
				if isControl(byte(c)) || c >= utf8.RuneSelf {
					want = pos
				}
				if n != want || wide {
					t.Fatalf("byte %#x at %d among %q: clean %d, want %d", c, pos, filler, n, want)
				}
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	if _, err := Bytes("x", nil).Open(context.Background()); !errors.Is(err, ErrEmpty) {
		t.Errorf("got %v, want ErrEmpty", err)
	}
}

func TestCutter(t *testing.T) {
	text := "one\ntwo\nthree\nlast without end"
	for _, size := range []int{1, 4, 5, 8, 100} {
		c := NewCutter("x", strings.NewReader(text), size, 0)
		var got strings.Builder
		for {
			ch, err := c.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := 1 + strings.Count(got.String(), "\n"); ch.Line != want {
				t.Errorf("size %d: line %d, want %d", size, ch.Line, want)
			}
			got.Write(ch.Data)
			ch.Release()
		}
		if got.String() != text {
			t.Errorf("size %d: got %q", size, got.String())
		}
	}
}

func TestCutterLineLimit(t *testing.T) {
	c := NewCutter("x", strings.NewReader("ok\n"+strings.Repeat("y", 5000)), 16, 1000)
	if _, err := c.Next(); err != nil {
		t.Fatal(err)
	}
	var p *record.ParseError
	if _, err := c.Next(); !errors.As(err, &p) || p.Line != 2 {
		t.Errorf("got %v, want a ParseError at line 2", err)
	}
	if _, err := c.Next(); err == nil {
		t.Error("the cutter goes on after the limit")
	}
}

// TestRow: a cell that holds a sign of tables is quoted, others stand as they are.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  string
	}{
		{[]string{"a", "b c", ""}, "a,b c,\n"},
		{[]string{"a,b", "c"}, "\"a,b\",c\n"},
		{[]string{`say "no"`, "c\nd"}, "\"say \"\"no\"\"\",\"c\nd\"\n"},
		{[]string{" a", "#b", "c "}, "\" a\",\"#b\",\"c \"\n"},
		{[]string{""}, "\"\"\n"},
		{[]string{"naïve", "x\x01y", "\xff"}, "naïve,x y,\ufffd\n"},
	} {
		if got := string(Row(nil, c.cells)); got != c.want {
			t.Errorf("%q: %q, want %q", c.cells, got, c.want)
		}
	}
}
