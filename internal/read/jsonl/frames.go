package jsonl

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/moiety-go/moiety/internal/pattern"
)

// Frames are tables that programs of analysis write as one JSON object or list: columns
// that hold lists, columns or rows that hold objects, names beside a list of rows.

// frameStart is how a frame begins whose first line is too long to be looked at.
var frameStart = pattern.New(`^\{\s*"[^"]*"\s*:\s*(\[[^{}]*$|\{\s*"0"\s*:|\[[^{}]*\],)|^\{\s*"0"\s*:\s*\{`)

// rowsOf returns the rows of a frame as objects, nil for any other object.
func rowsOf(fields []member) []json.RawMessage {
	if rows := splitFrame(fields); rows != nil {
		return rows
	}
	if len(fields) < 2 {
		return nil
	}
	lists, inner := make([][]json.RawMessage, len(fields)), make([][]member, len(fields))
	for i, f := range fields {
		raw := bytes.TrimSpace(f.raw)
		switch {
		case len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &lists[i]) == nil && flat(lists[i]) && len(lists[i]) > 1:
			if len(lists[i]) != len(lists[0]) {
				return nil
			}
		case len(raw) > 0 && raw[0] == '{':
			if inner[i] = membersOf(raw); len(inner[i]) == 0 {
				return nil
			}
		default:
			return nil
		}
	}
	switch {
	case lists[0] != nil && inner[len(inner)-1] == nil:
		return columnsOfLists(fields, lists)
	case lists[0] == nil && allOf(inner):
		return rowsOfObjects(fields, inner)
	}
	return nil
}

func allOf(inner [][]member) bool {
	for _, m := range inner {
		if m == nil {
			return false
		}
	}
	return true
}

// flat reports values that are neither lists nor objects.
func flat(list []json.RawMessage) bool {
	for _, raw := range list {
		if raw[0] == '[' || raw[0] == '{' {
			return false
		}
	}
	return true
}

// membersOf returns the fields of an object in order.
func membersOf(raw []byte) (out []member) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		f := member{}
		if err != nil || d.Decode(&f.raw) != nil {
			return nil
		}
		f.name, _ = key.(string)
		out = append(out, f)
	}
	return out
}

// splitFrame reads {"columns": […], "data": [[…], …]}, perhaps with "index".
func splitFrame(fields []member) []json.RawMessage {
	var names, index []json.RawMessage
	var data [][]json.RawMessage
	for _, f := range fields {
		var err error
		switch f.name {
		case "columns":
			err = json.Unmarshal(f.raw, &names)
		case "index":
			err = json.Unmarshal(f.raw, &index)
		case "data":
			err = json.Unmarshal(f.raw, &data)
		}
		if err != nil {
			return nil
		}
	}
	if len(names) == 0 || len(data) < 2 || !flat(names) {
		return nil
	}
	var out []json.RawMessage
	for i, row := range data {
		var cells []member
		if len(index) == len(data) && flat(index) {
			cells = append(cells, member{"row", index[i]})
		}
		for j, raw := range row {
			if j < len(names) {
				cells = append(cells, member{cellOf(names[j]), raw})
			}
		}
		out = append(out, objectOf(cells))
	}
	return out
}

// columnsOfLists reads {"a": [1, 2], "b": [3, 4]}.
func columnsOfLists(fields []member, lists [][]json.RawMessage) (out []json.RawMessage) {
	for i := range lists[0] {
		cells := make([]member, len(fields))
		for j, f := range fields {
			cells[j] = member{f.name, lists[j][i]}
		}
		out = append(out, objectOf(cells))
	}
	return out
}

// rowsOfObjects reads {"a": {"0": 1, "1": 2}, "b": {…}} by columns and {"0": {"a": 1,
// "b": 3}, "1": {…}} by rows: rows are numbered, and where nothing is, there are more
// rows than columns.
func rowsOfObjects(fields []member, inner [][]member) (out []json.RawMessage) {
	for _, m := range inner {
		for _, f := range m {
			if f.raw[0] == '[' || f.raw[0] == '{' {
				return nil
			}
		}
	}
	if numbered(fields[0].name) && numbered(fields[1].name) || !numbered(inner[0][0].name) && len(fields) > len(inner[0]) {
		for i, f := range fields {
			out = append(out, objectOf(append([]member{{"row", quoted(f.name)}}, inner[i]...)))
		}
		return out
	}
	var order []string
	rows := map[string][]member{}
	for i, f := range fields {
		for _, cell := range inner[i] {
			if rows[cell.name] == nil {
				order = append(order, cell.name)
				rows[cell.name] = []member{{"row", quoted(cell.name)}}
			}
			rows[cell.name] = append(rows[cell.name], member{f.name, cell.raw})
		}
	}
	for _, name := range order {
		out = append(out, objectOf(rows[name]))
	}
	return out
}

func numbered(name string) bool { _, err := strconv.Atoi(name); return err == nil }

func quoted(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a text always can be
	return raw
}

// objectOf writes an object of these fields.
func objectOf(fields []member) json.RawMessage {
	text := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, quoted(f.name)...), ':'), f.raw...)
	}
	return append(text, '}')
}

// rows are the elements of a list that are no objects: texts, or lists of cells.
type rows struct {
	names []string
	first []json.RawMessage // kept until the second row tells whether it holds names
	seen  bool
}

// take returns an element as objects: none for a first row, two behind it where it
// held no names.
func (r *rows) take(raw json.RawMessage) (out []json.RawMessage) {
	var cells []json.RawMessage
	switch {
	case raw[0] == '"':
		return []json.RawMessage{objectOf([]member{{"text", raw}})}
	case raw[0] != '[' || json.Unmarshal(raw, &cells) != nil:
		return []json.RawMessage{raw}
	case !r.seen:
		r.first, r.seen = cells, true
		return nil
	}
	if first := r.first; first != nil {
		r.first = nil
		if words(first) && !words(cells) {
			for _, c := range first {
				r.names = append(r.names, cellOf(c))
			}
		} else {
			out = append(out, r.object(first))
		}
	}
	return append(out, r.object(cells))
}

func (r *rows) object(cells []json.RawMessage) json.RawMessage {
	fields := make([]member, len(cells))
	for i, c := range cells {
		fields[i] = member{"column" + strconv.Itoa(i+1), c}
		if i < len(r.names) {
			fields[i].name = r.names[i]
		}
	}
	return objectOf(fields)
}

// words reports cells that are all texts.
func words(cells []json.RawMessage) bool {
	for _, c := range cells {
		if c[0] != '"' {
			return false
		}
	}
	return true
}

// noNumber are what JSON has no word for, and programs write all the same.
var noNumber = pattern.New(`([:\[,]\s*)(?:NaN|-?Infinity)(\s*[,\]}])`)

// mended returns a line that is no JSON with these as null.
func mended(line []byte) []byte {
	line = noNumber.ReplaceAll(line, []byte("${1}null$2"))
	return noNumber.ReplaceAll(line, []byte("${1}null$2")) // neighbours share a comma
}
