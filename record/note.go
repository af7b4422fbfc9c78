package record

import (
	"encoding/json"
	"fmt"
)

// A Subject is what a remark about an input is of.
type Subject string

const (
	// Understood is how the input was understood: its format, its encoding, the roles
	// of its columns. Who looks before fitting reads it.
	Understood Subject = "understood"
	// Aside is what was not taken as it stands: cells that are read as missing, lines,
	// columns or names that are left out. Who fits without looking must learn of it.
	Aside Subject = "aside"
)

// A Note is a remark about a whole input, in words for people.
type Note struct {
	Of   Subject `json:"of"`
	Text string  `json:"text"`
}

// Note adds a remark on how the input was understood.
func (p *Problems) Note(format string, args ...any) {
	p.Notes = append(p.Notes, Note{Understood, fmt.Sprintf(format, args...)})
}

// Aside adds a remark on what was not taken as it stands.
func (p *Problems) Aside(format string, args ...any) {
	p.Notes = append(p.Notes, Note{Aside, fmt.Sprintf(format, args...)})
}

// Texts are the words of the notes.
func Texts(notes []Note) []string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Text)
	}
	return out
}

// UnmarshalJSON takes a bare text too, as runs were written before notes said what
// they are of.
func (n *Note) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		n.Of = Understood
		return json.Unmarshal(data, &n.Text)
	}
	type plain Note
	return json.Unmarshal(data, (*plain)(n))
}
