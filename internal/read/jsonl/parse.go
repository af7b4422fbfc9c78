package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// part is what one chunk gave.
type part struct {
	batch   record.Batch
	names   *record.Dict // features, numbered in this part
	seen    map[uint32]int
	skipped int
	first   []*record.ParseError
}

// keepFirst is the number of malformed lines a part keeps with their text.
const keepFirst = 20

// parse reads the lines of one chunk.
func (r *reader) parse(file string, ch source.Chunk) *part {
	p := &part{names: record.NewDict(), seen: map[uint32]int{}}
	if r.schema.Kind != record.Text {
		p.batch.Ptr = []int{0}
	}
	if len(r.o.Side) > 0 {
		p.batch.Side = make([][]string, len(r.o.Side))
	}
	line := ch.Line
	for data := ch.Data; len(data) > 0; line++ {
		var l []byte
		l, data, _ = bytes.Cut(data, []byte{'\n'})
		if l = bytes.TrimSpace(l); len(l) == 0 {
			p.batch.Gaps = append(p.batch.Gaps, p.batch.N())
			continue
		}
		if err := r.line(l, p); err != nil {
			p.batch.Gaps = append(p.batch.Gaps, p.batch.N())
			p.skipped++
			if len(p.first) < keepFirst {
				p.first = append(p.first, &record.ParseError{File: file, Line: line, Text: clip(l), Msg: err.Error()})
			}
		}
	}
	return p
}

func clip(l []byte) string {
	const most = 200
	return strings.ToValidUTF8(string(l[:min(len(l), most)]), "")
}

// line adds the record of one object. All fields are read before anything is
// added, so that a malformed line leaves no trace.
func (r *reader) line(l []byte, p *part) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(l, &object); err != nil && json.Unmarshal(mended(l), &object) != nil {
		return fmt.Errorf("not an object of JSON (%s)", reason(err))
	}
	id, err := scalar(find(object, r.o.ID))
	if err != nil {
		return fmt.Errorf("field %q: %w", r.o.ID, err)
	}
	sides := make([]string, len(r.o.Side))
	for i, name := range r.o.Side {
		if sides[i], err = scalar(find(object, name)); err != nil {
			sides[i] = "" // a list or an object says nothing in a column
		}
	}
	if r.schema.Kind == record.Text {
		body, err := scalar(find(object, r.o.Text))
		if err != nil {
			return fmt.Errorf("field %q: %w", r.o.Text, err)
		}
		p.batch.Text = append(p.batch.Text, body)
	} else if err := r.tokens(find(object, r.o.Tokens), p); err != nil {
		return fmt.Errorf("field %q: %w", r.o.Tokens, err)
	}
	if r.o.ID != "" {
		p.batch.IDs = append(p.batch.IDs, id)
	}
	for i, s := range sides {
		p.batch.Side[i] = append(p.batch.Side[i], s)
	}
	return nil
}

// find follows a path with points; a key that holds points itself comes first.
func find(object map[string]json.RawMessage, path string) json.RawMessage {
	if raw, ok := object[path]; ok || path == "" {
		return raw
	}
	first, rest, ok := strings.Cut(path, ".")
	if !ok {
		return nil
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(object[first], &inner) != nil {
		return nil
	}
	return find(inner, rest)
}

// scalar returns a text, number or truth value as text; missing and null give
// "".
func scalar(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	switch raw[0] {
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case '{', '[':
		return "", errors.New("a text or a number is needed, not a list or an object")
	case 'n':
		return "", nil
	default:
		return string(raw), nil
	}
}

// tokens adds the features of one record: a list of names, where each
// occurrence counts, or an object of counts. A missing field is an empty
// record.
func (r *reader) tokens(raw json.RawMessage, p *part) error {
	var names []string
	var values []float64
	var err error
	switch {
	case len(raw) == 0 || raw[0] == 'n':
	case raw[0] == '[':
		names, err = listOf(raw)
	case raw[0] == '{':
		names, values, err = countsOf(raw)
	default:
		err = errors.New("a list of names or an object of counts is needed")
	}
	if err != nil {
		return err
	}
	p.add(names, values)
	return nil
}

// listOf reads a list of texts or numbers.
func listOf(raw json.RawMessage) ([]string, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(items))
	for _, item := range items {
		s, err := scalar(item)
		if err != nil {
			return nil, fmt.Errorf("in the list: %w", err)
		}
		if s != "" {
			names = append(names, s)
		}
	}
	return names, nil
}

// countsOf reads an object of counts in the order of the line.
func countsOf(raw json.RawMessage) (names []string, values []float64, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var v float64
		if err := d.Decode(&v); err != nil || v < 0 || v != math.Trunc(v) || v > 1<<53 {
			return nil, nil, fmt.Errorf("the count of %q is not a whole number", key)
		}
		if v > 0 {
			names = append(names, key.(string))
			values = append(values, v)
		}
	}
	return names, values, nil
}

// add appends one record; equal names are added up.
func (p *part) add(names []string, values []float64) {
	clear(p.seen)
	for i, name := range names {
		v := 1.0
		if values != nil {
			v = values[i]
		}
		f := p.names.Add(name)
		if at, ok := p.seen[f]; ok {
			p.batch.Value[at] += v
			continue
		}
		p.seen[f] = len(p.batch.Feature)
		p.batch.Feature = append(p.batch.Feature, f)
		p.batch.Value = append(p.batch.Value, v)
	}
	p.batch.Ptr = append(p.batch.Ptr, len(p.batch.Feature))
}

// reason words an error of the JSON parser for people.
func reason(err error) string {
	return strings.TrimPrefix(err.Error(), "json: ")
}
