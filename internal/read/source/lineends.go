package source

import (
	"bytes"
	"io"
)

// lineEnds turns returns into line feeds where lines end in returns alone. The
// first line end of the text that stands outside quotes decides; from there on
// nothing is looked at unless it is a return.
type lineEnds struct {
	io.ReadCloser
	decided bool
	returns bool // lines end in a return alone
	quoted  bool // the text so far has an open quote
	held    bool // a return was held back: what follows decides
}

func (l *lineEnds) Read(p []byte) (int, error) {
	if l.decided && !l.returns && !l.held {
		return l.ReadCloser.Read(p)
	}
	if len(p) < 2 {
		return l.readShort(p)
	}
	from := 0
	if l.held {
		p[0], from, l.held = '\r', 1, false
	}
	n, err := l.ReadCloser.Read(p[from:])
	n += from
	if !l.decided {
		n = l.decide(p[:n], err != nil)
	}
	if l.returns {
		for b := p[:n]; ; {
			i := bytes.IndexByte(b, '\r')
			if i < 0 {
				break
			}
			b[i] = '\n'
			b = b[i+1:]
		}
	}
	return n, err
}

// readShort is Read where there is room for one byte only.
func (l *lineEnds) readShort(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if l.held {
		p[0], l.held = '\r', false
		return 1, nil
	}
	n, err := l.ReadCloser.Read(p)
	if l.returns && n == 1 && p[0] == '\r' {
		p[0] = '\n'
	}
	return n, err
}

// decide looks for the first line end and returns how many bytes can be handed
// over; a return at the end is held back until it is known what follows.
func (l *lineEnds) decide(b []byte, last bool) int {
	for i, c := range b {
		switch {
		case c == '"':
			l.quoted = !l.quoted
		case c == '\n' && !l.quoted:
			l.decided = true
			return len(b)
		case c == '\r' && !l.quoted && i+1 < len(b):
			l.decided, l.returns = true, b[i+1] != '\n'
			return len(b)
		case c == '\r' && !l.quoted && last:
			l.decided, l.returns = true, true
			return len(b)
		case c == '\r' && !l.quoted:
			l.held = true
			return i
		}
	}
	return len(b)
}
