package twoviews

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// people are records of two views: copies of alleles (n×loci) and codes (n×codes).
type people struct {
	alleles, codes [][]float32
	labels         []int // groups of the alleles
}

// frequencies draws, for every locus and group, how common the allele is.
func frequencies(r *rand.Rand, loci, k int) [][]float64 {
	out := make([][]float64, loci)
	for h := range out {
		for range k {
			out[h] = append(out[h], .1+.8*r.Float64())
		}
	}
	return out
}

// risks draws, for every code and group, how many have it: few codes mark few groups.
func risks(r *rand.Rand, codes, k int) [][]float64 {
	out := make([][]float64, codes)
	for h := range out {
		for range k {
			u := r.Float64()
			out[h] = append(out[h], .03+.5*u*u*u)
		}
	}
	return out
}

// drawn draws n people of k groups; the codes of a share of them come from the group
// of their alleles, those of the others from any.
func drawn(seed uint64, n, loci, codes, k int, share float64) people {
	r := stream.New(seed, "experiments/two-views")
	f, q := frequencies(r, loci, k), risks(r, codes, k)
	p := people{}
	for range n {
		g := r.IntN(k)
		other := g
		if r.Float64() >= share {
			other = r.IntN(k)
		}
		p.labels = append(p.labels, g)
		p.alleles = append(p.alleles, copies(r, f, g))
		p.codes = append(p.codes, had(r, q, other))
	}
	return p
}

func copies(r *rand.Rand, f [][]float64, g int) []float32 {
	out := make([]float32, len(f))
	for h := range f {
		for range 2 {
			if r.Float64() < f[h][g] {
				out[h]++
			}
		}
	}
	return out
}

func had(r *rand.Rand, q [][]float64, g int) []float32 {
	out := make([]float32, len(q))
	for h := range q {
		if r.Float64() < q[h][g] {
			out[h] = 1
		}
	}
	return out
}

// rows puts views side by side.
func rows(views ...[][]float32) sparse.Rows {
	d := 0
	for _, v := range views {
		d += len(v[0])
	}
	b := sparse.NewBuilder(d, false)
	for i := range views[0] {
		var index []uint32
		var value []float32
		at := uint32(0)
		for _, v := range views {
			for _, x := range v[i] {
				if x != 0 {
					index, value = append(index, at), append(value, x)
				}
				at++
			}
		}
		_ = b.Add(index, value) // as many values as features
	}
	return b.Rows()
}

// without takes a view from some of the people.
func without(view [][]float32, lack func(i int) bool) [][]float32 {
	out := make([][]float32, len(view))
	for i, x := range view {
		out[i] = x
		if lack(i) {
			out[i] = make([]float32, len(x))
			for h := range x {
				out[i][h] = float32(math.NaN())
			}
		}
	}
	return out
}

// mislaid gives the rows of a view to other people.
func mislaid(r *rand.Rand, view [][]float32) [][]float32 {
	out := make([][]float32, len(view))
	for i, j := range r.Perm(len(view)) {
		out[i] = view[j]
	}
	return out
}
