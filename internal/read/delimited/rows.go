package delimited

import (
	"bytes"

	"github.com/moiety-go/moiety/internal/cells"
)

// rows walks over the rows of a chunk.
type rows struct {
	data   []byte
	sep    byte
	style  quoting
	edge   edge
	quotes bool // the chunk holds quotes
	ends   []uint32
	at     int    // next entry of ends
	start  int    // first byte of the row
	lo, n  int    // the row's fields end at ends[lo : lo+n]
	line   int    // number of the row's first line
	blank  int    // blank rows before the row, since somebody counted them
	next0  int    // number of the line after the row
	buf    []byte // unescaped quoted fields of the row
}

func (r *rows) reset(data []byte, line int, d dialect) {
	r.begin(data, line, d, !d.noQuotes && bytes.IndexByte(data, quote) >= 0)
}

// begin is reset where it is known whether the data hold quotes.
func (r *rows) begin(data []byte, line int, d dialect, quotes bool) {
	r.data, r.sep, r.style, r.edge, r.quotes = data, d.sep, d.quoting, d.edge, quotes
	r.ends = index(r.ends[:0], data, d, r.quotes)
	r.at, r.lo, r.n, r.next0 = 0, 0, 0, line
}

// next goes to the next row that is not blank.
func (r *rows) next() bool {
	for r.at < len(r.ends) {
		r.lo = r.at
		r.start = 0
		if r.lo > 0 {
			r.start = int(r.ends[r.lo-1]) + 1
		}
		end := r.lo
		for int(r.ends[end]) < len(r.data) && r.data[r.ends[end]] != '\n' {
			end++
		}
		r.at = end + 1
		r.n = r.at - r.lo
		r.line = r.next0
		r.next0++
		if r.quotes {
			stop := min(int(r.ends[end])+1, len(r.data))
			r.next0 = r.line + bytes.Count(r.data[r.start:stop], []byte{'\n'})
		}
		if r.n > 1 || len(bytes.TrimSpace(r.raw(0))) > 0 {
			r.buf = r.buf[:0]
			return true
		}
		r.blank++
	}
	return false
}

// walk goes over the rows of a text portion by portion, so that no more of it is indexed
// than is looked at.
type walk struct {
	rows
	rest []byte
	d    dialect
}

// over begins a walk; line is the number of the first line.
func (w *walk) over(data []byte, line int, d dialect) {
	w.begin(nil, line, d, false)
	w.rest, w.d = data, d
}

// next goes to the next row that is not blank.
func (w *walk) next() bool {
	for !w.rows.next() {
		if len(w.rest) == 0 {
			return false
		}
		n, quotes := nextPortion(w.rest, w.d)
		w.begin(w.rest[:n], w.next0, w.d, quotes)
		w.rest = w.rest[n:]
	}
	return true
}

// raw returns field i as it stands, without the return of a line end.
func (r *rows) raw(i int) []byte {
	if i >= r.n {
		return nil // the row is short: the cell is missing
	}
	s := r.start
	if i > 0 {
		s = int(r.ends[r.lo+i-1]) + 1
	}
	e := int(r.ends[r.lo+i])
	if i == r.n-1 && e > s && r.data[e-1] == '\r' {
		e--
	}
	return r.data[s:e]
}

// field returns field i without quotes and blanks around it. It is valid until
// the next row.
func (r *rows) field(i int) []byte {
	f := r.raw(i)
	if len(f) == 0 {
		return f
	}
	if r.quotes && f[0] == quote || f[0] == ' ' || f[len(f)-1] == ' ' {
		f = r.slowField(f)
	}
	if r.quotes && len(f) > 3 && f[0] == '=' && f[1] == quote && f[len(f)-1] == quote {
		return f[2 : len(f)-1] // ="0042": how zeros in front are kept from spreadsheets
	}
	if r.style.ours && len(f) > 1 && f[0] == '\'' {
		return f[len(f)-len(cells.Unguard(string(f))):] // what goes is in front
	}
	return f
}

func (r *rows) slowField(f []byte) []byte {
	f = bytes.Trim(f, " ")
	if !r.quotes || len(f) < 2 || f[0] != quote || f[len(f)-1] != quote {
		return f
	}
	f = f[1 : len(f)-1]
	if bytes.IndexByte(f, quote) < 0 && !(r.style.backslash && bytes.IndexByte(f, '\\') >= 0) {
		return f
	}
	from := len(r.buf)
	for i := 0; i < len(f); i++ {
		if r.style.backslash && f[i] == '\\' && i+1 < len(f) && (f[i+1] == quote || f[i+1] == '\\') {
			i++
		}
		r.buf = append(r.buf, f[i])
		if f[i] == quote && i+1 < len(f) && f[i+1] == quote {
			i++
		}
	}
	return r.buf[from:]
}

// unclosed reports whether field i begins with a quote that never ends. Where
// tabs separate, such a quote is a letter.
func (r *rows) unclosed(i int) bool {
	if !r.quotes || r.style.oneLine {
		return false
	}
	f := bytes.Trim(r.raw(i), " ")
	if len(f) == 0 || f[0] != quote || len(f) > 1 && f[len(f)-1] == quote {
		return false
	}
	return len(f) == 1 || bytes.IndexByte(f[1:], quote) < 0 // "a" b is a cell with quotes in it
}

// broken reports a field that holds one end of a quotation: the separator parts
// what stands in quotes.
func (r *rows) broken() bool {
	for i := range r.n {
		f := bytes.Trim(r.raw(i), " ")
		if n := bytes.Count(f, []byte{quote}); n%2 == 1 && (f[len(f)-1] == quote || bytes.Contains(f, []byte(",\"")) || bytes.Contains(f, []byte(";\""))) {
			return true
		}
	}
	return false
}

// empty reports a row of separators only.
func (r *rows) empty() bool {
	for i := range r.n {
		if f := r.raw(i); len(f) > 0 && len(bytes.Trim(f, " \"")) > 0 {
			return false
		}
	}
	return true
}

// bare reports a row whose fields hold nothing, by its length alone.
func (r *rows) bare() bool {
	n := int(r.ends[r.lo+r.n-1]) - r.start
	return n == r.n-1 || n == r.n && r.data[r.start+n-1] == '\r'
}

// column returns the place of field i in its line, from 1.
func (r *rows) column(i int) int {
	if i == 0 || i >= r.n {
		return 1
	}
	return int(r.ends[r.lo+i-1]) + 2 - r.start
}

// text returns the row as it stands, cut to what a message needs.
func (r *rows) text() string {
	const most = 200
	s := r.data[r.start:min(int(r.ends[r.lo+r.n-1]), len(r.data))]
	return string(bytes.TrimRight(s[:min(len(s), most)], "\r"))
}

// width returns the number of fields, not counting empty ones beyond want.
func (r *rows) width(want int) int {
	n := r.n
	for n > want && len(r.raw(n-1)) == 0 {
		n--
	}
	return n
}
