package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// IsWhole reports whether the start of a text is one JSON document that goes
// over the whole input, not an object a line: a list of objects, an object on
// several lines, or a FHIR bundle.
func IsWhole(head []byte, complete bool) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case bytes.HasPrefix(text, []byte("[")):
		next := bytes.TrimLeft(text[1:], " \t\r\n")
		return len(next) > 0 && strings.ContainsRune(`{]["`, rune(next[0]))
	case !bytes.HasPrefix(text, []byte("{")):
		return false
	}
	line, rest, more := bytes.Cut(text, []byte{'\n'})
	if !more && !complete {
		return isBundle(line) || mayHold(line) || frameStart.Match(line)
	}
	if complete && len(bytes.TrimSpace(rest)) == 0 && holds(line) != nil {
		return true
	}
	return !json.Valid(line) && isObject(text, complete) || isBundle(line)
}

// member is one field of an object, as it stands.
type member struct {
	name string
	raw  json.RawMessage
}

// holds returns the records of an object that keeps them in the one list of
// objects that it has, or is a frame; nil for any other text.
func holds(text []byte) []json.RawMessage {
	if !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil
	}
	return recordsOf(membersOf(text))
}

// recordsOf is holds for the fields of an object. Resources of FHIR have lists of
// objects too, and are records themselves.
func recordsOf(fields []member) (list []json.RawMessage) {
	for _, f := range fields {
		var objects []json.RawMessage
		if f.name == "resourceType" {
			return nil
		}
		if raw := bytes.TrimSpace(f.raw); len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &objects) != nil || len(objects) < 2 {
			continue
		}
		for _, o := range objects {
			if o[0] != '{' {
				objects = nil
				break
			}
		}
		if objects != nil && list != nil {
			return nil
		}
		if objects != nil {
			list = objects
		}
	}
	if list == nil {
		return rowsOf(fields)
	}
	return list
}

// mayHold reports the start of a long line that may be such an object.
func mayHold(line []byte) bool {
	compact := bytes.ReplaceAll(line, []byte{' '}, nil)
	at := bytes.Index(compact, []byte(`":[{`))
	return at >= 0 && bytes.Count(compact[:at], []byte{'{'})-bytes.Count(compact[:at], []byte{'}'}) == 1 &&
		!bytes.Contains(compact[:at], []byte(`"resourceType"`))
}

// isBundle reports a FHIR resource that holds others.
func isBundle(line []byte) bool {
	const enough = 1 << 10
	line = line[:min(len(line), enough)]
	compact := bytes.ReplaceAll(line, []byte{' '}, nil)
	return bytes.Contains(compact, []byte(`"resourceType":"Bundle"`))
}

// isObject reports whether a text that begins with a bracket is JSON as far as
// it goes.
func isObject(text []byte, complete bool) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); err != nil {
			return err == io.EOF && complete || !complete && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF))
		}
	}
}

// Lines returns a JSON document as lines, one object each: the elements of a
// list, the resources of a FHIR bundle, an object that is written on several
// lines. The element of a list must not be longer than a line may be.
func Lines(ctx context.Context, in source.Input) (source.Input, error) {
	in, err := in.Reusable(ctx)
	if err != nil {
		return source.Input{}, err
	}
	return source.Made(in, func(ctx context.Context, w io.Writer) error {
		text, err := in.Text(ctx, nil)
		if err != nil {
			return err
		}
		defer text.Close()
		s := &splitter{in: in, limit: &bounded{r: text}, w: w}
		s.d = json.NewDecoder(s.limit)
		return s.run(ctx)
	}), nil
}

// bounded fails when more is read at once than one element may hold.
type bounded struct {
	r    io.Reader
	used int64
}

var errTooLong = errors.New("too long")

func (b *bounded) Read(p []byte) (int, error) {
	if b.used > source.MaxLine {
		return 0, errTooLong
	}
	n, err := b.r.Read(p)
	b.used += int64(n)
	return n, err
}

// splitter writes the objects of a document, one a line.
type splitter struct {
	in    source.Input
	limit *bounded
	d     *json.Decoder
	w     io.Writer
	line  bytes.Buffer
	rows  rows
}

func (s *splitter) run(ctx context.Context) error {
	for {
		t, err := s.d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.fail(err)
		}
		switch t {
		case json.Delim('['):
			err = s.list(ctx, s.element)
		case json.Delim('{'):
			err = s.object(ctx)
		default:
			err = fmt.Errorf("an object {…} is needed, found %v", t)
		}
		if err != nil {
			return s.fail(err)
		}
	}
}

// fail words what is wrong with the document; errors of the machine stay.
func (s *splitter) fail(err error) error {
	msg := "the JSON is damaged here: " + reason(err)
	switch {
	case errors.Is(err, io.ErrClosedPipe), errors.Is(err, context.Canceled), source.Unreadable(err):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		msg = "the JSON is cut off"
	case errors.Is(err, errTooLong):
		msg = fmt.Sprintf("one object is longer than %d MB", source.MaxLine>>20)
	}
	return &record.ParseError{File: s.in.Name, Msg: fmt.Sprintf("%s (byte %d)", msg, s.d.InputOffset()+1)}
}

// list hands the elements of a list that has begun to each, and takes its end.
func (s *splitter) list(ctx context.Context, each func() error) error {
	for s.d.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.limit.used = 0
		if err := each(); err != nil {
			return err
		}
	}
	_, err := s.d.Token()
	return err
}

// element writes the next value as a line.
func (s *splitter) element() error {
	var raw json.RawMessage
	if err := s.d.Decode(&raw); err != nil {
		return err
	}
	for _, row := range s.rows.take(raw) {
		if err := s.write(row); err != nil {
			return err
		}
	}
	return nil
}

func (s *splitter) write(raw []byte) error {
	s.line.Reset()
	if err := json.Compact(&s.line, raw); err != nil {
		return err
	}
	s.line.WriteByte('\n')
	_, err := s.w.Write(s.line.Bytes())
	return err
}

// object writes an object that has begun; of a bundle, or of one that keeps
// records in a list, what it holds.
func (s *splitter) object(ctx context.Context) error {
	var fields []member
	bundle, size := false, 0
	for s.d.More() {
		key, err := s.d.Token()
		if err != nil {
			return err
		}
		if key == "entry" {
			t, err := s.d.Token()
			if err != nil {
				return err
			}
			if t == json.Delim('[') {
				bundle = true
				if err := s.list(ctx, s.entry); err != nil {
					return err
				}
				continue
			}
			return errors.New("the field entry of a bundle must be a list")
		}
		f := member{name: fmt.Sprint(key)}
		if err := s.d.Decode(&f.raw); err != nil {
			return err
		}
		fields = append(fields, f)
		if size += len(f.name) + len(f.raw); size > source.MaxLine {
			return errTooLong
		}
	}
	if _, err := s.d.Token(); err != nil || bundle {
		return err
	}
	if list := recordsOf(fields); list != nil {
		for _, raw := range list {
			if err := s.write(raw); err != nil {
				return err
			}
		}
		return nil
	}
	return s.write(objectOf(fields))
}

// entry writes the resource of an entry of a bundle; one without is passed by.
func (s *splitter) entry() error {
	var e struct {
		Resource json.RawMessage `json:"resource"`
	}
	if err := s.d.Decode(&e); err != nil || len(e.Resource) == 0 {
		return err
	}
	return s.write(e.Resource)
}
