package arrow

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/moiety-go/moiety/internal/read/source"
)

// values are the cells of one column of a batch.
type values struct {
	c     *column
	n     int
	valid []byte // a bit a value; nil: all are there
	data  []byte
	ends  []byte // offsets of texts and lists
	more  [][]byte
	child *values
	dict  *values // what the numbers stand for
}

// there reports that value i is not missing.
func (v *values) there(i int) bool {
	return len(v.valid) == 0 || v.valid[i>>3]>>(i&7)&1 == 1
}

// whole returns a whole number of so many bits.
func whole(b []byte, bits, i int, signed bool) int64 {
	switch bits {
	case 8:
		if signed {
			return int64(int8(b[i]))
		}
		return int64(b[i])
	case 16:
		x := binary.LittleEndian.Uint16(b[2*i:])
		if signed {
			return int64(int16(x))
		}
		return int64(x)
	case 32:
		x := binary.LittleEndian.Uint32(b[4*i:])
		if signed {
			return int64(int32(x))
		}
		return int64(x)
	}
	return int64(binary.LittleEndian.Uint64(b[8*i:]))
}

// half reads a number of 16 bits.
func half(x uint16) float64 {
	sign, e, m := 1.0, int(x>>10&31), float64(x&1023)
	if x>>15 == 1 {
		sign = -1
	}
	switch e {
	case 0:
		return sign * math.Ldexp(m, -24)
	case 31:
		return math.NaN()
	}
	return sign * math.Ldexp(1024+m, e-25)
}

// cell appends value i as it stands in a table with commas; nothing where it is
// missing, or cannot be one.
func (v *values) cell(b []byte, i int, alone bool) []byte {
	if i < 0 || i >= v.n || !v.there(i) {
		if alone {
			return append(b, `""`...)
		}
		return b
	}
	if v.dict != nil {
		return v.dict.cell(b, int(whole(v.data, v.c.index.bits, i, v.c.index.signed)), alone)
	}
	switch v.c.kind {
	case kindInt:
		if x := whole(v.data, v.c.bits, i, v.c.signed); v.c.signed {
			return strconv.AppendInt(b, x, 10)
		} else {
			return strconv.AppendUint(b, uint64(x), 10)
		}
	case kindFloat:
		switch v.c.bits {
		case 16:
			return source.Number(b, half(binary.LittleEndian.Uint16(v.data[2*i:])), 32)
		case 32:
			return source.Number(b, float64(math.Float32frombits(binary.LittleEndian.Uint32(v.data[4*i:]))), 32)
		}
		return source.Number(b, math.Float64frombits(binary.LittleEndian.Uint64(v.data[8*i:])), 64)
	case kindBool:
		return strconv.AppendBool(b, v.data[i>>3]>>(i&7)&1 == 1)
	case kindDecimal:
		return source.Number(b, v.decimal(i), 64)
	case kindDate, kindTime, kindStamp:
		return append(b, v.moment(i)...)
	case kindList, kindLargeList:
		return source.Cell(b, v.joined(i), alone)
	}
	return source.Cell(b, v.text(i), alone)
}

// span returns where text or list i begins and ends.
func (v *values) span(i int) (from, to int) {
	bits := 32
	if v.c.kind == kindLargeText || v.c.kind == kindLargeList {
		bits = 64
	}
	return int(whole(v.ends, bits, i, true)), int(whole(v.ends, bits, i+1, true))
}

func (v *values) text(i int) []byte {
	if v.c.kind == kindTextView {
		return v.view(i)
	}
	from, to := v.span(i)
	if from < 0 || to < from || to > len(v.data) {
		return nil
	}
	return v.data[from:to]
}

// view is a short text where its place is, or a piece of one of several buffers.
func (v *values) view(i int) []byte {
	const short = 12
	place := v.data[16*i : 16*i+16]
	n := int(int32(binary.LittleEndian.Uint32(place)))
	if n < 0 {
		return nil
	}
	if n <= short {
		return place[4 : 4+n]
	}
	at, from := int(binary.LittleEndian.Uint32(place[8:])), int(binary.LittleEndian.Uint32(place[12:]))
	if at >= len(v.more) || from > len(v.more[at])-n {
		return nil
	}
	return v.more[at][from : from+n]
}

// joined writes a list as a cell with several names.
func (v *values) joined(i int) []byte {
	from, to := v.span(i)
	var b []byte
	for j := max(from, 0); j < min(to, v.child.n); j++ {
		if len(b) > 0 {
			b = append(b, ';')
		}
		b = v.child.cell(b, j, false)
	}
	return b
}

// decimal is the number that 128 bits and a scale are.
func (v *values) decimal(i int) float64 {
	b := v.data[16*i : 16*i+16]
	x := new(big.Int).SetUint64(binary.LittleEndian.Uint64(b[8:]))
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(binary.LittleEndian.Uint64(b)))
	if b[15]>>7 == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	y, _ := strconv.ParseFloat(x.String()+"e"+strconv.Itoa(-v.c.scale), 64)
	return y
}

// moment writes a day or a time as tables do.
func (v *values) moment(i int) string {
	x := whole(v.data, v.c.bits, i, true)
	switch v.c.kind {
	case kindDate:
		if v.c.unit == 0 {
			return time.Unix(x*86400, 0).UTC().Format(time.DateOnly)
		}
		return time.UnixMilli(x).UTC().Format(time.DateOnly)
	case kindTime:
		return stamp(x, v.c.unit).Format(time.TimeOnly)
	}
	return stamp(x, v.c.unit).Format(time.DateTime)
}

// stamp is a number of seconds, milli-, micro- or nanoseconds.
func stamp(x int64, unit int) time.Time {
	switch unit {
	case 0:
		return time.Unix(x, 0).UTC()
	case 1:
		return time.UnixMilli(x).UTC()
	case 2:
		return time.UnixMicro(x).UTC()
	}
	return time.Unix(x/1e9, x%1e9).UTC()
}
