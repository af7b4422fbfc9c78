package delimited

import (
	"bytes"
	"encoding/binary"
)

// fastLong reads the plain rows of a long table: no quotes, no blanks around
// fields, no count, version or steps. It walks over the index of separators
// directly; a row that is anything else goes the general way. An id and a code
// that were accepted before need no second look: they are compared as numbers.
func (ps *parser) fastLong(width int) {
	r, pl, p := &ps.rows, ps.plan, ps.part
	data, ends := r.data, r.ends
	all := data[:cap(data)] // so that eight bytes can be read at nearly every field
	static := uint32(pl.static)
	table := p.local.short
	regular := regularRows(data, ends[r.at:], width)
	var last, id []byte // id of the open run, nil for none
	start := 0
	if r.at > 0 {
		start = int(ends[r.at-1]) + 1
	}
	for at := r.at; at < len(ends); {
		plain, fresh, number := regular || at+width <= len(ends) && plainRow(data, ends[at:at+width]), false, uint32(0)
		var code []byte
		if plain {
			row := ends[at : at+width]
			from, to := bounds(row, start, pl.code)
			known := false
			if n := to - from; uint(n-1) < 8 && from+8 <= len(all) {
				key := binary.LittleEndian.Uint64(all[from:]) & firstBytes[n&15]
				number, known = lookUp(table, key, key*p.local.odd>>32)
				number += static
			}
			if !known {
				code = data[from:to]
				plain = !padded(code) && !(len(code) <= 4 && missing(code))
			}
			from, to = bounds(row, start, pl.id)
			id = data[from:to]
			if fresh = last == nil || !sameID(last, id); fresh {
				plain = plain && !padded(id)
			}
		}
		if !plain {
			ps.endRun(last)
			r.at = at
			ps.generalRow(width)
			at, last, table = r.at, nil, p.local.short
			start = int(ends[at-1]) + 1
			continue
		}
		if fresh {
			ps.endRun(last)
			r.lo, r.n, r.start, r.line = at, width, start, r.next0
			last = nil
			if ps.begin() {
				last = id
				p.ends = append(p.ends, 0)
			}
		}
		if last != nil {
			if code != nil {
				number = ps.number(code, none)
				table = p.local.short
			}
			p.feature = append(p.feature, number)
			if p.value != nil {
				p.value = append(p.value, 1)
			}
		}
		start = int(ends[at+width-1]) + 1
		at += width
		r.next0++
	}
	ps.endRun(last)
	r.at = len(ends)
}

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

// firstBytes has the masks of the first n of eight bytes.
var firstBytes = [16]uint64{
	1: 0xff, 2: 0xffff, 3: 0xffffff, 4: 0xffffffff,
	5: 0xffffffffff, 6: 0xffffffffffff, 7: 0xffffffffffffff, 8: 0xffffffffffffffff,
}

// endRun closes the open run, if there is one.
func (ps *parser) endRun(open []byte) {
	if open != nil {
		ps.part.ends[len(ps.part.ends)-1] = len(ps.part.feature)
	}
}

// sameID compares ids, those of up to eight bytes as one number.
func sameID(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	if n := len(a); n <= 8 && cap(a) >= 8 && cap(b) >= 8 {
		return (binary.LittleEndian.Uint64(a[:8])^binary.LittleEndian.Uint64(b[:8]))&firstBytes[n&15] == 0
	}
	return bytes.Equal(a, b)
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

// bounds returns where field i of the row that begins at start begins and ends.
func bounds(row []uint32, start, i int) (from, to int) {
	if i > 0 {
		start = int(row[i-1]) + 1
	}
	return start, int(row[i])
}

// padded reports blanks or a return at the ends of a field, and empty fields.
func padded(f []byte) bool {
	return len(f) == 0 || f[0] <= ' ' || f[len(f)-1] <= ' '
}
