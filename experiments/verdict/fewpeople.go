package verdict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/sparse"
)

// fewFrom is the first seed of the table of few people.
const fewFrom = 200035

// FewPeople prints the table of genotypes of few people at many loci, as studies of
// populations have them: a tree of drift with populations of 5 to 60 people, admixed
// people between them, clines and families.
func FewPeople(ctx context.Context, w io.Writer, full bool) error {
	seeds := 2
	if full {
		seeds = 10
	}
	return tabled(ctx, w, FewPeopleLaws(), seedsFrom(ctx, fewFrom, seeds), []int{80, 160, 300})
}

// FewPeopleLaws are genotypes of few people at many loci.
func FewPeopleLaws() []Law {
	one := []Law{
		{Name: "one population", draw: people{}.draw},
		{Name: "cline", draw: people{ends: []float64{1, 1}, drift: .1}.draw},
		{Name: "cline, most at one end", draw: people{ends: []float64{4, 1}, drift: .1}.draw},
		{Name: "three ends", draw: people{ends: []float64{1, 1, 1}, drift: .1}.draw},
		{Name: "neighbours along a coast", draw: coast},
		{Name: "inbreeding", draw: people{inbred: .2}.draw},
		{Name: "families", draw: families(1, 2000)},
	}
	many := []Law{
		{Name: "2, drift .03", Groups: 2, draw: people{groups: 2, drift: .03}.draw},
		{Name: "5, drift .05", Groups: 5, draw: people{groups: 5, drift: .05}.draw},
		{Name: "5 of a tree, uneven", Groups: 5, draw: people{groups: 5, tree: true, uneven: true}.draw},
		{Name: "7 of a tree, uneven", Groups: 7, draw: people{groups: 7, tree: true, uneven: true}.draw},
		{Name: "4 of a tree, some people between", Groups: 4, draw: people{groups: 4, tree: true, uneven: true, admixed: .05}.draw},
		{Name: "3, families", Groups: 3, draw: families(3, 2000)},
		{Name: "5, drift .015", Groups: 5, Hard: true, draw: people{groups: 5, drift: .015}.draw},
	}
	return ofKind("few people", one, many)
}

// people is a law of few people at many loci.
type people struct {
	groups  int
	uneven  bool
	drift   float64   // of every population from the ancestors; of a tree: drawn for every branch
	tree    bool      // populations part in two again and again
	ends    []float64 // Dirichlet parameters of shares of as many ends, in place of groups
	admixed float64   // of the people, who are half of one population and half of another
	inbred  float64
}

const fewLoci = 3000

func (a people) draw(r *rand.Rand, n int) Draw {
	k := max(a.groups, len(a.ends), 1)
	p := a.frequencies(r, k)
	y := fewOf(r, n, max(a.groups, 1), a.uneven)
	b := sparse.NewBuilder(fewLoci, false)
	for i := range n {
		share := make([]float64, k)
		share[y[i]] = 1
		if a.ends != nil {
			share = sharesOf(r, a.ends)
		}
		if r.Float64() < a.admixed {
			share[y[i]] = .4 + .3*r.Float64()
			other := (y[i] + 1) % k
			share[other] += 1 - share[y[i]]
			if share[other] > share[y[i]] {
				y[i] = other
			}
		}
		copiesOf(b, personOf(r, p, share, a.inbred))
	}
	return alleleDraw(b, y)
}

// frequencies are those of k populations (Balding and Nichols 1995).
func (a people) frequencies(r *rand.Rand, k int) [][]float64 {
	old := make([]float64, fewLoci)
	for j := range old {
		old[j] = .1 + .8*r.Float64()
	}
	after := func(p []float64, drift float64) []float64 {
		out := make([]float64, len(p))
		for j, v := range p {
			out[j] = v
			if drift > 0 {
				out[j] = min(max(drifted(r, v, drift), .002), .998)
			}
		}
		return out
	}
	out := [][]float64{old}
	if a.tree {
		for len(out) < k {
			at := r.IntN(len(out))
			out = append(out, after(out[at], .02+.04*r.Float64()))
			out[at] = after(out[at], .02+.04*r.Float64())
		}
		for g := range out {
			out[g] = after(out[g], .01+.04*r.Float64())
		}
		return out
	}
	for g := range k {
		out = append(out[:g], after(old, a.drift))
	}
	return out
}

// fewOf are the populations of n people: every one has five at least, and of uneven ones
// some have ten times as many as others.
func fewOf(r *rand.Rand, n, k int, uneven bool) []int {
	weight, sum := make([]float64, k), 0.0
	for g := range weight {
		weight[g] = 1
		if uneven {
			weight[g] = math.Exp(1.15 * (2*r.Float64() - 1))
		}
		sum += weight[g]
	}
	scale(weight, 1/sum)
	y := make([]int, n)
	for i := range y {
		if y[i] = i % k; i >= 5*k {
			y[i] = pick(r, weight)
		}
	}
	r.Shuffle(n, func(i, j int) { y[i], y[j] = y[j], y[i] })
	return y
}

// sharesOf are those of the ends in one person.
func sharesOf(r *rand.Rand, ends []float64) []float64 {
	out, sum := make([]float64, len(ends)), 0.0
	for e, a := range ends {
		out[e] = gamma(r, a)
		sum += out[e]
	}
	scale(out, 1/sum)
	return out
}

// personOf draws the copies of one person with these shares of populations.
func personOf(r *rand.Rand, p [][]float64, share []float64, inbred float64) []float32 {
	out := make([]float32, len(p[0]))
	inbred *= r.Float64()
	for j := range out {
		m := 0.0
		for g, s := range share {
			m += s * p[g][j]
		}
		out[j] = float32(twoCopies(r, m, inbred))
	}
	return out
}

// coast: people live along a coast, and frequencies wander from place to place.
func coast(r *rand.Rand, n int) Draw {
	const places = 20
	p := make([][]float64, places)
	for g := range p {
		p[g] = make([]float64, fewLoci)
		for j := range p[g] {
			if g == 0 {
				p[g][j] = .1 + .8*r.Float64()
			} else {
				p[g][j] = min(max(drifted(r, p[g-1][j], .006), .002), .998)
			}
		}
	}
	b := sparse.NewBuilder(fewLoci, false)
	for range n {
		at := (places - 1) * r.Float64()
		share := make([]float64, places)
		low := int(at)
		share[low] = 1 - (at - float64(low))
		share[low+1] = at - float64(low)
		copiesOf(b, personOf(r, p, share, 0))
	}
	return alleleDraw(b, nil)
}
