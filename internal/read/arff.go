package read

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// ARFF files of Weka and OpenML name and describe their columns in lines of their own, and
// become tables. Rows that list what is not zero are written out.

// mostSparse is the number of columns up to which such rows are written out.
const mostSparse = 10000

// asTable turns ARFF files into tables; other inputs stay as they are.
func asTable(ctx context.Context, inputs []source.Input, p *record.Problems) ([]source.Input, error) {
	if is, err := isARFF(ctx, inputs[0]); !is || err != nil {
		return inputs, nil // whoever opens it says what is wrong
	}
	p.Note("%s is an ARFF file; its attributes are the columns", inputs[0].Name)
	out := slices.Clone(inputs)
	for i := range inputs {
		in, err := inputs[i].Reusable(ctx)
		if err != nil {
			return nil, err
		}
		out[i] = source.Made(in, func(ctx context.Context, w io.Writer) error { return writeARFF(ctx, w, in) })
	}
	return out, nil
}

func isARFF(ctx context.Context, in source.Input) (bool, error) {
	if _, packed, err := contained(ctx, in); packed || err != nil {
		return false, err
	}
	head, err := in.Head(ctx, sniffBytes)
	if err != nil {
		return false, err
	}
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte{'\n'})
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '%' {
			return keyword(string(line), "@relation"), nil
		}
	}
	return false, nil
}

// keyword reports a line that begins with a word, in letters of any size.
func keyword(line, word string) bool {
	return len(line) >= len(word) && strings.EqualFold(line[:len(word)], word)
}

// attribute is a column.
type attribute struct {
	name string
	zero string // what stands for it in rows that list what is not zero
}

// writeARFF writes the table.
func writeARFF(ctx context.Context, w io.Writer, in source.Input) error {
	text, err := in.Text(ctx, nil)
	if err != nil {
		return err
	}
	defer text.Close()
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, source.MaxLine)
	var columns []attribute
	var row []byte
	data := false
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		wrong := func(msg string) error {
			return &record.ParseError{File: in.Name, Line: n, Text: line[:min(len(line), 200)], Msg: msg}
		}
		switch {
		case line == "" || line[0] == '%':
			continue
		case data:
			cells, msg := arffRow(line, columns)
			if msg != "" {
				return wrong(msg)
			}
			row = source.Row(row[:0], cells)
		case keyword(line, "@data"):
			if data = true; len(columns) == 0 {
				return wrong("no @attribute stands above @data")
			}
			names := make([]string, len(columns))
			for i, c := range columns {
				names[i] = c.name
			}
			row = source.Row(row[:0], names)
		case keyword(line, "@attribute"):
			c, ok := attributeOf(line)
			if !ok {
				return wrong("an attribute has a name and a type")
			}
			columns = append(columns, c)
			continue
		default:
			continue
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if !data {
		return &record.ParseError{File: in.Name, Msg: "an ARFF file without @data: it was cut off"}
	}
	return nil
}

// attributeOf reads "@attribute name type"; of a list of words the first one stands for zero.
func attributeOf(line string) (c attribute, ok bool) {
	rest := strings.TrimSpace(line[len("@attribute"):])
	var of string
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		c.name, of, ok = strings.Cut(rest[1:], rest[:1])
	} else if i := strings.IndexAny(rest, " \t{"); i > 0 {
		c.name, of, ok = rest[:i], rest[i:], true
	}
	of = strings.TrimSpace(of)
	c.zero = "0"
	if list, found := strings.CutPrefix(of, "{"); found {
		words, _ := arffCells(strings.TrimSuffix(strings.TrimSpace(list), "}"))
		if c.zero = ""; len(words) > 0 {
			c.zero = words[0]
		}
	}
	return c, ok && c.name != "" && of != ""
}

// arffRow reads a row, or says what is wrong.
func arffRow(line string, columns []attribute) (cells []string, msg string) {
	if line[0] != '{' {
		cells, ok := arffCells(line)
		switch {
		case !ok:
			return nil, "a quote is not closed"
		case len(cells) != len(columns):
			return nil, fmt.Sprintf("%s, where there are %s", record.Several(len(cells), "value", "values"), record.Several(len(columns), "attribute", "attributes"))
		}
		return cells, ""
	}
	if len(columns) > mostSparse {
		return nil, fmt.Sprintf("rows that list what is not zero are read up to %d attributes; save the file in the format of SVMlight", mostSparse)
	}
	cells = make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.zero
	}
	list, ok := arffCells(strings.TrimSuffix(line[1:], "}"))
	if !ok || line[len(line)-1] != '}' {
		return nil, "the list is not closed"
	}
	for _, entry := range list {
		at, value, _ := strings.Cut(entry, " ")
		i, err := strconv.Atoi(at)
		if entry == "" && len(list) == 1 {
			break
		}
		if value = strings.Trim(strings.TrimSpace(value), `'"`); err != nil || i < 0 || i >= len(columns) || value == "" {
			return nil, fmt.Sprintf("%q is no number of an attribute with a value", entry)
		}
		cells[i] = value
	}
	return cells, ""
}

// arffCells parts a row at commas that are in no quotes. A question mark is a missing value.
func arffCells(line string) (cells []string, ok bool) {
	var cell strings.Builder
	quote, quoted := byte(0), false
	flush := func() {
		s := cell.String()
		if !quoted {
			if s = strings.TrimSpace(s); s == "?" {
				s = ""
			}
		}
		cells, quoted = append(cells, s), false
		cell.Reset()
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != 0 && i+1 < len(line):
			i++
			cell.WriteByte(line[i])
		case c == quote:
			quote = 0
		case quote != 0:
			cell.WriteByte(c)
		case (c == '\'' || c == '"') && strings.TrimSpace(cell.String()) == "":
			cell.Reset()
			quote, quoted = c, true
		case c == ',' || c == '\t':
			flush()
		case quoted && (c == ' '): // behind the quotes
		default:
			cell.WriteByte(c)
		}
	}
	flush()
	return cells, quote == 0
}
