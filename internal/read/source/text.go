package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/moiety-go/moiety/record"
)

// Text gives the decompressed text in UTF-8, without a byte order mark. What
// the encoding was goes to problems (which may be nil) when the text ends or
// is closed. NUL and other control bytes end the reading with ErrBinary.
//
// A text without a mark is taken as UTF-8. The first byte that does not fit
// makes it a text in another encoding, which is guessed by its script, if only
// ASCII came before; otherwise the text is UTF-8 with single foreign bytes,
// which are read as Windows-1252 and counted. Input.Encoding names another one.
//
// Lines that end in a return alone, as on old machines, end in a line feed.
func (in Input) Text(ctx context.Context, p *record.Problems) (io.ReadCloser, error) {
	r, err := in.Open(ctx)
	if err != nil {
		return nil, err
	}
	start := r.(*opened).first
	if what := named(start); what != "" && !in.plain && in.made == nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w: it is %s", in.Name, ErrBinary, what)
	}
	d := &decoder{in: in, r: r, problems: p}
	if err := d.begin(start); err != nil {
		r.Close()
		return nil, err
	}
	return &lineEnds{ReadCloser: d}, nil
}

// begin chooses the encoding: the one that is named, UTF-16 or UTF-32 by their
// look, or that of the mark.
func (d *decoder) begin(start []byte) error {
	if d.in.Encoding != "" {
		enc, err := Encoding(d.in.Encoding)
		if err == nil {
			d.through("", enc, nil)
		}
		return err
	}
	if name, enc := bare(start); enc != nil && d.in.made == nil {
		d.through(name, enc, nil)
		return nil
	}
	d.readMark(start)
	return nil
}

func isBinary(err error) bool { return errors.Is(err, ErrBinary) }

// form is the state of a decoder.
type form int

const (
	asUTF8        form = iota
	asUTF8Patched      // UTF-8 in which single bytes are Windows-1252
	asUTF16LE
	asUTF16BE
)

// decoder turns the bytes of one input into UTF-8.
type decoder struct {
	in       Input
	r        io.ReadCloser
	problems *record.Problems
	enc      form
	mark     int    // bytes of byte order mark still to drop
	offset   int64  // decompressed bytes consumed before carry
	carry    []byte // bytes of an unfinished character
	buf      []byte // input buffer of the slow path
	out      []byte // decoded text waiting to be handed over
	foreign  int    // bytes read as Windows-1252
	wide     bool   // a character beyond ASCII was seen
	read     string // the encoding that was found, where it is not UTF-8
	ended    bool
	reported bool
	err      error
}

func (d *decoder) readMark(start []byte) {
	switch {
	case bytes.HasPrefix(start, []byte{0xef, 0xbb, 0xbf}):
		d.mark = 3
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}):
		d.enc, d.mark = asUTF16LE, 2
	case bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		d.enc, d.mark = asUTF16BE, 2
	}
}

const slowBuffer = 64 << 10

// Read checks the bytes where they land; only text that is not clean UTF-8
// goes through a second buffer.
func (d *decoder) Read(p []byte) (int, error) {
	for {
		if len(d.out) > 0 {
			n := copy(p, d.out)
			d.out = d.out[n:]
			return n, nil
		}
		if d.err != nil {
			d.report()
			return 0, d.err
		}
		if d.enc == asUTF8 && d.mark == 0 && len(p) >= 2*utf8.UTFMax {
			if n := d.readClean(p); n > 0 {
				return n, nil
			}
			continue
		}
		if d.buf == nil {
			d.buf = make([]byte, slowBuffer)
		}
		n := d.fill(d.buf)
		d.decode(d.buf[:n])
	}
}

// fill reads after the carried bytes and returns how many bytes of p count.
func (d *decoder) fill(p []byte) int {
	n := copy(p, d.carry)
	d.carry = d.carry[:0]
	m, err := d.r.Read(p[n:])
	if err == nil && m == 0 {
		m, err = d.r.Read(p[n:])
	}
	d.err = err
	d.ended = err == io.EOF
	n += m
	if d.mark > 0 && n >= d.mark {
		n = copy(p, p[d.mark:n])
		d.offset += int64(d.mark)
		d.mark = 0
	}
	return n
}

// readClean fills p with UTF-8 and returns its length; what is not clean is
// moved to the slow path.
func (d *decoder) readClean(p []byte) int {
	n := d.fill(p)
	good, wide := cleanPrefix(p[:n])
	if good < n && wide && !d.wide {
		if at := firstHigh(p[:n]); isForeign(p[at:n]) {
			d.offset += int64(at)
			d.foreignFrom(p[at:n])
			return at
		}
	}
	d.wide = d.wide || wide
	if good == n {
		d.offset += int64(n)
		return dropMarks(p[:n], wide)
	}
	rest := p[good:n]
	if !d.ended && !utf8.FullRune(rest) && !isControl(rest[0]) {
		d.carry = append(d.carry[:0], rest...)
		d.offset += int64(good)
		return dropMarks(p[:good], wide)
	}
	tail := bytes.Clone(rest)
	d.offset += int64(good)
	d.decode(tail)
	return dropMarks(p[:good], wide)
}

// dropMarks takes byte order marks out of text of whole characters and returns its
// length: files that were joined have them in the middle, and nobody means them.
func dropMarks(b []byte, wide bool) int {
	mark := []byte("\ufeff")
	if !wide || !bytes.Contains(b, mark) {
		return len(b)
	}
	n := 0
	for len(b) > n {
		i := bytes.Index(b[n:], mark)
		if i < 0 {
			break
		}
		n += i
		b = append(b[:n], b[n+len(mark):]...)
	}
	return len(b)
}

// decode appends the text of b to out, keeping an unfinished end in carry.
func (d *decoder) decode(b []byte) {
	switch d.enc {
	case asUTF16LE, asUTF16BE:
		d.decodeUTF16(b)
	default:
		d.decodeUTF8(b)
	}
}

func (d *decoder) decodeUTF8(b []byte) {
	d.out = d.out[:0]
	for len(b) > 0 {
		good, wide := cleanPrefix(b)
		d.wide = d.wide || wide
		d.out = append(d.out, b[:good]...)
		d.offset += int64(good)
		b = b[good:]
		switch {
		case len(b) == 0:
		case isControl(b[0]):
			d.binary(b)
			return
		case !d.ended && d.err == nil && !utf8.FullRune(b):
			d.carry = append(d.carry[:0], b...)
			return
		case !d.wide && d.enc == asUTF8:
			d.foreignFrom(b)
			return
		default:
			d.enc = asUTF8Patched
			d.foreign++
			d.out = utf8.AppendRune(d.out, windows1252[b[0]])
			d.offset++
			b = b[1:]
		}
	}
	d.out = d.out[:dropMarks(d.out, d.wide)]
}

// binary ends the text at a control byte. The end-of-file mark of old DOS
// programs, a single 0x1A at the end, is allowed.
func (d *decoder) binary(b []byte) {
	if b[0] == 0x1a && len(b) == 1 && d.err == nil {
		d.carry = append(d.carry[:0], b...) // perhaps the end, perhaps not
		return
	}
	if b[0] == 0x1a && len(b) == 1 && d.ended {
		return
	}
	what := "a control byte"
	if b[0] == 0 {
		what = "a NUL byte"
	}
	d.err = fmt.Errorf("%s: %w: %s (0x%02X) at byte %d%s; if it is a spreadsheet or a database, save it as CSV",
		d.in.Name, ErrBinary, what, b[0], d.offset+1, d.in.lineOf(d.offset))
}

// lineOf says in which line a byte stands, counted anew: nothing is counted on the way.
func (in Input) lineOf(offset int64) string {
	if !in.Again() {
		return ""
	}
	r, err := in.Open(context.Background())
	if err != nil {
		return ""
	}
	defer r.Close()
	lines, buf := 1, make([]byte, slowBuffer)
	for offset > 0 {
		n, err := r.Read(buf[:min(int64(len(buf)), offset)])
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if offset -= int64(n); err != nil {
			return ""
		}
	}
	return fmt.Sprintf(", line %d", lines)
}

// Close closes the input and reports what its encoding was.
func (d *decoder) Close() error {
	d.report()
	return d.r.Close()
}

// report notes the encoding once.
func (d *decoder) report() {
	if d.reported || d.problems == nil {
		return
	}
	d.reported = true
	switch {
	case d.enc == asUTF16LE || d.enc == asUTF16BE:
		d.problems.Note("%s is in UTF-16", d.in.Name)
	case d.read != "":
		d.problems.Note("%s is not UTF-8, it was read as %s; if letters are wrong, name its encoding with --encoding", d.in.Name, d.read)
		d.problems.Repaired("files read as "+d.read, 1)
	case d.enc == asUTF8Patched:
		d.problems.Aside("%s is UTF-8 with %d foreign bytes, which were read as Windows-1252", d.in.Name, d.foreign)
		d.problems.Repaired("bytes read as Windows-1252", d.foreign)
	}
}
