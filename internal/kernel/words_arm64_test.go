//go:build !purego

package kernel

import (
	"math"
	"testing"
)

// TestWords runs every instruction that the generator encodes by itself on
// known lanes, and compares the bits with plain Go.
func TestWords(t *testing.T) {
	type lanes = [2]uint64
	num, bits := math.Float64frombits, math.Float64bits
	each := func(f func(d, n, m float64) float64) func(d, n, m lanes) lanes {
		return func(d, n, m lanes) (out lanes) {
			for i := range out {
				out[i] = bits(f(num(d[i]), num(n[i]), num(m[i])))
			}
			return out
		}
	}
	// with is each, where all lanes of n meet one lane of m.
	with := func(lane int, f func(d, n, m float64) float64) func(d, n, m lanes) lanes {
		return func(d, n, m lanes) lanes { return each(f)(d, n, lanes{m[lane], m[lane]}) }
	}
	// singles is each on four float32; all lanes of n meet one lane of m, or, where
	// that is -1, their own.
	singles := func(lane int, f func(d, n, m float64) float64) func(d, n, m lanes) lanes {
		return func(d, n, m lanes) (out lanes) {
			for i := range 4 {
				j := i
				if lane >= 0 {
					j = lane
				}
				v := float32(f(single(d, i), single(n, i), single(m, j)))
				out[i/2] |= uint64(math.Float32bits(v)) << (i % 2 * 32)
			}
			return out
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		run  func(d, n, m *lanes)
		want func(d, n, m lanes) lanes
	}{
		"FADD": {wordFADD, each(func(_, n, m float64) float64 { return n + m })},
		"FSUB": {wordFSUB, each(func(_, n, m float64) float64 { return n - m })},
		"FMUL": {wordFMUL, each(func(_, n, m float64) float64 { return n * m })},
		"FDIV": {wordFDIV, each(func(_, n, m float64) float64 { return n / m })},
		"FMAX": {wordFMAX, each(func(_, n, m float64) float64 { return max(n, m) })},
		"FCMGT": {wordFCMGT, func(_, n, m lanes) (out lanes) {
			for i := range out {
				if num(n[i]) > num(m[i]) {
					out[i] = math.MaxUint64
				}
			}
			return out
		}},
		"FMUL0":    {wordFMUL0, with(0, func(_, n, m float64) float64 { return n * m })},
		"FMLA0":    {wordFMLA0, with(0, func(d, n, m float64) float64 { return math.FMA(n, m, d) })},
		"FMLA1":    {wordFMLA1, with(1, func(d, n, m float64) float64 { return math.FMA(n, m, d) })},
		"FMLS0":    {wordFMLS0, with(0, func(d, n, m float64) float64 { return math.FMA(-n, m, d) })},
		"FADDS4":   {wordFADDS4, singles(-1, func(_, n, m float64) float64 { return n + m })},
		"FSUBS4":   {wordFSUBS4, singles(-1, func(_, n, m float64) float64 { return n - m })},
		"FMULS4":   {wordFMULS4, singles(-1, func(_, n, m float64) float64 { return n * m })},
		"FDIVS4":   {wordFDIVS4, singles(-1, func(_, n, m float64) float64 { return n / m })},
		"FMINS4":   {wordFMINS4, singles(-1, func(_, n, m float64) float64 { return min(n, m) })},
		"FMAXNMS4": {wordFMAXNMS4, singles(-1, func(_, n, m float64) float64 { return larger(n, m) })},
		"FCMGTS4": {wordFCMGTS4, func(_, n, m lanes) (out lanes) {
			for i := range 4 {
				if single(n, i) > single(m, i) {
					out[i/2] |= math.MaxUint32 << (i % 2 * 32)
				}
			}
			return out
		}},
		"FCMEQS4": {wordFCMEQS4, func(_, n, m lanes) (out lanes) {
			for i := range 4 {
				if single(n, i) == single(m, i) {
					out[i/2] |= math.MaxUint32 << (i % 2 * 32)
				}
			}
			return out
		}},
		"FCVTZSS4": {wordFCVTZSS4, singles(-1, func(_, n, _ float64) float64 {
			n = math.Trunc(max(math.MinInt32, min(math.MaxInt32, n)))
			if n != n {
				n = 0
			}
			return float64(math.Float32frombits(uint32(int32(n))))
		})},
		"SCVTFS4": {wordSCVTFS4, func(_, n, _ lanes) (out lanes) {
			for i := range 4 {
				v := int32(n[i/2] >> (i % 2 * 32))
				out[i/2] |= uint64(math.Float32bits(float32(v))) << (i % 2 * 32)
			}
			return out
		}},
		"FMAXNMV": {wordFMAXNMV, func(_, n, _ lanes) lanes {
			top := larger(larger(single(n, 0), single(n, 1)), larger(single(n, 2), single(n, 3)))
			return lanes{uint64(math.Float32bits(float32(top)))}
		}},
		"FRINTMS4": {wordFRINTMS4, singles(-1, func(_, n, _ float64) float64 { return math.Floor(n) })},
		"FABDS4":   {wordFABDS4, singles(-1, func(_, n, m float64) float64 { return math.Abs(n - m) })},
		"FADDPS4": {wordFADDPS4, func(_, n, m lanes) lanes {
			return lanes{
				bits(pair(float32(single(n, 0)+single(n, 1)), float32(single(n, 2)+single(n, 3)))),
				bits(pair(float32(single(m, 0)+single(m, 1)), float32(single(m, 2)+single(m, 3)))),
			}
		}},
		"FRINTNS4": {wordFRINTNS4, singles(-1, func(_, n, _ float64) float64 { return math.RoundToEven(n) })},
		"FCVTNSS4": {wordFCVTNSS4, singles(-1, func(_, n, _ float64) float64 {
			n = math.RoundToEven(max(math.MinInt32, min(math.MaxInt32, n)))
			if n != n {
				n = 0
			}
			return float64(math.Float32frombits(uint32(int32(n))))
		})},
		"FMUL0S4": {wordFMUL0S4, singles(0, func(_, n, m float64) float64 { return n * m })},
		"FMUL1S4": {wordFMUL1S4, singles(1, func(_, n, m float64) float64 { return n * m })},
		"FMLA0S4": {wordFMLA0S4, singles(0, func(d, n, m float64) float64 { return math.FMA(n, m, d) })},
		"FMLA1S4": {wordFMLA1S4, singles(1, func(d, n, m float64) float64 { return math.FMA(n, m, d) })},
		"FMLA2S4": {wordFMLA2S4, singles(2, func(d, n, m float64) float64 { return math.FMA(n, m, d) })},
		"FMLA3S4": {wordFMLA3S4, singles(3, func(d, n, m float64) float64 { return math.FMA(n, m, d) })},
		"FCVTL":   {wordFCVTL, func(_, n, _ lanes) lanes { return lanes{bits(single(n, 0)), bits(single(n, 1))} }},
		"FCVTL2":  {wordFCVTL2, func(_, n, _ lanes) lanes { return lanes{bits(single(n, 2)), bits(single(n, 3))} }},
		"FADDP":   {wordFADDP, func(_, n, _ lanes) lanes { return lanes{bits(num(n[0]) + num(n[1]))} }},
		"FMAXP":   {wordFMAXP, func(_, n, _ lanes) lanes { return lanes{bits(max(num(n[0]), num(n[1])))} }},
		"FRINTN":  {wordFRINTN, each(func(_, n, _ float64) float64 { return math.RoundToEven(n) })},
		"FCVTNS": {wordFCVTNS, func(_, n, _ lanes) (out lanes) {
			for i := range out {
				switch v := math.RoundToEven(num(n[i])); {
				case v != v:
				case v > math.MaxInt64:
					out[i] = math.MaxInt64
				case v < math.MinInt64:
					out[i] = 1 << 63
				default:
					out[i] = uint64(int64(v))
				}
			}
			return out
		}},
		"SCVTF": {wordSCVTF, func(_, n, _ lanes) lanes { return lanes{bits(float64(int64(n[0]))), bits(float64(int64(n[1])))} }},
		"SXTL":  {wordSXTL, func(_, n, _ lanes) lanes { return lanes{uint64(int64(int32(n[0]))), uint64(int64(n[0]) >> 32)} }},
		"SXTL2": {wordSXTL2, func(_, n, _ lanes) lanes { return lanes{uint64(int64(int32(n[1]))), uint64(int64(n[1]) >> 32)} }},
		"SSHR1": {wordSSHR1, func(_, n, _ lanes) lanes { return lanes{uint64(int64(n[0]) >> 1), uint64(int64(n[1]) >> 1)} }},
	} {
		for _, in := range [][6]float64{
			{1, 2, 3, 5, 7, 11},
			{-0.5, 1.5, 2.5, -2.5, 0.1, -1e300},
			{1e-310, 3, -1e10, 0.5000001, 1e10, 0.5},
			{0, 0, inf, -inf, 3, 4},
			{0, 0, nan, 1, 2, 3},
			{0, 0, 4, nan, 2, 5},
			{1, 1, 2, 3, nan, 4},
			{pair(1, 2), pair(3, 4), pair(5, float32(nan)), pair(-0.5, -11), pair(float32(nan), 17), pair(-0.25, 19)},
			{pair(1, 2), pair(3, 4), pair(13, 2.5), pair(-2.5, 19), pair(13, 17), pair(-2.5, float32(nan))},
			{pair(1, 2), pair(3, 4), pair(5, -7), pair(0.5, 11), pair(13, 17), pair(-0.25, 19)},
		} {
			d, n, m := lanes{bits(in[0]), bits(in[1])}, lanes{bits(in[2]), bits(in[3])}, lanes{bits(in[4]), bits(in[5])}
			want := c.want(d, n, m)
			got := d
			c.run(&got, &n, &m)
			for i := range got {
				anyNaN := num(want[i]) != num(want[i]) && want[i] != math.MaxUint64
				if got[i] != want[i] && !(anyNaN && num(got[i]) != num(got[i])) {
					t.Errorf("%s %v: lane %d is %#x, want %#x", name, in, i, got[i], want[i])
				}
			}
		}
	}
}

// larger returns the larger of two numbers, or the one that is not NaN.
func larger(x, y float64) float64 {
	if y > x || x != x {
		return y
	}
	return x
}

// single is the i-th of four float32.
func single(x [2]uint64, i int) float64 {
	return float64(math.Float32frombits(uint32(x[i/2] >> (i % 2 * 32))))
}

// pair is the float64 of the bits of two float32.
func pair(low, high float32) float64 {
	return math.Float64frombits(uint64(math.Float32bits(low)) | uint64(math.Float32bits(high))<<32)
}
