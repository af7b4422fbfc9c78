package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// Input is one thing to read. It is a small value that can be copied; copies
// share the buffered start of standard input.
type Input struct {
	Name   string // for messages: the path, or "standard input"
	Limits Limits // zero value: the defaults
	// Encoding is the encoding of the text (see Encoding); "": looked for.
	Encoding string
	// Papers are files of the same folder that are no data and were left out.
	Papers []string

	path   string
	memory []byte    // for Bytes
	stream *stream   // for standard input and other readers
	seek   *Seekable // for the temporary copy of one of them
	size   int64     // bytes as stored, -1 when unknown
	before int64     // bytes of the inputs ahead of this one, for progress
	total  int64     // bytes of all inputs, 0 when unknown
	quiet  bool      // a look in advance: no progress
	plain  bool      // text for certain: no archive and no other format
	// made writes the text of an input that is no file: see Made. Such a text
	// is never an archive.
	made func(context.Context, io.Writer) error
	seen *seen // what was looked at, nil: nothing is remembered
}

// Limits bounds what an input may expand to.
type Limits struct {
	// Free is the number of decompressed bytes that are never questioned;
	// beyond it an archive must not expand by more than Ratio. Zero: 1 GiB.
	Free int64
	// Ratio is the largest believable expansion of an archive. Zero: 400, four
	// times what sparse 0/1 tables reach; a zip bomb is at 1000 and more.
	Ratio int64
}

func (l Limits) free() int64 {
	if l.Free > 0 {
		return l.Free
	}
	return 1 << 30
}

func (l Limits) ratio() int64 {
	if l.Ratio > 0 {
		return l.Ratio
	}
	return 400
}

// stream is an input that can be read only once, with the part that was looked
// at in advance kept in front.
type stream struct {
	mu   sync.Mutex
	r    io.Reader
	head []byte
	used bool
	kept bool // head is the whole input
}

// Keep reads a stream into memory, as it is stored, if it has no more than limit
// bytes, so that it can be opened more than once. It reports whether the input
// can be.
func (in Input) Keep(limit int) (bool, error) {
	if in.stream == nil || in.stream.kept {
		return true, nil
	}
	s := in.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used {
		return false, nil
	}
	rest := bytes.NewBuffer(s.head)
	left := int64(limit - len(s.head))
	n, err := io.Copy(rest, io.LimitReader(s.r, left))
	s.head = rest.Bytes()
	if err != nil {
		return false, fmt.Errorf("%s: %w", in.Name, err)
	}
	s.kept = n < left
	return s.kept, nil
}

// Bytes returns an input held in memory.
func Bytes(name string, data []byte) Input {
	return Input{Name: name, memory: data, size: int64(len(data)), total: int64(len(data))}
}

// Reader returns an input that can be read once, such as standard input.
func Reader(name string, r io.Reader) Input {
	return Input{Name: name, stream: &stream{r: r}, size: -1}
}

// File returns the input of one path.
func File(path string) (Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Input{}, absent(path, err)
	}
	if info.IsDir() {
		return Input{}, fmt.Errorf("%s is a folder, a file is needed here", path)
	}
	size := info.Size()
	switch {
	case info.Mode()&fs.ModeNamedPipe != 0: // what was read from it is gone
		return Reader(path, &pipe{path: path}), nil
	case !info.Mode().IsRegular():
		size = -1
	}
	return Input{Name: path, path: path, size: size, total: max(size, 0)}, nil
}

// pipe is a named pipe. It is opened when it is first read, which waits until
// somebody writes into it.
type pipe struct {
	path string
	f    *os.File
}

func (p *pipe) Read(b []byte) (n int, err error) {
	if p.f == nil {
		if p.f, err = os.Open(p.path); err != nil {
			return 0, err
		}
	}
	return p.f.Read(b)
}

// Size returns the number of stored bytes, -1 when unknown.
func (in Input) Size() int64 { return in.size }

// Path returns the path of the file, "" when the input is not a file.
func (in Input) Path() string { return in.path }

// Again reports whether the input can be opened more than once.
func (in Input) Again() bool { return in.stream == nil || in.stream.kept }

// Base returns the name without folders and without the endings of
// compression: "a/docword.kos.txt.gz" gives "docword.kos.txt".
func (in Input) Base() string {
	name := in.Name[strings.LastIndexAny(in.Name, `/\`)+1:]
	for _, ext := range []string{".gz", ".zst", ".bz2", ".xz", ".GZ", ".ZST", ".BZ2", ".XZ"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// raw opens the stored bytes.
func (in Input) raw() (io.ReadCloser, error) {
	switch {
	case in.made != nil:
		return begin(in.made), nil
	case in.seek != nil:
		return io.NopCloser(io.NewSectionReader(in.seek, 0, in.seek.Size)), nil
	case in.path != "":
		f, err := os.Open(in.path)
		if err != nil {
			return nil, fmt.Errorf("cannot open %s: %w", in.Name, err)
		}
		return f, nil
	case in.stream != nil:
		return in.stream.open(in.Name)
	default:
		return io.NopCloser(bytes.NewReader(in.memory)), nil
	}
}

func (s *stream) open(name string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept {
		return io.NopCloser(bytes.NewReader(s.head)), nil
	}
	if s.used {
		return nil, fmt.Errorf("%s can be read only once; save it to a file first", name)
	}
	s.used = true
	return io.NopCloser(io.MultiReader(bytes.NewReader(s.head), s.r)), nil
}
