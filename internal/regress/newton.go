package regress

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// problem is the penalised negative log-likelihood
//
//	f(θ) = −Σ_i log p_i(y_i) + λ/2·Σ w² [ + (Σ_c b_c)²/2 for a softmax ]
//
// over θ = (b_c, w_c) per column c. A softmax does not change when all
// intercepts move together; the last term takes that freedom away without
// moving the fitted probabilities, so the Hessian is positive definite.
type problem struct {
	x       []float64 // n×d with a leading column of ones
	y       []int
	d, m    int // columns of x; columns of coefficients
	classes int
	ridge   float64
	theta   []float64 // m blocks of d
}

func newProblem(x mat.Matrix, y []int, classes int, ridge float64) *problem {
	n, d := x.Dims()
	p := &problem{y: y, d: d + 1, m: classes, classes: classes, ridge: ridge}
	if classes == 2 {
		p.m = 1
	}
	p.x = make([]float64, 0, n*p.d)
	for i := range n {
		p.x = append(p.x, 1)
		for h := range d {
			p.x = append(p.x, x.At(i, h))
		}
	}
	p.theta = make([]float64, p.m*p.d)
	return p
}

// probabilities sets prob (one entry a class) for row i and returns −log p(y_i).
func (p *problem) probabilities(prob, theta []float64, i int) float64 {
	row := p.x[i*p.d : (i+1)*p.d]
	clear(prob)
	for c := range p.m {
		eta := 0.0
		for h, v := range theta[c*p.d : (c+1)*p.d] {
			eta += v * row[h]
		}
		prob[p.classes-p.m+c] = eta
	}
	own := prob[p.y[i]]
	return softmax(prob) - own
}

// value returns f(θ).
func (p *problem) value(theta []float64) float64 {
	f, prob := 0.0, make([]float64, p.classes)
	for i := range p.y {
		f += p.probabilities(prob, theta, i)
	}
	free := 0.0
	for c := range p.m {
		w := theta[c*p.d : (c+1)*p.d]
		free += w[0]
		for _, v := range w[1:] {
			f += p.ridge / 2 * v * v
		}
	}
	if p.m > 1 {
		f += free * free / 2
	}
	return f
}

// derivatives returns the gradient and the Hessian at θ.
func (p *problem) derivatives() (grad []float64, hess *mat.SymDense) {
	size := len(p.theta)
	grad = make([]float64, size)
	h := make([]float64, size*size)
	prob := make([]float64, p.classes)
	off := p.classes - p.m
	for i := range p.y {
		p.probabilities(prob, p.theta, i)
		row := p.x[i*p.d : (i+1)*p.d]
		for a := range p.m {
			pa := prob[off+a]
			resid := pa
			if p.y[i] == off+a {
				resid--
			}
			for s, v := range row {
				grad[a*p.d+s] += resid * v
			}
			for b := a; b < p.m; b++ {
				w := -pa * prob[off+b]
				if a == b {
					w = pa * (1 - pa)
				}
				addBlock(h, size, a*p.d, b*p.d, row, w)
			}
		}
	}
	p.addPenalty(grad, h)
	return grad, mat.NewSymDense(size, h)
}

// addBlock adds w·x xᵀ to the block of h (size×size) at (r, c).
func addBlock(h []float64, size, r, c int, x []float64, w float64) {
	for s, v := range x {
		out := h[(r+s)*size+c:][:len(x)]
		v *= w
		for t, u := range x {
			out[t] += v * u
		}
	}
}

// addPenalty adds the penalty's part to both derivatives.
func (p *problem) addPenalty(grad, h []float64) {
	size, free := len(p.theta), 0.0
	for c := range p.m {
		free += p.theta[c*p.d]
		for s := c*p.d + 1; s < (c+1)*p.d; s++ {
			grad[s] += p.ridge * p.theta[s]
			h[s*size+s] += p.ridge
		}
	}
	if p.m == 1 {
		return
	}
	for a := range p.m {
		grad[a*p.d] += free
		for b := range p.m {
			h[a*p.d*size+b*p.d]++
		}
	}
}

// minimise takes damped Newton steps until the gradient vanishes and returns
// their number.
func (p *problem) minimise(s Settings) (int, error) {
	f := p.value(p.theta)
	largest := math.Inf(1)
	for step := range s.MaxIterations + 1 {
		grad, hess := p.derivatives()
		largest = 0
		for _, g := range grad {
			largest = max(largest, math.Abs(g)/float64(len(p.y)))
		}
		if largest <= s.Tolerance {
			return step, nil
		}
		if step == s.MaxIterations {
			break
		}
		var chol mat.Cholesky
		var dir mat.VecDense
		if !chol.Factorize(hess) {
			return 0, &ConvergenceError{step, largest}
		}
		if err := chol.SolveVecTo(&dir, mat.NewVecDense(len(grad), grad)); err != nil && !isCondition(err) {
			return 0, &ConvergenceError{step, largest}
		}
		next, moved := p.search(f, mat.Dot(&dir, mat.NewVecDense(len(grad), grad)), dir.RawVector().Data)
		if !moved {
			return 0, &ConvergenceError{step, largest}
		}
		f = next
	}
	return 0, &ConvergenceError{s.MaxIterations, largest}
}

// isCondition reports a mere warning of gonum: the answer may be inexact, which
// the search along it tolerates.
func isCondition(err error) bool { _, ok := err.(mat.Condition); return ok }

// search halves the step along −dir until f falls by a share of the decrease
// that the slope promises, moves θ there, and returns the new f. Near the
// minimum f no longer resolves the promise; the slack lets the last steps pass.
func (p *problem) search(f, slope float64, dir []float64) (next float64, moved bool) {
	const (
		share   = 1e-4  // Armijo's constant, the usual small number
		slack   = 1e-13 // of |f|: a few roundings of a sum of positive terms
		halves  = 50
		initial = 1.0
	)
	trial := make([]float64, len(p.theta))
	t := initial
	for range halves {
		for i, v := range p.theta {
			trial[i] = v - t*dir[i]
		}
		next = p.value(trial)
		if next <= f-share*t*slope+slack*math.Abs(f) {
			copy(p.theta, trial)
			return next, true
		}
		t /= 2
	}
	return f, false
}

// softmax replaces the finite logits v by their probabilities and returns
// log Σ exp(v_i). (Package simplex has one too, but stands on this floor.)
func softmax(v []float64) float64 {
	top := slices.Max(v)
	sum := 0.0
	for i, x := range v {
		v[i] = math.Exp(x - top)
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
	return top + math.Log(sum)
}
