// Package exchange adds up the sums of several places (sites, hospitals): in
// this process, or by files that people carry. It is what pass.Joined runs on.
//
// Numbers travel as whole multiples of 2⁻⁶⁴, so that totals have the same bits
// in whatever order sites are added, and so that masks can hide them: a number
// with a mask on it is as likely as any other. Two words hold what a hundred
// million records can sum up to and what single small records add.
package exchange

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Fixed is a number in fixed point: Hi·2⁶⁴ + Lo times 2⁻⁶⁴, modulo 2⁶⁴.
type Fixed struct{ Hi, Lo uint64 }

// largest is what a number must be below, so that the total of many sites has
// room: 2⁶².
const largest = 1 << 62

// fix returns a number in fixed point, cut after 2⁻⁶⁴.
func fix(v float64) (Fixed, error) {
	if !(math.Abs(v) < largest) {
		return Fixed{}, fmt.Errorf("exchange: a sum is %v, and numbers of less than 4.6e18 can be sent", v)
	}
	whole, part := math.Modf(math.Abs(v)) // exact
	f := Fixed{uint64(whole), fraction(part)}
	if v < 0 {
		f = Fixed{}.sub(f)
	}
	return f, nil
}

// fraction returns a number of at least 0 and below 1 as 2⁻⁶⁴ths.
func fraction(part float64) uint64 {
	mantissa, exp := math.Frexp(part) // part = mantissa·2^exp, of 53 bits
	m := uint64(math.Ldexp(mantissa, 53))
	if shift := 64 - 53 + exp; shift >= 0 {
		return m << shift
	} else if shift > -64 {
		return m >> -shift
	}
	return 0
}

// add returns the sum.
func (f Fixed) add(o Fixed) Fixed {
	lo, carry := bits.Add64(f.Lo, o.Lo, 0)
	hi, _ := bits.Add64(f.Hi, o.Hi, carry)
	return Fixed{hi, lo}
}

// sub returns the difference.
func (f Fixed) sub(o Fixed) Fixed {
	lo, borrow := bits.Sub64(f.Lo, o.Lo, 0)
	hi, _ := bits.Sub64(f.Hi, o.Hi, borrow)
	return Fixed{hi, lo}
}

// Float returns the number, rounded once.
func (f Fixed) Float() float64 {
	negative := int64(f.Hi) < 0
	if negative {
		f = Fixed{}.sub(f)
	}
	var v float64
	if f.Hi == 0 {
		v = math.Ldexp(float64(f.Lo), -64)
	} else if f.Lo == 0 {
		v = float64(f.Hi)
	} else {
		x := new(big.Int).SetUint64(f.Hi)
		x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(f.Lo))
		v, _ = new(big.Float).SetInt(x).Float64()
		v = math.Ldexp(v, -64)
	}
	if negative {
		return -v
	}
	return v
}

// fixed returns numbers in fixed point.
func fixed(x []float64) ([]Fixed, error) {
	out := make([]Fixed, len(x))
	var err error
	for i, v := range x {
		if out[i], err = fix(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func floats(x []Fixed) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v.Float()
	}
	return out
}

// bytesOf writes numbers, 16 bytes each.
func bytesOf(x []Fixed) []byte {
	out := make([]byte, 0, 16*len(x))
	for _, v := range x {
		out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, v.Lo), v.Hi)
	}
	return out
}

// fromBytes reads them back.
func fromBytes(b []byte) []Fixed {
	out := make([]Fixed, len(b)/16)
	for i := range out {
		out[i] = Fixed{Lo: binary.LittleEndian.Uint64(b[16*i:]), Hi: binary.LittleEndian.Uint64(b[16*i+8:])}
	}
	return out
}
