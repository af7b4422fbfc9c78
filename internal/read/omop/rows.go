package omop

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/record"
)

const (
	batchRecords = 4096
	batchEntries = 1 << 18
	maxRow       = 1 << 20
)

// rows is the writer that COPY fills: lines of unit, code and day with tabs between, sorted
// by the first two. It makes batches and hands them over as they fill.
type rows struct {
	r       *reader
	yield   func(*record.Batch) error
	err     error  // of yield, or of the data
	rest    []byte // an unfinished line
	line    int
	unit    []byte    // of the record under way
	days    [2]string // of its first and its last event, as 2008-12-31
	open    bool
	batch   record.Batch
	nowhere int // rows without a visit
	unknown int // rows without a code
	again   int // codes that come again
}

// Write implements io.Writer for COPY.
func (w *rows) Write(p []byte) (int, error) {
	n := len(p)
	if len(w.rest) > 0 {
		w.rest = append(w.rest, p...)
		p = w.rest
	}
	for {
		line, after, found := bytes.Cut(p, []byte{'\n'})
		if !found {
			break
		}
		p = after
		if w.err = w.row(line); w.err != nil {
			return 0, w.err
		}
	}
	if len(p) > maxRow {
		w.err = fmt.Errorf("row %d of the table is longer than %d bytes", w.line+1, maxRow)
		return 0, w.err
	}
	w.rest = append(w.rest[:0], p...)
	return n, nil
}

// row takes one line.
func (w *rows) row(line []byte) error {
	w.line++
	unit, rest, _ := bytes.Cut(line, []byte{'\t'})
	code, day, found := bytes.Cut(rest, []byte{'\t'})
	if !found {
		return fmt.Errorf("row %d of the query has fewer than three columns: %q", w.line, line)
	}
	if string(unit) == `\N` {
		w.nowhere++
		return nil
	}
	if !w.open || !bytes.Equal(unit, w.unit) {
		if err := w.next(unit); err != nil {
			return err
		}
	}
	w.dated(day)
	null := string(code) == `\N`
	if code = bytes.TrimSpace(unescape(code)); null || w.missing(code) {
		w.unknown++
		return nil
	}
	if w.r.schema.Dict.Len() == math.MaxInt32 {
		return fmt.Errorf("row %d: too many different codes", w.line)
	}
	w.batch.Feature = append(w.batch.Feature, w.r.schema.Dict.AddBytes(code))
	return nil
}

// dated notes the day of an event of the record under way. Days of equal length are in order
// as texts; the server writes dates as ISO 8601 does.
func (w *rows) dated(day []byte) {
	if string(day) == `\N` {
		return
	}
	if w.days[0] == "" || string(day) < w.days[0] {
		w.days[0] = string(day)
	}
	if string(day) > w.days[1] {
		w.days[1] = string(day)
	}
}

// missing reports a code that says nothing: empty, or concept 0, which stands
// for "no matching concept".
func (w *rows) missing(code []byte) bool {
	return len(code) == 0 || !w.r.o.SourceValues && string(code) == "0"
}

// next ends the record under way and starts another.
func (w *rows) next(unit []byte) error {
	if err := w.end(); err != nil {
		return err
	}
	w.open, w.days = true, [2]string{}
	w.unit = append(w.unit[:0], unit...)
	return nil
}

// end closes the record under way, and the batch when it is full.
func (w *rows) end() error {
	if !w.open {
		return nil
	}
	w.open = false
	b := &w.batch
	if b.Ptr == nil {
		b.Ptr, b.Side = []int{0}, make([][]string, len(w.days))
	}
	for i, day := range w.days {
		b.Side[i] = append(b.Side[i], day)
	}
	b.IDs = append(b.IDs, string(w.unit))
	start, all := b.Ptr[len(b.Ptr)-1], len(b.Feature)
	slices.Sort(b.Feature[start:])
	b.Feature = b.Feature[:start+len(slices.Compact(b.Feature[start:]))]
	w.again += all - len(b.Feature)
	b.Ptr = append(b.Ptr, len(b.Feature))
	if b.N() < batchRecords && len(b.Feature) < batchEntries {
		return nil
	}
	return w.flush()
}

func (w *rows) flush() error {
	b := w.batch
	w.batch = record.Batch{}
	if b.N() == 0 {
		return nil
	}
	if b.Feature == nil {
		b.Feature = []uint32{}
	}
	return w.yield(&b)
}

// close hands over what is left and reports what was left out.
func (w *rows) close() error {
	if err := w.end(); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	for what, n := range map[string]int{
		"rows without a visit, left out":                        w.nowhere,
		"rows without a code or with concept 0, left out":       w.unknown,
		"codes recorded again in the same record, counted once": w.again,
	} {
		if n > 0 {
			w.r.p.Repaired(what, n)
		}
	}
	return nil
}

// unescape undoes the backslashes of COPY's text format.
func unescape(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		switch b[i] {
		case 't':
			out = append(out, '\t')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'v':
			out = append(out, '\v')
		default:
			out = append(out, b[i])
		}
	}
	return out
}
