package jsonl

import (
	"bytes"
	"encoding/json"
	"sort"
)

// kind is what a field holds.
type kind int

const (
	other  kind = iota
	text        // a string
	number      // a number
	truth       // true or false
	list        // a list of strings or numbers
	counts      // an object of numbers
)

// field is what the first lines tell about a field.
type field struct {
	name   string
	kind   kind
	length int // of the longest text
}

// firstLines is the number of lines that tell the fields.
const firstLines = 100

// fields reads the first lines; fields come in the order of the first line they
// appear in, by name within a line.
func fields(head []byte) []field {
	var fields []field
	place := map[string]int{}
	for range firstLines {
		var l []byte
		var more bool
		l, head, more = bytes.Cut(head, []byte{'\n'})
		var object map[string]json.RawMessage
		if json.Unmarshal(l, &object) == nil {
			for _, name := range sortedNames(object) {
				at, ok := place[name]
				if !ok {
					at = len(fields)
					place[name] = at
					fields = append(fields, field{name: name})
				}
				fields[at].see(object[name])
			}
		}
		if !more {
			break
		}
	}
	return fields
}

func sortedNames(object map[string]json.RawMessage) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// see takes note of a value; null tells nothing.
func (f *field) see(raw json.RawMessage) {
	if len(raw) == 0 || f.kind != other && (f.kind != text || raw[0] != '"') {
		return
	}
	switch raw[0] {
	case '"':
		f.kind, f.length = text, max(f.length, len(raw))
	case 't', 'f':
		f.kind = truth
	case 'n':
	case '[':
		if _, err := listOf(raw); err == nil {
			f.kind = list
		}
	case '{':
		if _, _, err := countsOf(raw); err == nil {
			f.kind = counts
		}
	default:
		f.kind = number
	}
}

func kindOf(fields []field, name string) kind {
	for _, f := range fields {
		if f.name == name {
			return f.kind
		}
	}
	return other
}
