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
	// Choice is a reading beside which another is as possible: it names the other one. Who
	// fits without looking must learn of it.
	Choice Subject = "choice"
	// Guess is what stays out of the groups because it was guessed that it does not belong to
	// them: nobody said so, and its cells may well make groups. Nothing found without it is sure.
	Guess Subject = "guess"
)

// A Note is a remark about a whole input, in words for people.
type Note struct {
	Of   Subject `json:"of"`
	Text string  `json:"text"`
}

// Note adds a remark on how the input was understood.
func (p *Problems) Note(format string, args ...any) {
	p.Notes = append(p.Notes, Note{Of: Understood, Text: fmt.Sprintf(format, args...)})
}

// Aside adds a remark on what was not taken as it stands.
func (p *Problems) Aside(format string, args ...any) {
	p.Notes = append(p.Notes, Note{Of: Aside, Text: fmt.Sprintf(format, args...)})
}

// Texts are the words of the notes but guesses, of which warnings tell.
func Texts(notes []Note) []string {
	var out []string
	for _, n := range notes {
		if n.Of != Guess {
			out = append(out, n.Text)
		}
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
