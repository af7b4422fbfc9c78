package decompose

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
)

// Sensitivity is what the perturbation theorem of SVTD says of known parameters, by the
// letter of its proof ([T] Thm 2.2.1).
type Sensitivity struct {
	// Feature has the largest least difference between components, which is AlphaR; -1
	// where no feature tells all of them apart.
	Feature int
	AlphaR  float64
	// AlphaM2 is the least difference between the squares of neighbouring singular
	// values of M2.
	AlphaM2 float64
	// Gamma is γ(M,ω), below which errors of M2 and of M3 must be, in Frobenius norm, for
	// the theorem to say anything ([T] Rem. 2.2.1, ineq. 2.6); 0 where no error is small enough.
	Gamma float64
	// Factor is by how much errors far below Gamma grow in a row of the centers at the most;
	// +Inf where Gamma is 0.
	Factor float64
	// Norm2 and Norm3 are the Frobenius norms of M2 and M3.
	Norm2, Norm3 float64

	of perturbed
}

// Rows bounds how far a row of the centers moves, in Euclidean norm, where M2 and M3 are off by
// less than error each; ok is false where the theorem says nothing of such errors.
func (s *Sensitivity) Rows(error float64) (bound float64, ok bool) {
	if !(error < s.Gamma) {
		return math.Inf(1), false
	}
	p := s.of
	turn := 2 * math.Sqrt2 * p.conjugated(error, p.slice) / s.AlphaR // g(ε) ≥ ‖Õ − O‖
	return 2*p.longest*turn + p.conjugated(error, p.largest), true
}

// perturbed holds the norms that the proof of [T] Thm 2.2.1 is made of, with E = U·S^½.
type perturbed struct {
	k            float64
	norm2, alpha float64 // ‖M2‖, α_M2
	e, e2, least float64 // ‖E‖² = Σσ, ‖E†‖² = Σ1/σ, σ_k
	tau          float64 // τ(E) = ‖E†‖² + ‖(EᵀE)^-1‖·‖I − EE†‖
	slice, row   float64 // ‖M3,r‖ and ‖H_r‖ = ‖m_r‖ of the feature r
	largest      float64 // of ‖M3,i‖
	longest      float64 // of ‖m_i‖
}

// whitening bounds ‖Ẽ − E‖: f(ε).
func (p *perturbed) whitening(error float64) float64 {
	vectors := math.Sqrt(8*p.k) * error * (2*p.norm2 + error) / p.alpha // ‖Ũ − U‖
	values := error / (2 * math.Sqrt(p.least))                          // ‖S̃^½ − S^½‖
	return math.Sqrt(p.e)*vectors + math.Sqrt(p.k)*values + vectors*values
}

// conjugated bounds how far E†M3,i(E†)ᵀ moves, for a slice of that norm: h(ε).
func (p *perturbed) conjugated(error, slice float64) float64 {
	off, inverse := p.whitening(error)*p.tau, math.Sqrt(p.e2)
	return 2*off*inverse*slice + p.e2*error + 2*error*off*inverse + off*off*(slice+error)
}

// limit is the right side of inequality 2.6, which h(ε) must not exceed.
func (p *perturbed) limit(alphaR float64) float64 {
	c := 2 * p.row * (1 + math.Sqrt(1-1/p.k))
	return alphaR * alphaR / (math.Sqrt2 * (c + math.Hypot(alphaR, c)))
}

// gamma is the largest error that inequality 2.6 allows: h rises from 0.
func (p *perturbed) gamma(alphaR float64) float64 {
	limit := p.limit(alphaR)
	low, high := 0.0, limit/p.e2 // h(ε) > ‖E†‖²·ε
	for range 1100 {             // to the last bit, from whatever size
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if p.conjugated(middle, p.slice) <= limit {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Perturbation returns what the theorem says of parameters.
func Perturbation(p mixture.Params) Sensitivity {
	d, k := p.Centers.Dims()
	g, sigma := gramOf(p)
	s := Sensitivity{Feature: -1, AlphaM2: math.Inf(1), Norm2: floats.Norm(sigma, 2), Factor: math.Inf(1)}
	of := perturbed{k: float64(k), norm2: s.Norm2, least: sigma[k-1]}
	inverse2 := 0.0 // Σ1/σ²
	for i, v := range sigma {
		next := 0.0
		if i+1 < k {
			next = sigma[i+1]
		}
		s.AlphaM2 = math.Min(s.AlphaM2, v*v-next*next)
		of.e, of.e2, inverse2 = of.e+v, of.e2+1/v, inverse2+1/(v*v)
	}
	for r := range d {
		values, slice := p.Centers.RawRowView(r), sliceNorm(g, p, r)
		falling := slices.SortedFunc(slices.Values(values), func(a, b float64) int { return cmp.Compare(b, a) })
		if least := leastGap(falling); least > s.AlphaR && k > 1 {
			s.Feature, s.AlphaR = r, least
			of.slice, of.row = slice, floats.Norm(values, 2)
		}
		of.largest, of.longest = math.Max(of.largest, slice), math.Max(of.longest, floats.Norm(values, 2))
		s.Norm3 = math.Hypot(s.Norm3, slice)
	}
	if s.Feature < 0 || !(s.AlphaM2 > 0) || !(of.least > 0) {
		return s
	}
	of.alpha, of.tau = s.AlphaM2, of.e2+math.Sqrt(inverse2)*math.Sqrt(float64(d-k))
	s.of, s.Gamma = of, of.gamma(s.AlphaR)
	if tiny := s.Gamma * 1e-9; tiny > 0 {
		bound, _ := s.Rows(tiny)
		s.Factor = bound / tiny
	}
	return s
}

// gramOf returns MᵀM and the singular values of M2 = MΩMᵀ, falling.
func gramOf(p mixture.Params) (*mat.Dense, []float64) {
	g := new(mat.Dense)
	spectral.MulTrans(g, p.Centers, p.Centers)
	scaled := mat.DenseCopyOf(g)
	for i, v := range p.Weights {
		for j, w := range p.Weights {
			scaled.Set(i, j, g.At(i, j)*math.Sqrt(v*w))
		}
	}
	sigma, _ := spectral.SymEig(scaled)
	return g, sigma
}

// sliceNorm returns ‖M3,r‖_F = ‖M diag(ω_j μ_rj) Mᵀ‖_F.
func sliceNorm(g *mat.Dense, p mixture.Params, r int) float64 {
	sum, row := 0.0, p.Centers.RawRowView(r)
	for i, v := range p.Weights {
		for j, w := range p.Weights {
			sum += v * row[i] * w * row[j] * g.At(i, j) * g.At(i, j)
		}
	}
	return math.Sqrt(math.Max(0, sum))
}
