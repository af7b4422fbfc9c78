package kernel

import "math"

// GammaLanes is what the number of arguments of Gammas is rounded up to.
const GammaLanes = 8

// gammaShift is where the asymptotic series of ψ and log Γ reach the last digit.
const gammaShift = 10

// halfLog2Pi is log(2π)/2.
const halfLog2Pi = 0.91893853320467274178032973640562

// Gammas sets lg and psi to log Γ and ψ of the numbers of x, all above zero, to
// some roundings of what it adds: log Γ(x+10), about 30 for small x.
func Gammas(lg, psi, x []float64) {
	if active != plain && gammasFast(lg, psi, x) {
		return
	}
	for i, v := range x {
		lg[i], psi[i] = gammas(v)
	}
}

// gammas goes up by ψ(x) = ψ(x+10) − P′(x)/P(x) and log Γ(x) = log Γ(x+10) −
// log P(x) with P(x) = x(x+1)…(x+9), one division in all: in u = x(x+9) the outer
// factors pair up to u, u+8, u+14, u+18, u+20.
func gammas(x float64) (lg, psi float64) {
	if x < gammaShift {
		u := x * (x + 9)
		p := u * (40320 + u*(12176+u*(1308+u*(60+u))))
		psi = -(2*x + 9) * (40320 + u*(24352+u*(3924+u*(240+u*5)))) / p
		lg = -math.Log(p)
		x += 10
	}
	r := 1 / x
	f := r * r
	log := math.Log(x)
	psi += log - r/2 - f*(1.0/12-f*(1.0/120-f*(1.0/252-f*(1.0/240-f*(1.0/132-f*(691.0/32760-f/12))))))
	lg += (x-0.5)*log - x + halfLog2Pi + r*(1.0/12-f*(1.0/360-f*(1.0/1260-f*(1.0/1680-f*(1.0/1188-f*(691.0/360360-f/156))))))
	return lg, psi
}

// gammasFast leaves numbers to the plain way whose logarithms the assembly does
// not know.
func gammasFast(lg, psi, x []float64) bool {
	n := len(x)
	if !hasMixGamma() || n < GammaLanes || n%GammaLanes != 0 || len(lg) < n || len(psi) < n {
		return false
	}
	for _, v := range x {
		if !(v > 1e-25 && v < 1e200) {
			return false
		}
	}
	for lo := 0; lo < n; lo += budget {
		some := min(budget, n-lo)
		callMixGamma(&lg[lo], &psi[lo], &x[lo], some)
	}
	return true
}
