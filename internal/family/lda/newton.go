package lda

import (
	"math"
	"slices"
)

const (
	newtonSteps = 50
	newtonTol   = 1e-14 // of the objective for one document
	// lastStep is the length of a step of log α that is taken and is the last: so
	// near the maximum the objective is flat to its last digit and tells nothing,
	// and the step is right to its square.
	lastStep = 1e-6
	// leastAlpha keeps a Dirichlet parameter from vanishing for good.
	leastAlpha = 1e-6
	// mostAlpha stands for documents that are all alike.
	mostAlpha = 1e6
)

// bestAlpha maximises log Γ(Σα) − Σ log Γ(α_j) + Σ α_j t_j by Newton steps in
// log α from old, each shortened until it is a gain. The Hessian is a diagonal
// plus a constant, so that a step is linear in k (Minka 2000); in log α the
// parameters stay positive.
func bestAlpha(old, t []float64) []float64 {
	alpha := append([]float64(nil), old...)
	value := dirichletValue(alpha, t)
	next := make([]float64, len(alpha))
	for range newtonSteps {
		step := newtonStep(alpha, t)
		if largestStep(step) <= lastStep {
			for j, a := range alpha {
				alpha[j] = math.Min(math.Max(a*math.Exp(step[j]), leastAlpha), mostAlpha)
			}
			break
		}
		gain := 0.0
		for size := 1.0; size > 1e-6; size /= 2 {
			for j, a := range alpha {
				next[j] = math.Min(math.Max(a*math.Exp(size*step[j]), leastAlpha), mostAlpha)
			}
			if v := dirichletValue(next, t); v > value {
				gain, value = v-value, v
				copy(alpha, next)
				break
			}
		}
		if gain <= newtonTol {
			break
		}
	}
	return alpha
}

// largestStep returns the length of the longest entry.
func largestStep(step []float64) float64 {
	most := 0.0
	for _, v := range step {
		most = max(most, math.Abs(v))
	}
	return most
}

func dirichletValue(alpha, t []float64) float64 {
	sum, v := 0.0, 0.0
	for j, a := range alpha {
		sum += a
		v += a*t[j] - logGamma(a)
	}
	return v + logGamma(sum)
}

// mostStep bounds a step of log α.
const mostStep = 2

// newtonStep returns the step of log α. With g the gradient in α, the gradient
// in log α is αg and the Hessian diag(αg − α²ψ′(α)) + ψ′(Σα) ααᵀ; where the
// diagonal is not negative the concave part −α²ψ′(α) stands for it.
func newtonStep(alpha, t []float64) []float64 {
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	psi, z := digamma(sum), trigamma(sum)
	k := len(alpha)
	grad, diag := make([]float64, k), make([]float64, k)
	top, bottom := 0.0, 1/z
	for j, a := range alpha {
		grad[j] = a * (psi - digamma(a) + t[j])
		curve := a * a * trigamma(a)
		diag[j] = -curve + math.Min(grad[j], 0)
		top += a * grad[j] / diag[j]
		bottom += a * a / diag[j]
	}
	// Sherman-Morrison for diag + z·ααᵀ.
	step := make([]float64, k)
	for j, a := range alpha {
		s := -(grad[j] - a*top/bottom) / diag[j]
		step[j] = math.Min(math.Max(s, -mostStep), mostStep)
	}
	return step
}

// bestShares maximises the same with Σα kept: there ψ(α_j) = t_j − λ, and λ is
// found by halving, since every α_j falls as λ rises.
func bestShares(old, t []float64) []float64 {
	sum := 0.0
	for _, a := range old {
		sum += a
	}
	alpha := make([]float64, len(old))
	at := func(lambda float64) float64 {
		s := 0.0
		for j, v := range t {
			alpha[j] = math.Max(inverseDigamma(v-lambda), leastAlpha)
			s += alpha[j]
		}
		return s
	}
	// At lo the largest entry alone reaches the sum; at hi no entry reaches its
	// equal part.
	top := slices.Max(t)
	lo, hi := top-digamma(sum), top-digamma(sum/float64(len(t)))
	for range lambdaSteps {
		if mid := (lo + hi) / 2; at(mid) > sum {
			lo = mid
		} else {
			hi = mid
		}
	}
	got := at((lo + hi) / 2)
	for j := range alpha {
		alpha[j] *= sum / got
	}
	if dirichletValue(alpha, t) < dirichletValue(old, t) {
		return old // at the optimum but for rounding
	}
	return alpha
}

// lambdaSteps halves any bracket to the last digit.
const lambdaSteps = 60

// inverseDigamma returns x with ψ(x) = y, by Newton steps from Minka's start.
func inverseDigamma(y float64) float64 {
	x := -1 / (y - digamma(1))
	if y >= -2.22 {
		x = math.Exp(y) + 0.5
	}
	for range 5 { // the error squares with each: 14 digits
		x -= (digamma(x) - y) / trigamma(x)
	}
	return x
}
