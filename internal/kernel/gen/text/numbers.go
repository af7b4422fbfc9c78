package text

import "math"

// Numbers that the kernels of both processors compute with.
const (
	// ExpDegree: on |r| ≤ ln 2/2 the first term of the exponential left out is 4e-18.
	ExpDegree = 13
	// ExpLow: the exponential of anything lower is zero.
	ExpLow = -746
	// Ln2Hi and Ln2Lo are ln 2 in two parts: whole multiples of the first are exact.
	Ln2Hi, Ln2Lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	// SingleDegree is ExpDegree of float32.
	SingleDegree = 6
)

// LogSeries: log((1+s)/(1−s)) = 2s + s·R(s²), the minimax coefficients of R in fdlibm.
var LogSeries = []float64{
	6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
	1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
}

// PowerSeries: 2ʳ for r from 0 to 1 is one and r times this polynomial, to float32.
var PowerSeries = []float64{
	0.6931513118392265, 0.24016444989797758, 0.055799913739682454, 0.009017029677090343, 0.0018671303017135832,
}

// PsiSeries: exp(ψ(y+½)) = y + 1/y·(c₀ + c₁/y² + c₂/y⁴ …).
var PsiSeries = []float64{1.0 / 24, -37.0 / 5760, 10313.0 / 2903040}

// Factorials returns 1/i! for i = 0 to degree: the series of the exponential.
func Factorials(degree int) []float64 {
	out, fact := []float64{1}, 1.0
	for i := 1; i <= degree; i++ {
		fact *= float64(i)
		out = append(out, 1/fact)
	}
	return out
}

// Doubles and Singles return numbers as the bits of float64 and float32.
func Doubles(list ...float64) (out []uint64) {
	for _, v := range list {
		out = append(out, math.Float64bits(v))
	}
	return out
}

func Singles(list ...float64) (out []uint64) {
	for _, v := range list {
		out = append(out, uint64(math.Float32bits(float32(v))))
	}
	return out
}
