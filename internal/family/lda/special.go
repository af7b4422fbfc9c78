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
