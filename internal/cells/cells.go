// Package cells writes cells of text that spreadsheet programs take for text.
//
// A cell that begins with one of = + - @, a tab or a line end is a formula to a
// spreadsheet, and names come from data: a formula in them runs on the machine
// of whoever opens the table. Such a cell gets an apostrophe in front. Cells
// that begin with apostrophes before such a sign get one more, so that the way
// back is the same for all of them: one apostrophe less. Numbers stay numbers.
// What a terminal would act on is written by its number, and has no way back.
//
// A table of data that this program writes has a mark, by which it is known when
// it is read or replaced: the first name of its header, "id", stands in quotes,
// and no other cell does that need not. To every reader of CSV the quotes are
// nothing.
package cells

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// signs begin a formula; the last four are the wide forms of the first.
const signs = "=+-@\t\r\n＝＋－＠"

const apostrophe = "'"

// Guard returns a cell of text that no spreadsheet takes for a formula and no terminal acts
// on, and whether it was taken for a formula.
func Guard(s string) (string, bool) {
	s = Visible(s)
	rest := strings.TrimLeft(s, apostrophe)
	if !begins(rest) || len(rest) == len(s) && isNumber(s) {
		return s, false
	}
	return apostrophe + s, true
}

// Unguard undoes Guard.
func Unguard(s string) string {
	if len(s) < 2 || s[0] != '\'' {
		return s
	}
	rest := strings.TrimLeft(s, apostrophe)
	if !begins(rest) || len(rest) == len(s)-1 && isNumber(rest) {
		return s
	}
	return s[1:]
}

func begins(s string) bool {
	if s == "" {
		return false
	}
	if s[0] < utf8.RuneSelf {
		return strings.IndexByte("=+-@\t\r\n", s[0]) >= 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune(signs, r)
}

// isNumber reports plain numbers, and a sign alone, which is an answer of many
// tables and no formula.
func isNumber(s string) bool {
	if s == "+" || s == "-" {
		return true
	}
	if len(s) < 2 || s[1] != '.' && (s[1] < '0' || s[1] > '9') {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && !strings.ContainsAny(s, "xXpP_")
}

// Row guards the cells of a line in place and returns how many were changed.
func Row(line []string) int {
	n := 0
	for i, s := range line {
		var changed bool
		if line[i], changed = Guard(s); changed {
			n++
		}
	}
	return n
}

// First is the first name of the header of a table of data.
const First = "id"

const mark = `"` + First + `"`

// Header returns the header line of a table of data, with the mark; names are
// those after the first, guarded already.
func Header(names []string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(append([]string{First}, names...)); err != nil {
		return nil, err
	}
	w.Flush()
	return append([]byte(mark), b.Bytes()[len(First):]...), nil
}

// Marked reports whether a file that begins with head is a table of data that
// this program wrote.
func Marked(head []byte) bool {
	if !bytes.HasPrefix(head, []byte(mark+",")) {
		return false
	}
	r := csv.NewReader(bytes.NewReader(head))
	r.FieldsPerRecord = -1
	names, err := r.Read()
	if err != nil || len(names) < 2 || names[0] != First {
		return false
	}
	line, err := Header(names[1:])
	return err == nil && bytes.HasPrefix(head, line) && !allQuoted(line[len(mark):])
}

// allQuoted reports a header of quoted names only: others write them so.
func allQuoted(line []byte) bool {
	rest := string(line)
	for {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, `,"`); !ok {
			return strings.TrimSpace(rest) == ""
		}
		for { // to the closing quote
			at := strings.IndexByte(rest, '"')
			if at < 0 {
				return true
			}
			rest = rest[at+1:]
			if !strings.HasPrefix(rest, `"`) {
				break
			}
			rest = rest[1:]
		}
	}
}
