package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/moiety-go/moiety/internal/pages"
)

// seen is what was looked at of the start of an input. A format is found by a dozen
// questions, most of which look at the same bytes.
type seen struct {
	mu     sync.Mutex
	stored []byte
	all    bool // stored is the whole input
	heads  []head
}

// head is the text of up to n bytes.
type head struct {
	n     int
	text  []byte
	lines []string // nil: not asked for
}

// Remembered returns the input with a memory of what is looked at of its start, which it
// shares with its copies. Its encoding must not change from there on.
func (in Input) Remembered() Input {
	in.seen = new(seen)
	return in
}

// leastLook is what is read of a file that is remembered, however little is asked for.
const leastLook = 64 << 10

// peekRaw returns up to n stored bytes; a stream keeps them for its reader.
func (in Input) peekRaw(n int) ([]byte, error) {
	switch {
	case in.stream != nil:
		return in.stream.peek(in.Name, n)
	case in.seen == nil:
		return in.readStart(n)
	}
	s := in.seen
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stored) < n && !s.all {
		most := n
		if in.made == nil {
			most = max(n, leastLook)
		}
		stored, err := in.readStart(most)
		if err != nil {
			return nil, err
		}
		s.stored, s.all = stored, len(stored) < most
	}
	n = min(n, len(s.stored))
	return s.stored[:n:n], nil
}

// readStart reads up to n stored bytes.
func (in Input) readStart(n int) ([]byte, error) {
	r, err := in.raw()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readUpTo(r, n)
}

// peek returns up to n bytes of a stream that nobody reads yet.
func (s *stream) peek(name string, n int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if more := n - len(s.head); more > 0 && !s.used {
		got, err := readUpTo(s.r, more)
		s.head = append(s.head, got...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	n = min(n, len(s.head))
	return s.head[:n:n], nil
}

// Stored returns up to n bytes as they are stored, without using the input up:
// what tells archives and binary formats apart.
func (in Input) Stored(n int) ([]byte, error) { return in.peekRaw(n) }

func readUpTo(r io.Reader, n int) ([]byte, error) {
	b, m := pages.Make[byte](n), 0
	for m < n {
		k, err := r.Read(b[m:])
		m += k
		if err == io.EOF {
			break
		}
		if err != nil {
			return b[:m], err
		}
	}
	return b[:m], nil
}

// Head returns up to n bytes of the decompressed text in UTF-8, cut anywhere,
// without using the input up. It is what sniffing looks at, and not to be changed. Archives
// that are cut off give what could be read.
func (in Input) Head(ctx context.Context, n int) ([]byte, error) {
	h, err := in.head(ctx, n)
	return h.text, err
}

// Lines returns the lines of Head that are not blank, and whether they are all of the input;
// the last one may be cut off, and is left out unless they are.
func (in Input) Lines(ctx context.Context, n int) (lines []string, whole bool, err error) {
	h, err := in.head(ctx, n)
	if err != nil {
		return nil, false, err
	}
	whole = len(h.text) < n
	if h.lines == nil {
		h.lines = linesOf(h.text, whole)
		in.remember(h)
	}
	return slices.Clip(h.lines), whole, nil
}

// linesOf cuts a text into its lines that are not blank.
func linesOf(text []byte, whole bool) []string {
	ends := bytes.Count(text, []byte{'\n'})
	lines := make([]string, 0, ends+1)
	for rest, more := string(text), true; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		if !more && !whole && ends > 0 {
			break
		}
		if line = strings.TrimRight(line, "\r"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (in Input) head(ctx context.Context, n int) (head, error) {
	if s := in.seen; s != nil {
		s.mu.Lock()
		i := slices.IndexFunc(s.heads, func(h head) bool { return h.n == n })
		if i >= 0 {
			defer s.mu.Unlock()
			return s.heads[i], nil
		}
		s.mu.Unlock()
	}
	stored, err := in.peekRaw(n)
	if err != nil {
		return head{}, err
	}
	text, err := in.decoded(ctx, stored, n)
	if len(text) == 0 || isBinary(err) {
		return head{text: text}, err
	}
	h := head{n: n, text: text}
	in.remember(h)
	return h, nil
}

// remember keeps what was found, in place of what was known of as many bytes.
func (in Input) remember(h head) {
	if s := in.seen; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heads = append(slices.DeleteFunc(s.heads, func(old head) bool { return old.n == h.n }), h)
	}
}

// decoded returns up to n bytes of the text of stored bytes.
func (in Input) decoded(ctx context.Context, stored []byte, n int) ([]byte, error) {
	peek := Bytes(in.Name, stored)
	peek.total, peek.quiet, peek.plain, peek.Encoding = 0, true, in.made != nil, in.Encoding
	r, err := peek.Text(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if d := r.(*lineEnds).ReadCloser.(*decoder); d.unchanged(stored) {
		return stored, nil
	}
	return readUpTo(r, n)
}

// unchanged reports that the text is what is stored: ASCII, no archive, and no returns.
func (d *decoder) unchanged(stored []byte) bool {
	o, ok := d.r.(*opened)
	if !ok || o.packed || d.enc != asUTF8 || d.mark > 0 || bytes.IndexByte(stored, '\r') >= 0 {
		return false
	}
	n, wide := cleanPrefix(stored)
	return n == len(stored) && !wide
}
