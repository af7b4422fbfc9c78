package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// maxColumns bounds the fields of a table of objects.
const maxColumns = 1 << 16

// Table returns flat objects, one a line, as a table of text with a column for
// each field of any line, in order of first appearance. A field of an object in
// an object is called "outer.inner"; lists are left out and named, or written with
// a sign between their parts where one is given. All lines are read once for the
// fields; malformed ones go to problems.
func Table(ctx context.Context, inputs []source.Input, sign string, p *record.Problems) (tables []source.Input, left []string, err error) {
	columns, lists := record.NewDict(), record.NewDict()
	again := make([]source.Input, len(inputs))
	for i, in := range inputs {
		if again[i], err = in.Reusable(ctx); err != nil {
			return nil, nil, err
		}
		err = objects(ctx, again[i], p, func(path, value []byte) {
			switch {
			case columns.Len()+lists.Len() > maxColumns: // reported below
			case value[0] == '[' && sign == "":
				lists.AddBytes(path)
			default:
				columns.AddBytes(path)
			}
		}, nothing, nothing)
		if err == nil && columns.Len()+lists.Len() > maxColumns {
			err = fmt.Errorf("%s: %w: more than %d different fields", in.Name, source.ErrTooLarge, maxColumns)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for _, name := range lists.Names() {
		if _, both := columns.Find(name); !both {
			left = append(left, name)
		}
	}
	if columns.Len() == 0 {
		return nil, nil, &record.ParseError{File: inputs[0].Name, Msg: "no object with a field that holds a text or a number"}
	}
	for _, in := range again {
		tables = append(tables, source.Made(in, func(ctx context.Context, w io.Writer) error {
			return writeTable(ctx, in, columns, sign, w)
		}))
	}
	return tables, left, nil
}

// writeTable writes the objects of one input as rows.
func writeTable(ctx context.Context, in source.Input, columns *record.Dict, sign string, w io.Writer) error {
	row := make([]string, columns.Len())
	buf := source.Row(nil, columns.Names())
	if _, err := w.Write(buf); err != nil {
		return err
	}
	return objects(ctx, in, nil, func(path, value []byte) {
		if at, ok := columns.Find(string(path)); ok {
			row[at] = cellOf(value)
			if value[0] == '[' && sign != "" {
				row[at] = joinedList(value, sign)
			}
		}
	}, func() error {
		buf = source.Row(buf[:0], row)
		clear(row)
		_, err := w.Write(buf)
		return err
	}, func() error { // an empty line, which has the number of a row
		_, err := w.Write([]byte{'\n'})
		return err
	})
}

func nothing() error { return nil }

// cellOf words a value: null and lists are empty.
func cellOf(raw []byte) string {
	switch raw[0] {
	case '"':
		var s string
		_ = json.Unmarshal(raw, &s) // it is valid
		return s
	case 'n', '[', '{':
		return ""
	}
	return string(raw)
}

// joinedList writes the parts of a list with a sign between them; what is no text or
// number is empty.
func joinedList(raw []byte, sign string) string {
	var parts []json.RawMessage
	_ = json.Unmarshal(raw, &parts) // it is valid
	cells := make([]string, len(parts))
	for i, p := range parts {
		cells[i] = strings.ReplaceAll(cellOf(p), sign, " ")
	}
	return strings.Join(cells, sign)
}

// objects calls leaf for every plain value and list of every valid line, and
// end behind it; blank is called for a line that holds none. Where problems are given,
// malformed lines are reported.
func objects(ctx context.Context, in source.Input, p *record.Problems, leaf func(path, value []byte), end, blank func() error) error {
	text, err := in.Text(ctx, p)
	if err != nil {
		return err
	}
	defer text.Close()
	cutter := source.NewCutter(in.Name, bufio.NewReader(text), 0, 0)
	for {
		ch, err := cutter.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line := ch.Line
		for data := ch.Data; len(data) > 0; line++ {
			var l []byte
			l, data, _ = bytes.Cut(data, []byte{'\n'})
			if l = bytes.TrimSpace(l); len(l) == 0 {
				if err := blank(); err != nil {
					return err
				}
				continue
			}
			valid := l[0] == '{' && json.Valid(l)
			if !valid {
				l = mended(l)
				valid = l[0] == '{' && json.Valid(l)
			}
			if !valid {
				if p != nil {
					if err := p.Malformed(&record.ParseError{File: in.Name, Line: line, Text: clip(l), Msg: notObject(l)}); err != nil {
						return err
					}
				}
				if err := blank(); err != nil {
					return err
				}
				continue
			}
			(&walker{b: l, leaf: leaf}).object(nil)
			if err := end(); err != nil {
				return err
			}
		}
		ch.Release()
	}
}

// notObject says why a line is no object.
func notObject(l []byte) string {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(l, &object); err != nil {
		return fmt.Sprintf("not an object of JSON (%s)", reason(err))
	}
	return "not an object of JSON"
}

// walker goes through a text that is known to be valid JSON.
type walker struct {
	b    []byte
	at   int
	leaf func(path, value []byte)
}

func (w *walker) space() {
	for w.at < len(w.b) && strings.IndexByte(" \t\r\n", w.b[w.at]) >= 0 {
		w.at++
	}
}

// object goes through an object whose fields are called path.name.
func (w *walker) object(path []byte) {
	w.at++
	for w.space(); w.b[w.at] != '}'; w.space() {
		if w.b[w.at] == ',' {
			w.at++
			w.space()
		}
		from := w.at
		w.skip()
		name := append(path[:len(path):len(path)], cellOf(w.b[from:w.at])...)
		w.space()
		w.at++ // the colon
		w.space()
		if w.b[w.at] == '{' {
			w.object(append(name, '.'))
			continue
		}
		from = w.at
		w.skip()
		w.leaf(name, w.b[from:w.at])
	}
	w.at++
}

// skip steps over a value.
func (w *walker) skip() {
	switch w.b[w.at] {
	case '"':
		for w.at++; w.b[w.at] != '"'; w.at++ {
			if w.b[w.at] == '\\' {
				w.at++
			}
		}
		w.at++
	case '[', '{':
		for depth := 0; ; {
			switch w.b[w.at] {
			case '"':
				w.skip()
				continue
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			w.at++
			if depth == 0 {
				return
			}
		}
	default:
		for w.at < len(w.b) && strings.IndexByte(" \t\r\n,]}", w.b[w.at]) < 0 {
			w.at++
		}
	}
}
