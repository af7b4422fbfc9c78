package delimited

import "bytes"

// fastLong reads the plain rows of a long table: no quotes, no blanks around
// fields, no count, version or steps. It walks over the index of separators
// directly; a row that is anything else goes the general way.
func (ps *parser) fastLong(width int) {
	r, pl, p := &ps.rows, ps.plan, ps.part
	data, ends := r.data, r.ends
	var last []byte // id of the open run
	for r.at < len(ends) {
		start := 0
		if r.at > 0 {
			start = int(ends[r.at-1]) + 1
		}
		if r.at+width > len(ends) || !plainRow(data, ends[r.at:r.at+width]) {
			ps.generalRow(width)
			last = nil
			continue
		}
		row := ends[r.at : r.at+width]
		id, code := between(data, row, start, pl.id), between(data, row, start, pl.code)
		if len(code) == 0 || padded(id) || padded(code) || len(code) <= 4 && missing(code) {
			ps.generalRow(width)
			last = nil
			continue
		}
		if last == nil || !bytes.Equal(last, id) {
			r.lo, r.n, r.start, r.line = r.at, width, start, r.next0
			if !ps.begin() {
				r.at += width
				r.next0++
				continue
			}
			last = id
			p.ends = append(p.ends, 0)
		}
		p.feature = append(p.feature, ps.number(code, none))
		if p.value != nil {
			p.value = append(p.value, 1)
		}
		p.ends[len(p.ends)-1] = len(p.feature)
		r.at += width
		r.next0++
	}
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
