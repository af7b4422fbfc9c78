package parquet

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"time"

	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/internal/read/source"
)

// column is a leaf of the file that can be read: a flat column or a list.
type column struct {
	*pq.Column
	name   string
	index  int
	text   func(b []byte, v value) []byte // writes a value that is no text
	folder *string                        // the value of all rows, of a column that is none of the file
}

// cells returns a cursor whose values are cells of a table; null is an empty one.
func (c *column) cells(alone bool) *cursor {
	if c.folder != nil {
		return &cursor{none: source.Cell(nil, *c.folder, alone)}
	}
	return &cursor{none: source.Cell(nil, "", alone), show: func(b []byte, v value) []byte {
		if c.text == nil {
			return source.Cell(b, v.raw, alone)
		}
		before := len(b)
		if b = c.text(b, v); len(b) == before {
			return source.Cell(b, "", alone)
		}
		return b
	}}
}

// words returns a cursor whose values are words; null is an empty one.
func (c *column) words() *cursor {
	if c.folder != nil {
		return &cursor{none: []byte(*c.folder)}
	}
	return &cursor{show: func(b []byte, v value) []byte {
		if c.text == nil {
			return append(b, bytes.TrimSpace(v.raw)...)
		}
		return c.text(b, v)
	}}
}

// writerOf chooses how the values of a column are written: by what they mean
// where the file says it, by the way they are stored elsewhere. Nil means text.
func writerOf(c *pq.Column) func([]byte, value) []byte {
	unit := c.Unit
	switch c.Meaning {
	case pq.Text:
		return nil
	case pq.Decimal:
		return decimal(c.Scale, c.Type == pq.Int32 || c.Type == pq.Int64)
	case pq.Date:
		return func(b []byte, v value) []byte { return day(b, v.n) }
	case pq.Timestamp:
		return func(b []byte, v value) []byte { return instant(b, v.n, unit) }
	case pq.Time:
		return func(b []byte, v value) []byte { return clock(b, v.n, unit) }
	case pq.Half:
		return half
	case pq.Unsigned:
		if c.Type == pq.Int32 {
			return func(b []byte, v value) []byte { return strconv.AppendUint(b, uint64(uint32(v.n)), 10) }
		}
		return func(b []byte, v value) []byte { return strconv.AppendUint(b, uint64(v.n), 10) }
	}
	switch c.Type {
	case pq.Boolean:
		return func(b []byte, v value) []byte { return strconv.AppendBool(b, v.n != 0) }
	case pq.Float:
		return func(b []byte, v value) []byte {
			return source.Number(b, float64(math.Float32frombits(uint32(v.n))), 32)
		}
	case pq.Double:
		return func(b []byte, v value) []byte { return source.Number(b, math.Float64frombits(uint64(v.n)), 64) }
	case pq.ByteArray:
		return nil
	case pq.FixedByteArray:
		return func(b []byte, v value) []byte { return hex.AppendEncode(b, v.raw) }
	case pq.Int96:
		return oldInstant
	}
	return func(b []byte, v value) []byte { return strconv.AppendInt(b, v.n, 10) }
}

// maxScale bounds the digits behind the point that are believed.
const maxScale = 1000

// decimal writes whole numbers with so many digits behind the point; they are
// stored as numbers or as bytes, the highest first.
func decimal(scale int, number bool) func([]byte, value) []byte {
	scale = min(max(scale, 0), maxScale)
	return func(b []byte, v value) []byte {
		if number {
			return pointed(b, strconv.FormatInt(v.n, 10), scale)
		}
		n := new(big.Int).SetBytes(v.raw)
		if len(v.raw) > 0 && v.raw[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v.raw))))
		}
		return pointed(b, n.String(), scale)
	}
}

// pointed puts the point into a whole number.
func pointed(b []byte, digits string, scale int) []byte {
	if digits[0] == '-' {
		b, digits = append(b, '-'), digits[1:]
	}
	if scale == 0 {
		return append(b, digits...)
	}
	for pad := scale + 1 - len(digits); pad > 0; pad-- {
		digits = "0" + digits
	}
	at := len(digits) - scale
	b = append(b, digits[:at]...)
	b = append(b, '.')
	return append(b, digits[at:]...)
}

func day(b []byte, days int64) []byte {
	return time.Unix(days*24*60*60, 0).UTC().AppendFormat(b, time.DateOnly)
}

func instant(b []byte, n, unit int64) []byte {
	per := int64(time.Second) / unit
	return time.Unix(n/per, n%per*unit).UTC().AppendFormat(b, "2006-01-02T15:04:05.999999999Z")
}

// oldInstant writes a time as the first writers of the format stored it:
// nanoseconds of the day, and the day counted from 4714 BC.
func oldInstant(b []byte, v value) []byte {
	const epoch = 2440588
	nanos, day := binary.LittleEndian.Uint64(v.raw), binary.LittleEndian.Uint32(v.raw[8:])
	at := time.Unix((int64(day)-epoch)*24*60*60, int64(nanos)).UTC()
	return at.AppendFormat(b, "2006-01-02T15:04:05.999999999Z")
}

func clock(b []byte, n, unit int64) []byte {
	per := int64(time.Second) / unit
	return time.Unix(n/per, n%per*unit).UTC().AppendFormat(b, "15:04:05.999999999")
}

// half writes a number of two bytes.
func half(b []byte, v value) []byte {
	h := binary.LittleEndian.Uint16(v.raw)
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 31:
		return b
	case 0:
		return source.Number(b, sign*math.Ldexp(fraction, -24), 32)
	default:
		return source.Number(b, sign*math.Ldexp(1024+fraction, exponent-25), 32)
	}
}
