package fhir

import (
	"bytes"
	"encoding/json"
)

// scanner walks over one JSON value and hands out the few fields that are
// asked for; everything else is stepped over without being decoded. It
// accepts every valid text; of invalid ones it notices those that are cut off,
// unbalanced or out of step where it looks, which is what damaged exports are.
type scanner struct {
	b   []byte
	at  int
	bad bool
}

// peek returns the next byte behind white space, 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.b) {
		switch c := s.b[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// take steps over the byte c, which must come next.
func (s *scanner) take(c byte) bool {
	if s.bad || s.peek() != c {
		s.bad = true
		return false
	}
	s.at++
	return true
}

// object calls field for each key of an object; field must consume the value.
// Another kind of value is stepped over.
func (s *scanner) object(field func(key []byte)) {
	if s.peek() != '{' {
		s.skip()
		return
	}
	s.at++
	if s.peek() == '}' {
		s.at++
		return
	}
	for !s.bad {
		key := s.raw()
		if !s.take(':') {
			return
		}
		field(key)
		if s.bad || s.peek() == '}' {
			break
		}
		s.take(',')
	}
	s.take('}')
}

// array calls element for each element of an array; element must consume it.
// Another kind of value is stepped over.
func (s *scanner) array(element func()) {
	if s.peek() != '[' {
		s.skip()
		return
	}
	s.at++
	if s.peek() == ']' {
		s.at++
		return
	}
	for !s.bad {
		element()
		if s.bad || s.peek() == ']' {
			break
		}
		s.take(',')
	}
	s.take(']')
}

// raw returns the inside of a string as written.
func (s *scanner) raw() []byte {
	if !s.take('"') {
		return nil
	}
	from := s.at
	for {
		n := bytes.IndexByte(s.b[s.at:], '"')
		if n < 0 {
			s.bad = true
			return nil
		}
		s.at += n + 1
		slashes := 0
		for i := s.at - 2; i >= from && s.b[i] == '\\'; i-- {
			slashes++
		}
		if slashes%2 == 0 {
			return s.b[from : s.at-1]
		}
	}
}

// text returns a string, decoded; another kind of value gives nil.
func (s *scanner) text() []byte {
	if s.peek() != '"' {
		s.skip()
		return nil
	}
	raw := s.raw()
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var out string
	if err := json.Unmarshal(s.b[s.at-len(raw)-2:s.at], &out); err != nil {
		s.bad = true
	}
	return []byte(out)
}

// skip steps over a value of any kind, without recursion.
func (s *scanner) skip() {
	switch s.peek() {
	case '"':
		s.raw()
	case '{', '[':
		s.nested()
	case 0, '}', ']', ',', ':':
		s.bad = true
	default:
		for s.at < len(s.b) && !delimiter[s.b[s.at]] {
			s.at++
		}
	}
}

// nested steps over an object or array by counting brackets.
func (s *scanner) nested() {
	depth := 0
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case '"':
			s.raw()
			if s.bad {
				return
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
	s.bad = true
}

// delimiter marks the bytes that end a number or a word.
var delimiter = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, '}': true, ']': true, '{': true, '[': true, '"': true}
