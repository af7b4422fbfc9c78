package verdict

import (
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// AlleleLaws are genotypes: copies of an allele at every locus.
func AlleleLaws() []Law {
	one := []Law{
		{Name: "one population", draw: alleles{}.draw},
		{Name: "one population, 60 loci", draw: alleles{loci: 60}.draw},
		{Name: "inbreeding", draw: alleles{inbred: .3}.draw},
		{Name: "linkage", draw: alleles{linked: 5}.draw},
		{Name: "long linkage", draw: alleles{linked: 20, blocks: 3}.draw},
		{Name: "cline", draw: alleles{ends: 2, drift: .1}.draw},
		{Name: "cline, most in the middle", draw: alleles{ends: 2, drift: .1, middle: 2}.draw},
		{Name: "three ends", draw: alleles{ends: 3, drift: .1}.draw},
	}
	many := []Law{
		{Name: "2, drift .1", Groups: 2, draw: alleles{groups: 2, drift: .1}.draw},
		{Name: "3, drift .05", Groups: 3, draw: alleles{groups: 3, drift: .05}.draw},
		{Name: "5, drift .1", Groups: 5, draw: alleles{groups: 5, drift: .1}.draw},
		{Name: "5, drift .02", Groups: 5, Hard: true, draw: alleles{groups: 5, drift: .02}.draw},
		{Name: "3, linkage", Groups: 3, draw: alleles{groups: 3, drift: .1, linked: 5}.draw},
		{Name: "3, inbreeding", Groups: 3, draw: alleles{groups: 3, drift: .1, inbred: .3}.draw},
		{Name: "4, 100 loci", Groups: 4, draw: alleles{groups: 4, drift: .2, loci: 100}.draw},
		{Name: "4, uneven", Groups: 4, draw: alleles{groups: 4, drift: .1, uneven: true}.draw},
		{Name: "2, nearly fixed", Groups: 2, draw: alleles{groups: 2, drift: .8}.draw},
	}
	return ofKind("genotypes", one, many)
}

// alleles is a law of genotypes: frequencies drift apart from common ancestors
// (Balding and Nichols 1995).
type alleles struct {
	loci   int // 0: 400
	groups int
	uneven bool
	drift  float64
	ends   int     // records are mixtures of so many ends, in any shares
	middle float64 // Dirichlet parameter of the shares; 0: 1
	inbred float64 // most chance that both copies are one
	linked int     // length of runs of loci that repeat the first
	blocks int     // of them; 0: all loci
}

func (a alleles) draw(r *rand.Rand, n int) Draw {
	if a.loci == 0 {
		a.loci = 400
	}
	k := max(a.groups, a.ends, 1)
	p := make([]float64, k*a.loci)
	for j := range a.loci {
		old := .1 + .8*r.Float64()
		for g := range k {
			p[g*a.loci+j] = old
			if a.drift > 0 {
				f := (1 - a.drift) / a.drift
				x, y := gamma(r, old*f), gamma(r, (1-old)*f)
				p[g*a.loci+j] = x / (x + y + 1e-300)
			}
		}
	}
	y := labels(r, n, max(a.groups, 1), a.uneven)
	b := sparse.NewBuilder(a.loci, false)
	for i := range n {
		share := make([]float64, k)
		share[y[i]] = 1
		if a.ends > 0 {
			share = dirichlet(r, orElse(a.middle, 1), k)
		}
		_ = b.Add(a.person(r, p, share))
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Genotypes, Labels: y}
}

func (a alleles) person(r *rand.Rand, p, share []float64) (index []uint32, value []float32) {
	inbred := a.inbred * r.Float64()
	copies := make([]int, a.loci)
	for j := range copies {
		if a.linked > 0 && j%a.linked > 0 && (a.blocks == 0 || j/a.linked < a.blocks) && r.Float64() < .95 {
			copies[j] = copies[j-1]
			continue
		}
		m := 0.0
		for g, s := range share {
			m += s * p[g*a.loci+j]
		}
		copies[j] = twoCopies(r, m, inbred)
	}
	for j, c := range copies {
		if c > 0 {
			index, value = append(index, uint32(j)), append(value, float32(c))
		}
	}
	return index, value
}

// twoCopies is how many of a person's two copies are an allele of some frequency; both are
// one with a chance.
func twoCopies(r *rand.Rand, frequency, inbred float64) (n int) {
	first, second := r.Float64() < frequency, r.Float64() < frequency
	if r.Float64() < inbred {
		second = first
	}
	for _, is := range []bool{first, second} {
		if is {
			n++
		}
	}
	return n
}
