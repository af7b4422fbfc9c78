package delimited

import (
	"bytes"
	"slices"

	"github.com/moiety-go/moiety/internal/kernel"
)

// fastLong reads the plain rows of a long table: no quotes, no blanks around
// fields, no count, version or steps. Short ids and codes are taken as numbers,
// those of many rows at once; a row that is anything else goes the general way.
func (ps *parser) fastLong(width int) {
	r := &ps.rows
	regular := regularRows(r.data, r.ends[r.at:], width)
	for r.at < len(r.ends) {
		n := 0
		switch {
		case r.at == 0: // fields are found by the end before them
		case regular:
			n = (len(r.ends) - r.at) / width
		default:
			n = plainRows(r.data, r.ends[r.at:], width)
		}
		ps.plainLong(n, width)
		if r.at < len(r.ends) {
			ps.generalRow(width)
		}
	}
}

// plainLong reads n rows of width fields, up to the first with blanks around id or
// code or without one of them.
func (ps *parser) plainLong(n, width int) {
	if n == 0 {
		return
	}
	r, p, static := &ps.rows, ps.part, uint32(ps.plan.static)
	ends := r.ends[r.at-1:]
	all := r.data[:cap(r.data)] // so that eight bytes can be read at nearly every field
	ps.ids, ps.codes = sized(ps.ids, n), sized(ps.codes, n)
	kernel.Keys(ps.ids, all, ends, width, ps.plan.id)
	kernel.Keys(ps.codes, all, ends, width, ps.plan.code)
	ids, codes := ps.ids, ps.codes[:len(ps.ids)]
	table, odd, feature := p.local.short, p.local.odd, p.feature
	var open run
	i := 0
	for ; i < len(ids); i++ {
		key := codes[i]
		number, known := lookUp(table, key, key*odd>>32)
		if known && ids[i] == open.key {
			feature = append(feature, static+number)
			continue
		}
		row := ends[i*width : (i+1)*width+1]
		code := r.data[row[ps.plan.code]+1 : row[ps.plan.code+1]]
		p.feature = feature
		if !known && !plainCode(code) || ids[i] != open.key && !ps.longID(&open, row, ids[i], i) {
			break
		}
		if !known {
			number = ps.number(code, none) - static
			table = p.local.short
		}
		feature = append(feature, static+number)
	}
	p.feature = feature
	ps.endRun(open)
	r.at, r.next0 = r.at+i*width, r.next0+i
	for p.value != nil && len(p.value) < len(p.feature) {
		p.value = append(p.value, 1)
	}
}

// run is the open run of rows with one id.
type run struct {
	id  []byte // nil: none
	key uint64 // id as a number, 0 where it is none
}

// plainCode reports a code that can be taken as it stands.
func plainCode(code []byte) bool {
	return !padded(code) && !(len(code) <= 4 && missing(code))
}

// longID opens the run of the row that lies i rows on, if it has another id than
// the open one; key is that id as a number, and row the ends of its fields with
// that of the field before in front. It is false for a row that must go the general
// way.
func (ps *parser) longID(open *run, row []uint32, key uint64, i int) bool {
	r, pl, width := &ps.rows, ps.plan, len(row)-1
	id := r.data[row[pl.id]+1 : row[pl.id+1]]
	if bytes.Equal(open.id, id) {
		return true
	}
	if padded(id) {
		return false
	}
	ps.endRun(*open)
	*open = run{}
	r.lo, r.n, r.start, r.line = r.at+i*width, width, int(row[0])+1, r.next0+i
	if !ps.begin() {
		return false
	}
	*open = run{id: id}
	if key != kernel.NoKey {
		open.key = key
	}
	ps.part.ends = append(ps.part.ends, 0)
	return true
}

// sized returns a list of n numbers, in the memory of an old one if that suffices.
func sized(list []uint64, n int) []uint64 { return slices.Grow(list[:0], n)[:n] }

// lookUp returns the number of a short name that is in the place where the search
// for it begins, or in the next. Which of the two it is no branch depends on.
func lookUp(table []slot, key, at uint64) (number uint32, known bool) {
	mask := uint64(len(table) - 1)
	a, b := &table[at&mask], &table[(at+1)&mask]
	number = a.number
	if b.key == key {
		number = b.number
	}
	return number, min(a.key^key, b.key^key) == 0
}

// endRun closes the open run, if there is one.
func (ps *parser) endRun(open run) {
	if open.id != nil {
		ps.part.ends[len(ps.part.ends)-1] = len(ps.part.feature)
	}
}

// generalRow reads one row, or the blank lines before it, the general way.
func (ps *parser) generalRow(width int) {
	r := &ps.rows
	if r.next() && ps.goodWidth(width) {
		ps.longRow()
	}
}

// regularRows reports that all fields are those of lines of one width: every
// line end is that of a row, and there are as many of them as rows.
func regularRows(data []byte, ends []uint32, width int) bool {
	if len(ends)%width != 0 {
		return false
	}
	rows := 0
	for i := width - 1; i < len(ends); i += width {
		if int(ends[i]) == len(data) || data[ends[i]] != '\n' {
			return false
		}
		rows++
	}
	first := 0
	if len(ends) > 0 {
		first = int(ends[0])
	}
	return bytes.Count(data[first:], []byte{'\n'}) == rows
}

// plainRows returns the number of rows of one width at the front, up to the first
// line of another.
func plainRows(data []byte, ends []uint32, width int) (n int) {
	for len(ends) >= width && plainRow(data, ends[:width]) {
		ends = ends[width:]
		n++
	}
	return n
}

// plainRow reports whether the fields that end at row are one line.
func plainRow(data []byte, row []uint32) bool {
	n := len(row) - 1
	for _, e := range row[:n] {
		if data[e] == '\n' {
			return false
		}
	}
	return int(row[n]) == len(data) || data[row[n]] == '\n'
}

// padded reports blanks or a return at the ends of a field, and empty fields.
func padded(f []byte) bool {
	return len(f) == 0 || f[0] <= ' ' || f[len(f)-1] <= ' '
}
