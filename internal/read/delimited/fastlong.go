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
	p.feature = slices.Grow(p.feature, n)
	var open run
	i := 0
	for {
		m := len(p.feature)
		k := known(p.feature[m:m+n-i], ps.ids[i:], ps.codes[i:], open.key, p.local, static)
		p.feature = p.feature[:m+k]
		if i += k; i == n || !ps.longOther(&open, ends[i*width:(i+1)*width+1], i) {
			break
		}
		i++
	}
	ps.endRun(open)
	r.at, r.next0 = r.at+i*width, r.next0+i
	p.rows += i
	for p.value != nil && len(p.value) < len(p.feature) {
		p.value = append(p.value, 1)
	}
}

// known writes the numbers of codes, each with static added, as long as ids are
// the one given and codes are in the table of short names, and returns how many.
func known(dst []uint32, ids, codes []uint64, id uint64, names *names, static uint32) int {
	table, odd := names.short, names.odd
	codes, dst = codes[:len(ids)], dst[:len(ids)]
	for i, key := range codes {
		number, ok := lookUp(table, key, key*odd>>32)
		if !ok || ids[i] != id {
			return i
		}
		dst[i] = static + number
	}
	return len(codes)
}

// longOther reads the row that lies i rows on, which has another id than the one
// before or a code that is not in the table. row has the ends of its fields, with
// that of the field before in front. It is false for a row that must go the general
// way.
func (ps *parser) longOther(open *run, row []uint32, i int) bool {
	p, code := ps.part, ps.rows.data[row[ps.plan.code]+1:row[ps.plan.code+1]]
	key := ps.codes[i]
	number, ok := lookUp(p.local.short, key, key*p.local.odd>>32)
	if !ok && !plainCode(code) || ps.ids[i] != open.key && !ps.longID(open, row, ps.ids[i], i) {
		return false
	}
	if number += uint32(ps.plan.static); !ok {
		number = ps.number(code, none)
	}
	p.feature = append(p.feature, number)
	return true
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

// longID opens the run of such a row if it has another id than the open one; key
// is that id as a number.
func (ps *parser) longID(open *run, row []uint32, key uint64, i int) bool {
	r, width := &ps.rows, len(row)-1
	id := r.data[row[ps.plan.id]+1 : row[ps.plan.id+1]]
	if key == kernel.NoKey && open.id != nil && bytes.Equal(open.id, id) {
		return true
	}
	if padded(id) || ps.again(id) || ps.plan.id == 0 && maybeTotal(id) {
		return false
	}
	ps.endRun(*open)
	r.lo, r.n, r.start, r.line = r.at+i*width, width, int(row[0])+1, r.next0+i
	if open.id != nil {
		ps.plainID(id, row)
	} else if !ps.begin() { // may go on with the run before
		return false
	}
	*open = run{id: id}
	if key != kernel.NoKey {
		open.key = key
	}
	ps.part.ptr = append(ps.part.ptr, 0)
	return true
}

// again reports the name of the column of ids among the ids: the row may be the
// header once more.
func (ps *parser) again(id []byte) bool {
	return ps.plan.dialect.edge.heading != nil && string(id) == ps.plan.names[ps.plan.id]
}

// maybeTotal reports an id that may begin a line of totals.
func maybeTotal(id []byte) bool {
	n := len(id)
	return n > 0 && (id[n-1] > '9' || id[n-1] < '0') && sumStart[id[0]] && isSum(string(id), false)
}

// plainID is begin for a row with an id that is not that of the run before.
func (ps *parser) plainID(id []byte, row []uint32) {
	p := ps.part
	p.ids.add(id)
	for _, c := range ps.plan.side {
		f := ps.rows.data[row[c]+1 : row[c+1]]
		if padded(f) {
			f = ps.rows.field(c)
		}
		if missing(f) {
			f = nil
		}
		p.side.add(f)
	}
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
		ps.part.ptr[len(ps.part.ptr)-1] = len(ps.part.feature)
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
