package enough

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Bounds are what the papers' theorems say of these records, computed from the
// data and the estimated parameters. They hold, but are far from tight: they
// are information, and the light does not rest on them.
type Bounds struct {
	Delta float64 // probability with which the sample bounds may fail

	// [T] Thm 3.2.2, for documents: with probability 1−δ the errors of M2 and
	// M3 in Frobenius norm are below Second and Third,
	// ε = √(W·(1−‖M‖²)) + √(2·W·log(1/δ)), W = Σw²/(Σw)². The weights w of a
	// document of t words are the product's own, saturating at 30 words:
	// l/(1+l/30^q) with l = t(t−1)…, q = 2 and 3. Zero where the records are
	// not whole counts.
	W2, W3                float64
	SecondNorm, ThirdNorm float64 // ‖M2‖, ‖M3‖ of the estimated parameters
	Second, Third         float64

	// [T] Thm 2.2.1: the error of the centers grows with 1/α_r and 1/α_M2.
	// AlphaR is the least difference between two centers in the feature where
	// it is largest, Feature; AlphaM2 is min(σ_i² − σ_{i+1}²), i ≤ k, of M2.
	AlphaR  float64
	Feature int
	AlphaM2 float64
	SigmaK  float64

	// [T] Thm 4.3.1, for values from 0 to 1: bounds on the bias of the raw
	// moments' entries (i,i), (i,i,l) and (i,i,i), the largest over the
	// features; Mean2 is the mean over i of the first. Zero for other values.
	// Families that correct the diagonal do not have this bias.
	Bias2, Mean2, Bias3Pair, Bias3 float64
}

// biasFeatures is the largest number of features for which all pairs are
// looked at.
const biasFeatures = 2048

func (j *judge) bounds(whole fitted, s *shape) Bounds {
	b := Bounds{Delta: j.o.Delta, Feature: -1}
	b.sample(whole, s)
	b.perturbation(whole, j.k)
	if s.unit() {
		b.bias(whole, s)
	}
	return b
}

// sample computes the bounds of [T] Thm 3.2.2.
func (b *Bounds) sample(whole fitted, s *shape) {
	if !s.counts || s.two == 0 || s.three == 0 {
		return
	}
	b.W2, b.W3 = s.two2/(s.two*s.two), s.three2/(s.three*s.three)
	m := mat.DenseCopyOf(whole.params.Centers)
	shares(m)
	w := whole.params.Weights
	var g mat.Dense
	g.Mul(m.T(), m)
	second, third := 0.0, 0.0
	for i, wi := range w {
		for l, wl := range w {
			v := g.At(i, l)
			second += wi * wl * v * v
			third += wi * wl * v * v * v
		}
	}
	b.SecondNorm, b.ThirdNorm = math.Sqrt(second), math.Sqrt(third)
	b.Second, b.Third = accuracy(b.W2, second, b.Delta), accuracy(b.W3, third, b.Delta)
}

// accuracy is the ε of [T] Thm 3.2.2.
func accuracy(w, norm2, delta float64) float64 {
	return math.Sqrt(w*math.Max(0, 1-norm2)) + math.Sqrt(2*w*math.Log(1/delta))
}

// shares divides every column by its sum: centers as distributions of words.
func shares(m *mat.Dense) {
	d, k := m.Dims()
	for j := range k {
		sum := mat.Sum(m.ColView(j))
		for h := range d {
			if sum > 0 {
				m.Set(h, j, m.At(h, j)/sum)
			}
		}
	}
}

// perturbation computes the quantities of [T] Thm 2.2.1.
func (b *Bounds) perturbation(whole fitted, k int) {
	m := whole.params.Centers
	d, groups := m.Dims()
	for h := range d {
		least := math.Inf(1)
		for i := range groups {
			for l := range i {
				least = math.Min(least, math.Abs(m.At(h, i)-m.At(h, l)))
			}
		}
		if groups > 1 && (b.Feature < 0 || least > b.AlphaR) {
			b.AlphaR, b.Feature = least, h
		}
	}
	at := func(i int) float64 {
		if i < len(whole.eigen) {
			return math.Max(whole.eigen[i], 0)
		}
		return 0
	}
	b.SigmaK, b.AlphaM2 = at(k-1), math.Inf(1)
	for i := range k {
		b.AlphaM2 = math.Min(b.AlphaM2, at(i)*at(i)-at(i+1)*at(i+1))
	}
}

// bias computes the bounds of [T] Thm 4.3.1; for values from 0 to 1 the mean
// of a square is at most the mean, which stands for it in the pairs.
func (b *Bounds) bias(whole fitted, s *shape) {
	d := len(s.sum)
	for h := range d {
		p, n := s.sum[h]/s.n, s.n
		second := s.square[h]/n - p*p
		b.Bias2 = math.Max(b.Bias2, second)
		b.Mean2 += second / float64(d)
		b.Bias3 = math.Max(b.Bias3, s.cube[h]/n-p*p*p)
	}
	m := whole.params.Centers
	if rows, _ := m.Dims(); rows != d || d > biasFeatures {
		return
	}
	var weighted, m2 mat.Dense
	weighted.Apply(func(_, c int, v float64) float64 { return v * whole.params.Weights[c] }, m)
	m2.Mul(&weighted, m.T())
	for l := range d {
		m1 := s.sum[l] / s.n
		for h := range d {
			if v := m2.At(h, l); h != l && m1 > 0 {
				b.Bias3Pair = math.Max(b.Bias3Pair, v-v*v/m1)
			}
		}
	}
}
