package delimited

import (
	"bytes"
	"encoding/binary"
)

// fastLong reads the plain rows of a long table: no quotes, no blanks around
// fields, no count, version or steps. It walks over the index of separators
// directly; a row that is anything else goes the general way.
func (ps *parser) fastLong(width int) {
	r, pl, p := &ps.rows, ps.plan, ps.part
	data, ends := r.data, r.ends
	static := uint32(pl.static)
	var last []byte // id of the open run
	start := 0
	if r.at > 0 {
		start = int(ends[r.at-1]) + 1
	}
	for at := r.at; at < len(ends); {
		var id, code []byte
		plain := at+width <= len(ends) && plainRow(data, ends[at:at+width])
		if plain {
			row := ends[at : at+width]
			id, code = between(data, row, start, pl.id), between(data, row, start, pl.code)
			plain = !padded(id) && !padded(code) && !(len(code) <= 4 && missing(code))
		}
		if !plain {
			ps.endRun(last)
			r.at = at
			ps.generalRow(width)
			at, last = r.at, nil
			start = int(ends[at-1]) + 1
			continue
		}
		if last == nil || !sameID(last, id) {
			ps.endRun(last)
			r.lo, r.n, r.start, r.line = at, width, start, r.next0
			last = nil
			if ps.begin() {
				last = id
				p.ends = append(p.ends, 0)
			}
		}
		if last != nil {
			n, ok := p.local.known(code)
			if ok {
				n += static
			} else {
				n = ps.number(code, none)
			}
			p.feature = append(p.feature, n)
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
		return (binary.LittleEndian.Uint64(a[:8])^binary.LittleEndian.Uint64(b[:8]))<<(64-8*n) == 0
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

// between returns field i of the row that begins at start.
func between(data []byte, row []uint32, start, i int) []byte {
	if i > 0 {
		start = int(row[i-1]) + 1
	}
	return data[start:row[i]]
}

// padded reports blanks or a return at the ends of a field, and empty fields.
func padded(f []byte) bool {
	return len(f) == 0 || f[0] <= ' ' || f[len(f)-1] <= ' '
}
