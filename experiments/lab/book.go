package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Book is what experiments printed, and the figures of their tables seed by seed:
// the page of results is made from it.
type Book struct {
	Experiments []Entry `json:"experiments"`
}

// Entry is one experiment of a book.
type Entry struct {
	Name   string     `json:"name"`
	What   string     `json:"what"`
	Text   string     `json:"text"` // as printed
	Tables []Recorded `json:"tables"`
}

// Recorded is a table with its figures.
type Recorded struct {
	Heading string   `json:"heading"`
	Head    []string `json:"head"`
	Rows    [][]Cell `json:"rows"`
}

// Cell is one entry of a table.
type Cell struct {
	Text   string `json:"text"`
	Values Series `json:"values,omitempty"` // of every seed, where it is a mean
}

// Recorder is a writer that keeps the tables written to it.
type Recorder struct {
	w       io.Writer
	text    bytes.Buffer
	heading string
	tables  []Recorded
}

// NewRecorder returns a recorder that passes everything on to w.
func NewRecorder(w io.Writer) *Recorder { return &Recorder{w: w} }

// Write implements io.Writer; a line "## …" is the heading of the tables after it.
func (r *Recorder) Write(p []byte) (int, error) {
	for _, line := range strings.Split(string(p), "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			r.heading = title
		}
	}
	r.text.Write(p)
	return r.w.Write(p)
}

func (r *Recorder) keep(t *Table) {
	r.tables = append(r.tables, Recorded{Heading: r.heading, Head: t.head, Rows: t.rows})
}

// Entry returns what was recorded.
func (r *Recorder) Entry(name, what string) Entry {
	return Entry{Name: name, What: what, Text: r.text.String(), Tables: r.tables}
}

// Put adds an entry in the place of the one of its name.
func (b *Book) Put(e Entry) {
	for i := range b.Experiments {
		if b.Experiments[i].Name == e.Name {
			b.Experiments[i] = e
			return
		}
	}
	b.Experiments = append(b.Experiments, e)
}

// Find returns the cell of an experiment whose heading begins with heading (or
// contains it), whose first cells joined by spaces begin with row, and whose column
// begins with col; the first that fits.
func (b *Book) Find(experiment, heading, row, col string) (Cell, error) {
	for _, e := range b.Experiments {
		if e.Name != experiment {
			continue
		}
		for _, t := range e.Tables {
			if !strings.Contains(t.Heading, heading) {
				continue
			}
			if c, ok := t.find(row, col); ok {
				return c, nil
			}
		}
	}
	return Cell{}, fmt.Errorf("lab: no figure %q, %q of %q in the experiment %s", row, col, heading, experiment)
}

// find prefers a row whose first cell is row, and a column whose head is col, to
// those that begin so.
func (t Recorded) find(row, col string) (Cell, bool) {
	at, ok := pick(len(t.Rows), row, func(i int) (whole, joined string) {
		var label strings.Builder
		for _, c := range t.Rows[i] {
			label.WriteString(c.Text + " ")
		}
		return t.Rows[i][0].Text, label.String()
	})
	if !ok {
		return Cell{}, false
	}
	cells := t.Rows[at]
	j, ok := pick(len(t.Head), col, func(i int) (whole, joined string) { return t.Head[i], t.Head[i] })
	if !ok || j >= len(cells) {
		return Cell{}, false
	}
	return cells[j], true
}

// pick returns the first of n that is called name, or else begins with it.
func pick(n int, name string, called func(i int) (whole, joined string)) (int, bool) {
	begins := -1
	for i := range n {
		whole, joined := called(i)
		if whole == name {
			return i, true
		}
		if begins < 0 && strings.HasPrefix(joined, name) {
			begins = i
		}
	}
	return begins, begins >= 0
}

// ReadBook reads a book; a file that is not there is an empty one.
func ReadBook(path string) (*Book, error) {
	b := new(Book)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// Save writes the book.
func (b *Book) Save(path string) error {
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
