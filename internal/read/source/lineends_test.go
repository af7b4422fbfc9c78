package source

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Returns alone end lines; where a line feed comes first, or a return stands in
// quotes, nothing changes. Every way of cutting the text gives the same.
func TestLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\r1,2\r3,4\r": "a,b\n1,2\n3,4\n",
		"a,b\r\n1,2\r\n":  "a,b\r\n1,2\r\n",
		"a,b\n1,\r2\n":    "a,b\n1,\r2\n",
		"a\r":             "a\n",
		"\"a\rb\",c\n1,2": "\"a\rb\",c\n1,2",
		"no end":          "no end",
		"":                "",
	} {
		for _, cut := range []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.OneByteReader, iotest.DataErrReader,
		} {
			l := &lineEnds{ReadCloser: io.NopCloser(cut(strings.NewReader(text)))}
			got, err := io.ReadAll(l)
			if string(got) != want || err != nil {
				t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
			}
		}
	}
}

func TestKeep(t *testing.T) {
	text := strings.Repeat("0123456789", 100)
	for limit, want := range map[int]bool{2000: true, 1001: true, 1000: false, 10: false} {
		in := Reader("x", strings.NewReader(text))
		kept, err := in.Keep(limit)
		if kept != want || err != nil || in.Again() != want {
			t.Errorf("limit %d: kept %v, %v", limit, kept, err)
		}
		for range 2 {
			r, err := in.Text(context.Background(), nil)
			if err != nil {
				if want {
					t.Error(err)
				}
				break // the second time, of a stream that was not kept
			}
			if got, err := io.ReadAll(r); string(got) != text || err != nil {
				t.Errorf("limit %d: %d bytes, %v", limit, len(got), err)
			}
			r.Close()
		}
	}
}
