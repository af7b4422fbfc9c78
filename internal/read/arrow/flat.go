package arrow

import "encoding/binary"

// flat is a flatbuffer: tables that tell by offsets where their fields lie. Every
// access is checked; what lies outside sets bad and reads as 0.
type flat struct {
	b   []byte
	bad bool
}

// in reports that n bytes lie at a place.
func (f *flat) in(at, n int) bool {
	if at < 0 || n < 0 || at > len(f.b)-n {
		f.bad = true
		return false
	}
	return true
}

func (f *flat) u8(at int) byte {
	if !f.in(at, 1) {
		return 0
	}
	return f.b[at]
}

func (f *flat) u16(at int) int {
	if !f.in(at, 2) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(f.b[at:]))
}

func (f *flat) i32(at int) int {
	if !f.in(at, 4) {
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(f.b[at:])))
}

func (f *flat) i64(at int) int64 {
	if !f.in(at, 8) {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(f.b[at:]))
}

// root is the place of the outermost table.
func (f *flat) root() int { return f.i32(0) }

// field returns where field n of a table lies, 0 where the table has none.
func (f *flat) field(table, n int) int {
	list := table - f.i32(table)
	if list < 0 || 4+2*n >= f.u16(list) {
		return 0
	}
	if at := f.u16(list + 4 + 2*n); at > 0 {
		return table + at
	}
	return 0
}

// follow returns the place that an offset at a place points to; 0 stays 0.
func (f *flat) follow(at int) int {
	if at == 0 {
		return 0
	}
	return at + f.i32(at)
}

// table is the table in field n, 0 where there is none.
func (f *flat) table(of, n int) int { return f.follow(f.field(of, n)) }

// list returns the place of the first element of a list and their number.
func (f *flat) list(of, n, size int) (at, count int) {
	at = f.follow(f.field(of, n))
	if at == 0 {
		return 0, 0
	}
	count = f.i32(at)
	if count < 0 || size > 0 && count > len(f.b)/size || !f.in(at+4, count*size) {
		f.bad = true
		return 0, 0
	}
	return at + 4, count
}

func (f *flat) text(of, n int) string {
	at, count := f.list(of, n, 1)
	return string(f.b[at : at+count])
}

// number returns a whole number of a field of so many bytes, or what it is where
// nobody wrote it.
func (f *flat) number(of, n, size int, unsaid int64) int64 {
	at := f.field(of, n)
	switch {
	case at == 0:
		return unsaid
	case size == 1:
		return int64(f.u8(at))
	case size == 2:
		return int64(int16(f.u16(at)))
	case size == 4:
		return int64(f.i32(at))
	}
	return f.i64(at)
}
