package read

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// mostTurned is the text of a table that may be turned round: all of it is in
// memory, some ten times as large.
const mostTurned = 64 << 20

// upright turns a table round that lies on its side: records are its columns. It
// does so where the user says so, and where the cells say so beyond doubt.
func upright(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) ([]source.Input, Options, error) {
	if len(inputs) != 1 || !inputs[0].Again() && !o.Transpose { // a stream is read once
		return inputs, o, nil
	}
	t, err := lying(ctx, inputs[0], o)
	if err != nil || t == nil {
		return inputs, o, err
	}
	in := inputs[0]
	switch t.form {
	case perhaps:
		p.Note("%s may lie on its side, with rows that are features such as genes; with the columns as records: --transpose", in.Name)
		return inputs, o, nil
	case longMeasured:
		return []source.Input{measured(in, t.rows, p)}, wideOptions(o), nil
	case counted:
		p.Note("%s lies on its side: its rows are counted features such as genes, so the columns are the records; with the rows as records: --format counts", in.Name)
	case measuredSideways:
		p.Note("%s lies on its side: its rows are measured features such as genes, so the columns are the records; with the rows as records: --format real", in.Name)
	case codedSideways:
		p.Note("%s lies on its side: its rows are codes that a record has or not, so the columns are the records; with the rows as records: --format binary", in.Name)
	case mixedSideways:
		p.Note("%s lies on its side: every row holds numbers or words alone, and every column both, so the columns are the records", in.Name)
	}
	if t.large {
		o.large = t
		return inputs, o, nil
	}
	o = wideOptions(o)
	if t.form == counted {
		o.typed = []delimited.Declared{{Column: "*", Kind: record.Counts}}
	}
	return []source.Input{source.Made(in, func(_ context.Context, w io.Writer) error { return writeTurned(w, t.rows) })}, o, nil
}

// wideOptions are those of a table that was written here.
func wideOptions(o Options) Options {
	o.Separator, o.Header, o.SkipLines, o.Transpose = ",", "yes", 0, false
	return o
}

// turnable is a table that is to be turned.
type turnable struct {
	form  sideways
	rows  [][]string
	large bool // rows are not held: it is read as a matrix of numbers
	sep   rune
	head  int // lines above the features
}

// lying returns the table that is to be turned, else nil. Containers and matrices are
// no tables of text and have their own ways.
func lying(ctx context.Context, in source.Input, o Options) (*turnable, error) {
	if _, ok, err := contained(ctx, in); ok || err != nil {
		return nil, err
	}
	lines, whole, err := in.Lines(ctx, sniffBytes)
	if err != nil {
		return nil, err
	}
	if err := strange(in.Name, lines); err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, nil
	}
	form := orientation(ctx, in, lines, o)
	if form == perhaps {
		return &turnable{form: form}, nil
	}
	if _, ok := byContent(in, lines); ok && (form == standing || form == asked) || form == standing && (!whole || len(lines) > mostLying+1) {
		return nil, nil
	}
	prof, err := delimited.Survey(ctx, in, o.delimited(delimited.Long))
	switch {
	case err != nil && !o.Transpose || err == nil && len(prof.Columns) < 2:
		return nil, nil // whoever opens it says what is wrong
	case err != nil:
		return nil, err
	}
	t := &turnable{form: form, sep: rune(prof.Separator)}
	t.rows, err = allRows(ctx, in, t.sep, o.SkipLines)
	switch {
	case errors.Is(err, source.ErrTooLarge) && (form == counted || form == measuredSideways):
		t.large, t.head = true, headOf(lines)
		return t, nil
	case errors.Is(err, source.ErrTooLarge) && !o.Transpose:
		return nil, nil // too large to be turned here
	case err != nil:
		return nil, err
	case form == longMeasured && !fewVariables(t.rows):
		return nil, nil
	case form == counted || form == measuredSideways:
		if t.rows = uprightNumbers(t.rows); t.rows == nil {
			return nil, nil
		}
	case form == standing:
		if t.form = mixedSideways; !onItsSide(t.rows) {
			return nil, nil
		}
	}
	return t, nil
}

// orientation is what the names in a table say of how it lies, or what was asked for.
func orientation(ctx context.Context, in source.Input, lines []string, o Options) sideways {
	switch {
	case o.Transpose:
		return asked
	case o.Format != "" && o.Format != "auto":
		return standing
	case o.ID == "" && o.Code == "" && o.Unit == "" && isMeasured(lines):
		return longMeasured
	}
	if long, err := topLines(ctx, in); err == nil {
		lines = long
	}
	return sidewaysByName(lines)
}

// allRows reads a table whole.
func allRows(ctx context.Context, in source.Input, sep rune, skip int) ([][]string, error) {
	r, err := in.Text(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, mostTurned+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostTurned {
		return nil, fmt.Errorf("%s: %w: ‹transpose› turns tables of up to %d MB of text: turn it round before", in.Name, source.ErrTooLarge, mostTurned>>20)
	}
	all := string(text)
	for range skip {
		_, all, _ = strings.Cut(all, "\n")
	}
	c := csv.NewReader(strings.NewReader(all))
	c.Comma, c.LazyQuotes, c.FieldsPerRecord, c.TrimLeadingSpace = sep, true, -1, sep == ' '
	rows, err := c.ReadAll()
	if bad := new(csv.ParseError); errors.As(err, &bad) {
		return nil, fmt.Errorf("%s: %w: line %d cannot be parted into cells", in.Name, source.ErrUnfit, bad.Line)
	}
	return rows, err
}

// Bounds of what is recognised by the cells: many more columns than rows, and few rows.
const (
	mostLying  = 60
	leastLying = 10
)

// onItsSide reports a table whose rows are each of one kind, numbers or words, and
// both kinds are there: then no column is of one kind, as columns of records are.
func onItsSide(rows [][]string) bool {
	if len(rows) < 3 || len(rows[0]) < leastLying+1 || len(rows[0]) < 2*len(rows) {
		return false
	}
	names, numbers, words := map[string]bool{}, 0, 0
	for i, row := range rows {
		if len(row) != len(rows[0]) || row[0] == "" && i > 0 || names[row[0]] || isNumber(row[0]) {
			return false
		}
		names[row[0]] = true
		filled, n := 0, 0
		for _, cell := range row[1:] {
			if cell != "" && cell != "NA" {
				filled++
				if isNumber(cell) {
					n++
				}
			}
		}
		switch {
		case i == 0:
		case 2*filled < len(row):
			return false
		case n == filled:
			numbers++
		case n == 0:
			words++
		default:
			return false
		}
	}
	return numbers > 0 && words > 0
}

// isNumber reports a number with a decimal point or comma.
func isNumber(cell string) bool {
	_, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(cell), ",", ".", 1), 64)
	return err == nil
}

// writeTurned writes the table with its columns as rows; short rows end in empty
// cells.
func writeTurned(w io.Writer, rows [][]string) error {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var line []byte
	cells := make([]string, len(rows))
	for j := range width {
		for i, row := range rows {
			cells[i] = ""
			if j < len(row) {
				cells[i] = row[j]
			}
		}
		line = source.Row(line[:0], cells)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
