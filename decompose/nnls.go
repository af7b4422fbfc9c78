package decompose

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// leastSquaresWeights returns the weights on the simplex, up to scale, that
// best explain M1 = M·ω with ω ≥ 0 ([T] Alg. 1, step 9, with the sign that
// least squares alone would lose). floored tells that a component was left
// without weight and given the least one.
func leastSquaresWeights(centers *mat.Dense, m1 []float64, o Options) (weights []float64, floored bool) {
	weights = nnls(centers, m1)
	normalise(weights)
	for j, v := range weights {
		if least := o.leastWeight(); v < least {
			weights[j], floored = least, true
		}
	}
	normalise(weights)
	return weights, floored
}

// nnls returns the x ≥ 0 that minimises ‖Ax − b‖ (A is d×k), by the active-set
// method of Lawson and Hanson. One QR factorisation brings the problem down to
// k+1 rows without squaring its condition.
func nnls(a *mat.Dense, b []float64) []float64 {
	_, k := a.Dims()
	r, y := reduce(a, b)
	x := make([]float64, k)
	set := &activeSet{r: r, y: y, free: make([]bool, k), spoilt: make([]bool, k)}
	set.tol = nnlsTol * largestOf(mulTransVec(r, y))
	for range 3 * k { // each round frees one variable; it ends long before
		j := set.steepest(x)
		if j < 0 {
			break
		}
		set.free[j] = true
		if !set.descend(x) {
			set.free[j], set.spoilt[j] = false, true
		}
	}
	return x
}

// nnlsTol is the slope, as a share of the largest of Aᵀb, below which a
// variable stays at zero.
const nnlsTol = 1e-13

// reduce returns the (k+1)×k matrix R and y with ‖Rx − y‖ = ‖Ax − b‖.
func reduce(a *mat.Dense, b []float64) (*mat.Dense, []float64) {
	d, k := a.Dims()
	both := mat.NewDense(max(d, k+1), k+1, nil)
	both.Slice(0, d, 0, k).(*mat.Dense).Copy(a)
	for h, v := range b {
		both.Set(h, k, v)
	}
	var qr mat.QR
	qr.Factorize(both)
	var r mat.Dense
	qr.RTo(&r)
	y := make([]float64, k+1)
	for i := range y {
		y[i] = r.At(i, k)
	}
	return mat.DenseCopyOf(r.Slice(0, k+1, 0, k)), y
}

// activeSet is the state of nnls.
type activeSet struct {
	r      *mat.Dense
	y      []float64
	free   []bool
	spoilt []bool // variables that depend on others that are free
	tol    float64
}

// steepest returns the bound variable of largest positive slope, or -1.
func (s *activeSet) steepest(x []float64) int {
	var rest mat.VecDense
	rest.MulVec(s.r, mat.NewVecDense(len(x), x))
	rest.SubVec(mat.NewVecDense(len(s.y), s.y), &rest)
	slope := mulTransVec(s.r, rest.RawVector().Data)
	best, at := s.tol, -1
	for j, v := range slope {
		if !s.free[j] && !s.spoilt[j] && v > best {
			best, at = v, j
		}
	}
	return at
}

// descend moves x to the best point of the free variables, binding those that
// would turn negative; it reports whether there is one.
func (s *activeSet) descend(x []float64) bool {
	for {
		z, ok := s.solve(len(x))
		if !ok {
			return false
		}
		step, hit := 1.0, -1
		for j, v := range z {
			if s.free[j] && v <= 0 {
				if t := x[j] / math.Max(x[j]-v, math.SmallestNonzeroFloat64); hit < 0 || t < step {
					step, hit = t, j
				}
			}
		}
		for j, v := range z {
			if s.free[j] {
				x[j] += step * (v - x[j])
			}
		}
		if hit < 0 {
			return true
		}
		x[hit], s.free[hit] = 0, false
	}
}

// solve returns the least-squares solution in the free variables, the others
// being zero.
func (s *activeSet) solve(k int) ([]float64, bool) {
	var at []int
	for j, f := range s.free {
		if f {
			at = append(at, j)
		}
	}
	z := make([]float64, k)
	if len(at) == 0 {
		return z, true
	}
	m, _ := s.r.Dims()
	cols := mat.NewDense(m, len(at), nil)
	for c, j := range at {
		cols.SetCol(c, mat.Col(nil, j, s.r))
	}
	var x mat.Dense
	err := x.Solve(cols, mat.NewDense(m, 1, s.y))
	if bad, ok := err.(mat.Condition); err != nil && (!ok || math.IsInf(float64(bad), 0)) || !finite(x.RawMatrix().Data) {
		return nil, false
	}
	for c, j := range at {
		z[j] = x.At(c, 0)
	}
	return z, true
}

func largestOf(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = math.Max(m, math.Abs(v))
	}
	return m
}
