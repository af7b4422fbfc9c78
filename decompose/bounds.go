package decompose

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
)

// SampleBound returns how far, in Frobenius norm, the second or third moment of
// documents may be from that of endless ones, with chance at most delta of being farther
// ([T] Thm 3.2.2): √W + √(2W log 1/δ). W is Σ v²/(Σ v)² over the documents for v = t(t−1) or
// t(t−1)(t−2). The theorem has √(W(1−‖M‖²)) for √W; ‖M‖ is that of endless documents, which
// nobody knows, and 0 is on the safe side whatever the model is.
func SampleBound(w, delta float64) float64 {
	return math.Sqrt(w) + math.Sqrt(2*w*math.Log(1/delta))
}

// SampleBoundOfWords is the bound of [S] Thm 2.2, √W + √(log 1/δ)·v√C1/C: W as in
// SampleBound, words the number of all words C1, most the largest c or c(c−1) of a document of c
// words, all the sum C2 or C3 of c(c−1) or c(c−1)(c−2). Its proof takes all words of all
// documents as independent.
func SampleBoundOfWords(w, words, most, all, delta float64) float64 {
	return math.Sqrt(w) + math.Sqrt(math.Log(1/delta))*most*math.Sqrt(words)/all
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
	if k > moment.MostCubed { // of 500 columns there are 20 million triples
		most = 2
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
