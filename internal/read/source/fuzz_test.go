package source

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// FuzzDecode checks that text is UTF-8 without control bytes, and the same in
// small and in large reads.
func FuzzDecode(f *testing.F) {
	for _, seed := range [][]byte{
		[]byte("a,b\n"), []byte("\xef\xbb\xbfa"), utf16Bytes("aé😀", true), utf16Bytes("aé😀", false), []byte("caf\xe9 \x93"),
		[]byte("ü\xe9"),
		{0x1f, 0x8b, 8, 0},
		{0x28, 0xb5, 0x2f, 0xfd},
		{0xff, 0xfe, 0xd8},
		[]byte("a\x1a"), []byte("\xf0\x9f\x98"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(wrap func(io.Reader) io.Reader) ([]byte, error) {
			r, err := Reader("x", wrap(bytes.NewReader(data))).Text(context.Background(), nil)
			if err != nil {
				return nil, err
			}
			defer r.Close()
			return io.ReadAll(r)
		}
		whole, err := read(func(r io.Reader) io.Reader { return r })
		if !utf8.Valid(whole) {
			t.Errorf("%q is not UTF-8", whole)
		}
		if i := bytes.IndexFunc(whole, func(r rune) bool { return r < 32 && isControl(byte(r)) }); i >= 0 && err == nil {
			t.Errorf("control byte at %d of %q", i, whole)
		}
		small, err2 := read(iotest.OneByteReader)
		if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(whole, small) {
			t.Errorf("whole %q, %v; byte by byte %q, %v", whole, err, small, err2)
		}
	})
}
