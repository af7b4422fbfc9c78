package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/moiety-go/moiety/internal/read/source"
)

// column is a leaf of the file that can be read: a flat column or a list.
type column struct {
	name     string
	index    int
	repeated bool
	text     func(b []byte, v pq.Value) []byte // writes a value that is neither null nor a text
}

// cell appends a value as a cell of a table; null is an empty one.
func (c *column) cell(b []byte, v pq.Value, alone bool) []byte {
	if v.IsNull() {
		return source.Cell(b, "", alone)
	}
	if c.text == nil {
		return source.Cell(b, v.ByteArray(), alone)
	}
	before := len(b)
	if b = c.text(b, v); len(b) == before {
		return source.Cell(b, "", alone)
	}
	return b
}

// word returns a value as text; "" for null.
func (c *column) word(v pq.Value) string {
	switch {
	case v.IsNull():
		return ""
	case c.text == nil:
		return string(v.ByteArray())
	default:
		return string(c.text(nil, v))
	}
}

// writerOf chooses how the values of a leaf are written: by its annotation
// where it has one, by the way it is stored elsewhere. Nil means text.
func writerOf(t pq.Type) func([]byte, pq.Value) []byte {
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *format.DecimalType:
			return decimal(int(l.Scale))
		case *format.DateType:
			return func(b []byte, v pq.Value) []byte { return day(b, int64(v.Int32())) }
		case *format.TimestampType:
			unit := unitOf(l.Unit)
			return func(b []byte, v pq.Value) []byte { return instant(b, v.Int64(), unit) }
		case *format.TimeType:
			unit := unitOf(l.Unit)
			return func(b []byte, v pq.Value) []byte { return clock(b, whole(v), unit) }
		case *format.IntType:
			if !l.IsSigned {
				return unsigned
			}
		case *format.UUIDType:
			return bytesInHex
		case *format.MapType, *format.ListType: // of a column that is neither: a damaged file
			return stored
		}
	}
	switch t.Kind() {
	case pq.ByteArray:
		return nil
	case pq.FixedLenByteArray:
		return bytesInHex
	case pq.Int96:
		return oldInstant
	default:
		return plain
	}
}

// stored writes a value by what it is, whatever the column says.
func stored(b []byte, v pq.Value) []byte {
	if k := v.Kind(); k == pq.ByteArray || k == pq.FixedLenByteArray {
		return bytesInHex(b, v)
	}
	return plain(b, v)
}

// plain writes truth values and numbers as they are stored.
func plain(b []byte, v pq.Value) []byte {
	switch v.Kind() {
	case pq.Boolean:
		return strconv.AppendBool(b, v.Boolean())
	case pq.Float:
		return source.Number(b, float64(v.Float()), 32)
	case pq.Double:
		return source.Number(b, v.Double(), 64)
	default:
		return strconv.AppendInt(b, whole(v), 10)
	}
}

func whole(v pq.Value) int64 {
	if v.Kind() == pq.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

func unsigned(b []byte, v pq.Value) []byte {
	if v.Kind() == pq.Int32 {
		return strconv.AppendUint(b, uint64(uint32(v.Int32())), 10)
	}
	return strconv.AppendUint(b, uint64(v.Int64()), 10)
}

// maxScale bounds the digits behind the point that are believed.
const maxScale = 1000

// decimal writes whole numbers with so many digits behind the point; they are
// stored as numbers or as bytes, the highest first.
func decimal(scale int) func([]byte, pq.Value) []byte {
	scale = min(max(scale, 0), maxScale)
	return func(b []byte, v pq.Value) []byte {
		if k := v.Kind(); k == pq.Int32 || k == pq.Int64 {
			return pointed(b, strconv.FormatInt(whole(v), 10), scale)
		}
		raw := v.ByteArray()
		n := new(big.Int).SetBytes(raw)
		if len(raw) > 0 && raw[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw))))
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

func unitOf(u format.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.MicroSeconds:
		return time.Microsecond
	default:
		return time.Nanosecond
	}
}

func day(b []byte, days int64) []byte {
	return time.Unix(days*24*60*60, 0).UTC().AppendFormat(b, time.DateOnly)
}

func instant(b []byte, n int64, unit time.Duration) []byte {
	per := int64(time.Second / unit)
	return time.Unix(n/per, n%per*int64(unit)).UTC().AppendFormat(b, "2006-01-02T15:04:05.999999999Z")
}

// oldInstant writes a time as the first writers of the format stored it:
// nanoseconds of the day, and the day counted from 4714 BC.
func oldInstant(b []byte, v pq.Value) []byte {
	const epoch = 2440588
	x := v.Int96()
	nanos := int64(x[1])<<32 | int64(x[0])
	at := time.Unix((int64(x[2])-epoch)*24*60*60, nanos).UTC()
	return at.AppendFormat(b, "2006-01-02T15:04:05.999999999Z")
}

func clock(b []byte, n int64, unit time.Duration) []byte {
	per := int64(time.Second / unit)
	return time.Unix(n/per, n%per*int64(unit)).UTC().AppendFormat(b, "15:04:05.999999999")
}

// half writes a number of two bytes.
func half(b []byte, v pq.Value) []byte {
	raw := v.ByteArray()
	if len(raw) != 2 {
		return b
	}
	h := binary.LittleEndian.Uint16(raw)
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

func bytesInHex(b []byte, v pq.Value) []byte { return hex.AppendEncode(b, v.ByteArray()) }
