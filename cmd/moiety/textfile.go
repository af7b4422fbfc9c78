package main

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// mostText is the size of the largest list that is read: titles, stop words,
// topics. A larger file is the wrong one.
const mostText = 256 << 20

// Errors of lists.
var (
	errNoText   = errors.New("it holds zero bytes, so it is no text: name a text file")
	errLongText = errors.New("it is larger than 256 MB: this is no such list")
)

// textFile is a text file that somebody named in a flag. Devices without an end
// and files that are no text are refused before they fill the memory.
type textFile struct {
	f    *os.File
	left int64 // bytes it may still have; negative: any number
}

// openText opens a list; most is the largest size of it, -1 for any.
func openText(path string, most int64) (*textFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &textFile{f, most}, nil
}

// Close closes the file.
func (t *textFile) Close() error { return t.f.Close() }

// Read implements io.Reader.
func (t *textFile) Read(p []byte) (int, error) {
	n, err := t.f.Read(p)
	if bytes.IndexByte(p[:n], 0) >= 0 {
		return 0, errNoText
	}
	if t.left >= 0 {
		if t.left -= int64(n); t.left < 0 {
			return 0, errLongText
		}
	}
	return n, err
}

// readText reads a whole list.
func readText(path string) ([]byte, error) {
	f, err := openText(path, mostText)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
