package lda

import "math"

// shift is where the asymptotic series of ψ and ψ′ reach the last digit.
const shift = 10

// digamma returns ψ(x) for x > 0. Below shift it goes up by
// ψ(x) = ψ(x+10) − P′(x)/P(x) with P(x) = x(x+1)…(x+9), one division in all:
// in u = x(x+9) the outer factors pair up to u, u+8, u+14, u+18, u+20.
func digamma(x float64) float64 {
	sub := 0.0
	if x < shift {
		u := x * (x + 9)
		p := u * (40320 + u*(12176+u*(1308+u*(60+u))))
		sub = (2*x + 9) * (40320 + u*(24352+u*(3924+u*(240+u*5)))) / p
		x += 10
	}
	f := 1 / (x * x)
	series := f * (1.0/12 - f*(1.0/120-f*(1.0/252-f*(1.0/240-f*(1.0/132-f*(691.0/32760-f/12))))))
	return math.Log(x) - 0.5/x - series - sub
}

// expDigamma returns exp(ψ(x)) for x > 0 to about 1e-11 relative, for the
// inner loop: above 8 a series of exp(ψ(y+½)) needs neither log nor exp, and
// below it goes up by 8 as digamma does, in u = x(x+7).
func expDigamma(x float64) float64 {
	if x >= 8 {
		return expPsiSeries(x)
	}
	u := x * (x + 7)
	sub := (2*x + 7) * (720 + u*(504+u*(84+u*4))) / (u * (720 + u*(252+u*(28+u))))
	return expPsiSeries(x+8) * math.Exp(-sub)
}

// expPsiSeries returns exp(ψ(x)) for x ≥ 8: with y = x − ½ it is
// y + 1/24y − 37/5760y³ + 10313/2903040y⁵ − 5509121/1393459200y⁷ + …
func expPsiSeries(x float64) float64 {
	y := x - 0.5
	r := 1 / y
	f := r * r
	return y + r*(1.0/24-f*(37.0/5760-f*(10313.0/2903040-f*(5509121.0/1393459200))))
}

// trigamma returns ψ′(x) for x > 0.
func trigamma(x float64) float64 {
	sum := 0.0
	for x < shift {
		sum += 1 / (x * x)
		x++
	}
	f := 1 / (x * x)
	series := f / x * (1.0/6 - f*(1.0/30-f*(1.0/42-f*(1.0/30-f*(5.0/66-f*(691.0/2730-f*7/6))))))
	return sum + 1/x + f/2 + series
}

func logGamma(x float64) float64 {
	g, _ := math.Lgamma(x)
	return g
}
