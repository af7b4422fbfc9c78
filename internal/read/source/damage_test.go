package source

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// A damaged archive is reported in words: cut off, with something behind, with another
// checksum. A zip archive that holds nothing, and files that are no data, are named.
func TestRefusedByName(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(strings.Repeat("a,b\n1,2\n", 100)))
	_ = z.Close()
	whole := b.Bytes()
	sum := bytes.Clone(whole)
	sum[len(sum)-6] ^= 0xff
	for words, data := range map[string][]byte{
		"it ends too early":                                 whole[:len(whole)-9],
		"behind its first part comes something else":        append(bytes.Clone(whole), "tail of nothing"...),
		"its checksum does not fit what it holds":           sum,
		"a zip archive with nothing in it":                  append([]byte("PK\x05\x06"), make([]byte, 18)...),
		"a web page":                                        []byte("<!DOCTYPE html><html></html>"),
		"a Python pickle":                                   []byte("\x80\x04\x95\x10\x00\x00"),
		"an R object (rds)":                                 []byte("X\n\x00\x00\x00\x03\x00\x04"),
		"a SAS file":                                        append(make([]byte, 12), "\xc2\xea\x81\x60\xb3\x14"...),
		"a stream of Arrow batches":                         []byte("\xff\xff\xff\xff\x08\x03\x00\x00\x10"),
		"a DuckDB database; save the table: duckdb FILE -c": []byte("\x9a\x01\x16\x00\x22\x33\x44\x55DUCK\x40\x00"),
		"sqlite3 -header -csv FILE":                         []byte("SQLite format 3\x00\x10\x00"),
		"a picture":                                         []byte("\x89PNG\r\n\x1a\n"),
	} {
		r, err := Bytes("a.csv", data).Text(t.Context(), nil)
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if err == nil || !strings.Contains(err.Error(), words) || !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrBinary) {
			t.Errorf("%q: %v", words, err)
		}
	}
}
