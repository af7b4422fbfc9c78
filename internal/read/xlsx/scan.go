package xlsx

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner walks over the tags of a part. Workbooks are plain XML without
// entities of their own, so this is all there is to it, and a part without end
// costs no memory.
type scanner struct {
	r    *bufio.Reader
	text []byte // in front of the tag
	body []byte // inside the tag
	tag  tag
}

// tag is a tag and the text in front of it.
type tag struct {
	name  []byte // without its space, with a slash in front where it ends
	attrs []byte
	empty bool // it is begin and end in one
	text  []byte
}

// maxToken bounds a tag or a text.
const maxToken = 1 << 22

func newScanner(r io.Reader) *scanner { return &scanner{r: bufio.NewReaderSize(r, 64<<10)} }

var errLong = errors.New("a cell or a tag is longer than 4 MB")

// until reads up to a byte, which is left out.
func (s *scanner) until(b []byte, end byte) ([]byte, error) {
	for {
		part, err := s.r.ReadSlice(end)
		b = append(b, part...)
		if err == bufio.ErrBufferFull {
			if len(b) > maxToken {
				return nil, errLong
			}
			continue
		}
		if err == nil {
			b = b[:len(b)-1]
		}
		return b, err
	}
}

// next returns the next tag, valid until the next call; io.EOF at the end.
func (s *scanner) next() (*tag, error) {
	var err error
	if s.text, err = s.until(s.text[:0], '<'); err != nil {
		return nil, err
	}
	if s.body, err = s.until(s.body[:0], '>'); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	t := &s.tag
	body := s.body
	if t.empty = bytes.HasSuffix(body, []byte{'/'}); t.empty {
		body = body[:len(body)-1]
	}
	n := bytes.IndexAny(body, " \t\r\n")
	if n < 0 {
		n = len(body)
	}
	t.name, t.attrs, t.text = body[:n], body[n:], unescape(s.text)
	if colon := bytes.IndexByte(t.name, ':'); colon >= 0 {
		slash := t.name[0] == '/'
		t.name = t.name[colon+1:]
		if slash {
			t.name = append([]byte{'/'}, t.name...)
		}
	}
	return t, nil
}

// is reports whether a tag of that name begins.
func (t *tag) is(name string) bool { return string(t.name) == name }

// isEnd reports whether a tag of that name ends.
func (t *tag) isEnd(name string) bool {
	return len(t.name) == len(name)+1 && t.name[0] == '/' && string(t.name[1:]) == name
}

// attr returns an attribute, "" where there is none; spaces of names are
// ignored.
func (t *tag) attr(name string) string {
	rest := t.attrs
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 || eq+1 >= len(rest) {
			return ""
		}
		key := bytes.TrimSpace(rest[:eq])
		if colon := bytes.IndexByte(key, ':'); colon >= 0 {
			key = key[colon+1:]
		}
		rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
		if len(rest) == 0 {
			return ""
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return ""
		}
		value := rest[1 : end+1]
		rest = rest[end+2:]
		if string(key) == name {
			return string(unescape(value))
		}
	}
}

// unescape decodes the entities of XML.
func unescape(b []byte) []byte {
	if bytes.IndexByte(b, '&') < 0 {
		return b
	}
	var out []byte
	for len(b) > 0 {
		n := bytes.IndexByte(b, '&')
		if n < 0 {
			break
		}
		out, b = append(out, b[:n]...), b[n:]
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if end < 0 {
			out, b = append(out, '&'), b[1:]
			continue
		}
		if r, ok := entity(string(b[1:end])); ok {
			out, b = utf8.AppendRune(out, r), b[end+1:]
		} else {
			out, b = append(out, '&'), b[1:]
		}
	}
	return append(out, b...)
}

func entity(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	return rune(n), ok && err == nil
}
