package decompose

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
)

// SampleBound returns how far, in Frobenius norm, the second or third moment of
// documents may be from that of endless ones, with chance at most delta of being farther
// ([T] Thm 3.2.2): √(W(1−‖M‖²)) + √(2W log 1/δ). W is Σ v²/(Σ v)² over the documents for
// v = t(t−1) or t(t−1)(t−2), 1/n for documents of one length; norm is ‖M‖_F, 0 where it
// is not known.
func SampleBound(w, norm, delta float64) float64 {
	return math.Sqrt(w*math.Max(0, 1-norm*norm)) + math.Sqrt(2*w*math.Log(1/delta))
}

// Sensitivity is what the perturbation bound of SVTD says of known parameters ([T]
// Thm 2.2.1, after its proof).
type Sensitivity struct {
	// Feature has the largest least difference between components, which is AlphaR.
	Feature int
	AlphaR  float64
	// AlphaM2 is the least difference between the squares of neighbouring singular
	// values of M2.
	AlphaM2 float64
	// Factor bounds, for small errors of the moments, by how much they grow in a row of
	// the centers; +Inf where no feature tells all components apart or two singular
	// values are equal.
	Factor float64
	// Norm2 and Norm3 are the Frobenius norms of M2 and M3.
	Norm2, Norm3 float64
}

// Perturbation returns the bound for parameters.
func Perturbation(p mixture.Params) Sensitivity {
	d, k := p.Centers.Dims()
	g, sigma := gramOf(p)
	s := Sensitivity{Feature: -1, AlphaM2: math.Inf(1)}
	var sum, inverse, inverse2 float64 // Σσ, Σ1/σ, Σ1/σ²
	for i, v := range sigma {
		next := 0.0
		if i+1 < k {
			next = sigma[i+1]
		}
		s.AlphaM2 = math.Min(s.AlphaM2, v*v-next*next)
		s.Norm2 += v * v
		sum, inverse, inverse2 = sum+v, inverse+1/v, inverse2+1/(v*v)
	}
	s.Norm2 = math.Sqrt(s.Norm2)
	slice := func(r int) float64 { return sliceNorm(g, p, r) }
	largest, row := 0.0, 0.0 // of ‖M3,i‖ and of ‖H_i‖, the length of row i
	for r := range d {
		values := slices.Clone(p.Centers.RawRowView(r))
		slices.Sort(values)
		least := math.Inf(1)
		for j := 1; j < k; j++ {
			least = math.Min(least, values[j]-values[j-1])
		}
		if least > s.AlphaR && k > 1 {
			s.Feature, s.AlphaR = r, least
		}
		largest = math.Max(largest, slice(r))
		row = math.Max(row, math.Sqrt(dot(values, values)))
		s.Norm3 += slice(r) * slice(r)
	}
	s.Norm3 = math.Sqrt(s.Norm3)
	if s.Feature < 0 || !(s.AlphaM2 > 0) || !(sigma[k-1] > 0) {
		s.Factor = math.Inf(1)
		return s
	}
	f := math.Sqrt(sum)*math.Sqrt(8*float64(k))*2*s.Norm2/s.AlphaM2 + math.Sqrt(float64(k))/(2*math.Sqrt(sigma[k-1]))
	tau := inverse + math.Sqrt(inverse2)*math.Sqrt(float64(d-k))
	pseudo := math.Sqrt(inverse) // ‖E†‖
	h := 2*f*tau*pseudo*slice(s.Feature) + inverse
	turn := 2 * math.Sqrt2 * h / s.AlphaR
	s.Factor = 2*row*turn + inverse + 2*f*tau*pseudo*largest
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

// dependent is the share of the largest singular value of columns of unit length below
// which they depend on one another.
const dependent = 1e-9

// mostKruskal is the number of components up to which all their subsets are looked at.
const mostKruskal = 12

// Kruskal returns the k-rank of the centers, the largest r such that any r of them are
// independent, and whether it makes the decomposition of M3 unique: Kruskal's condition,
// 3r ≥ 2k + 2 for a symmetric tensor of k components. Where centers depend on each other
// and there are more than twelve, the rank is that of pairs and triples, at most.
func Kruskal(centers *mat.Dense) (rank int, unique bool) {
	var g mat.Dense
	spectral.MulTrans(&g, centers, centers)
	return kruskal(&g)
}

// kruskal is Kruskal, given the products of the centers, which it makes those of centers of
// length one.
func kruskal(g *mat.Dense) (rank int, unique bool) {
	k, _ := g.Dims()
	if k == 1 {
		return 1, true
	}
	length := make([]float64, k)
	for j := range k {
		length[j] = math.Sqrt(g.At(j, j))
	}
	for i := range k {
		for j, n := range length {
			if n *= length[i]; n > 0 {
				g.Set(i, j, g.At(i, j)/n)
			}
		}
	}
	rank = kRank(g, k)
	return rank, 3*rank >= 2*k+2
}

// kRank finds the k-rank from the products of unit columns.
func kRank(g *mat.Dense, k int) int {
	all := make([]int, k)
	for j := range all {
		all[j] = j
	}
	if independent(g, all) {
		return k
	}
	most := k - 1
	if k > mostKruskal {
		most = min(most, 3)
	}
	for size := 1; size <= most; size++ {
		if !everySubset(k, size, func(list []int) bool { return independent(g, list) }) {
			return size - 1
		}
	}
	return most
}

// independent reports that columns with these products are.
func independent(g *mat.Dense, list []int) bool {
	m := mat.NewDense(len(list), len(list), nil)
	for a, i := range list {
		for b, j := range list {
			m.Set(a, b, g.At(i, j))
		}
	}
	values, _ := spectral.SymEig(m)
	return values[len(values)-1] > dependent*values[0]
}

// everySubset reports that all subsets of so many of n pass.
func everySubset(n, size int, pass func([]int) bool) bool {
	list := make([]int, size)
	for i := range list {
		list[i] = i
	}
	for {
		if !pass(list) {
			return false
		}
		at := size - 1
		for at >= 0 && list[at] == n-size+at {
			at--
		}
		if at < 0 {
			return true
		}
		list[at]++
		for i := at + 1; i < size; i++ {
			list[i] = list[i-1] + 1
		}
	}
}
