// Package biom reads tables of observations by samples as the Biological Observation
// Matrix format 1.0 writes them in JSON: dense or sparse, a line an observation.
//
// It takes an opened input and gives the matrix turned, a record a sample. The list of
// entries may stand before the names and is gone through twice, never held.
//
// Step in the flow: source -> read/biom -> record. It must not know models.
package biom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/turned"
	"github.com/moiety-go/moiety/record"
)

// Is reports the start of such a document.
func Is(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && (bytes.Contains(head, []byte(`"Biological Observation Matrix`)) ||
		bytes.Contains(head, []byte(`"matrix_type"`)) && bytes.Contains(head, []byte(`"matrix_element_type"`)))
}

// axis is an observation or a sample.
type axis struct {
	ID       any            `json:"id"`
	Metadata map[string]any `json:"metadata"`
}

// head is the document without its entries.
type head struct {
	form          string
	shape         []int
	rows, columns []axis
	data          bool
}

// New reads all but the entries.
func New(ctx context.Context, in source.Input, p *record.Problems) (record.Source, error) {
	in, err := in.Reusable(ctx)
	if err != nil {
		return nil, err
	}
	var h head
	if err := walk(ctx, in, &h, nil); err != nil {
		return nil, err
	}
	if err := h.check(in.Name); err != nil {
		return nil, err
	}
	m := turned.Matrix{Format: "biom", Titles: map[string]string{}, Twice: func(n int) {
		p.Repaired("feature names that are empty or come twice, told apart by their number", n)
	}}
	for _, r := range h.rows {
		name := text(r.ID)
		m.Features = append(m.Features, name)
		if t := taxon(r.Metadata); t != "" {
			m.Titles[name] = t
		}
	}
	for _, c := range h.columns {
		m.Records = append(m.Records, text(c.ID))
	}
	m.Side, m.Sides = described(h.columns)
	m.Entries = func(ctx context.Context, add func(i, j int, v float64) error) error {
		return walk(ctx, in, &head{form: h.form, shape: h.shape}, add)
	}
	return turned.New(m), nil
}

func (h *head) check(name string) error {
	wrong := func(format string, args ...any) error {
		return &record.ParseError{File: name, Msg: "a BIOM matrix: " + fmt.Sprintf(format, args...)}
	}
	switch {
	case h.form != "dense" && h.form != "sparse":
		return wrong("matrix_type is %q, and dense and sparse are read", h.form)
	case len(h.shape) != 2 || h.shape[0] != len(h.rows) || h.shape[1] != len(h.columns):
		return wrong("a shape of %v does not fit %d rows and %d columns", h.shape, len(h.rows), len(h.columns))
	case !h.data:
		return wrong("there is no list of data")
	case len(h.columns) == 0:
		return fmt.Errorf("%s: a BIOM matrix without samples: %w", name, source.ErrEmpty)
	}
	return nil
}

// walk goes through a document: it fills h, and hands the entries to add where there
// is one.
func walk(ctx context.Context, in source.Input, h *head, add func(i, j int, v float64) error) error {
	opened, err := in.Text(ctx, nil)
	if err != nil {
		return err
	}
	defer opened.Close()
	d := json.NewDecoder(opened)
	err = h.document(ctx, d, add)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &record.ParseError{File: in.Name, Msg: "the JSON is cut off"}
	case errors.As(err, &syntax), errors.As(err, &kind), errors.Is(err, errShape):
		return &record.ParseError{File: in.Name, Msg: fmt.Sprintf("the JSON is not that of a BIOM matrix (byte %d)", d.InputOffset()+1)}
	}
	return err
}

// errShape says that a value is not what its field asks for.
var errShape = errors.New("another shape")

func open(d *json.Decoder, delim json.Delim) error {
	t, err := d.Token()
	if err == nil && t != delim {
		return errShape
	}
	return err
}

func (h *head) document(ctx context.Context, d *json.Decoder, add func(i, j int, v float64) error) error {
	if err := open(d, '{'); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		switch {
		case key == "data" && add != nil:
			err = h.entries(ctx, d, add)
		case key == "data":
			h.data = true
			err = pass(d)
		case add != nil:
			err = pass(d)
		case key == "matrix_type":
			err = d.Decode(&h.form)
		case key == "shape":
			err = d.Decode(&h.shape)
		case key == "rows":
			h.rows, err = axes(d)
		case key == "columns":
			h.columns, err = axes(d)
		default:
			err = pass(d)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func axes(d *json.Decoder) (out []axis, err error) {
	if err := open(d, '['); err != nil {
		return nil, err
	}
	for d.More() {
		var a axis
		if err := d.Decode(&a); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	_, err = d.Token()
	return out, err
}

// pass goes over a value of any size.
func pass(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// entries hands over what is not 0.
func (h *head) entries(ctx context.Context, d *json.Decoder, add func(i, j int, v float64) error) error {
	if err := open(d, '['); err != nil {
		return err
	}
	var row []float64
	for n := 0; d.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row = row[:0]
		if err := d.Decode(&row); err != nil {
			return err
		}
		if err := h.line(n, row, add); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// line hands over a list: a line of a dense matrix, or line, column and value.
func (h *head) line(n int, row []float64, add func(i, j int, v float64) error) error {
	if h.form == "dense" {
		if n >= h.shape[0] || len(row) != h.shape[1] {
			return errShape
		}
		for i, v := range row {
			if v == 0 {
				continue
			}
			if err := add(i, n, v); err != nil {
				return err
			}
		}
		return nil
	}
	if len(row) != 3 {
		return errShape
	}
	j, i := int(row[0]), int(row[1])
	if j < 0 || j >= h.shape[0] || i < 0 || i >= h.shape[1] || float64(j) != row[0] || float64(i) != row[1] {
		return errShape
	}
	if row[2] == 0 {
		return nil
	}
	return add(i, j, row[2])
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		var parts []string
		for _, p := range v {
			parts = append(parts, text(p))
		}
		return strings.Join(parts, "; ")
	}
	return fmt.Sprint(v)
}

// taxon is what is said of an observation.
func taxon(about map[string]any) string {
	for _, key := range []string{"taxonomy", "Taxonomy", "taxon", "name"} {
		if t := text(about[key]); t != "" {
			return t
		}
	}
	return ""
}

// described are the plain fields of the samples, by name.
func described(columns []axis) (names []string, values [][]string) {
	for _, c := range columns {
		for name, v := range c.Metadata {
			if _, deep := v.(map[string]any); !deep && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		of := make([]string, len(columns))
		for i, c := range columns {
			of[i] = text(c.Metadata[name])
		}
		values = append(values, of)
	}
	return names, values
}
