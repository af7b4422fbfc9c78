package lda

import "math"

const (
	newtonSteps = 50
	newtonTol   = 1e-10 // of the objective for one document
	// leastAlpha keeps a Dirichlet parameter from vanishing for good.
	leastAlpha = 1e-6
	// mostAlpha stands for documents that are all alike.
	mostAlpha = 1e6
)

// bestAlpha maximises log Γ(Σα) − Σ log Γ(α_j) + Σ α_j t_j, with t = elog/n the
// mean of E log θ, by Newton steps in log α from old, each shortened until it
// is a gain. The Hessian is a diagonal plus a constant, so that a step is
// linear in k (Minka 2000); in log α the parameters stay positive.
func bestAlpha(old, elog []float64, n float64) []float64 {
	alpha := append([]float64(nil), old...)
	t := make([]float64, len(elog))
	for j, v := range elog {
		t[j] = v / n
	}
	value := dirichletValue(alpha, t)
	next := make([]float64, len(alpha))
	for range newtonSteps {
		step := newtonStep(alpha, t)
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
