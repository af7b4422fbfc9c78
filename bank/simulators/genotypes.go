package simulators

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/moiety-go/moiety/bank/law"
)

// genotypeLaws are the simulations of population structure.
func genotypeLaws() []law.Law {
	return []law.Law{
		{
			Name: "balding nichols populations", Kind: law.Genotypes, Groups: 3,
			About: "Three populations whose allele frequencies drifted from one ancestor (Balding and Nichols 1995; Pritchard, Stephens and Donnelly 2000).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawPopulations(r, n, uneven(r, 3), between(r, 100, 180), uniform(r, 0.06, 0.15))
			},
		},
		{
			Name: "small sampled populations", Kind: law.Genotypes, Groups: 3,
			About: "Populations of 90, 8 and 2 percent with drift of their own each (Falush, Stephens and Pritchard 2003; Kalinowski 2011).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawPopulations(r, n, steep(), between(r, 120, 180), uniform(r, 0.12, 0.2))
			},
		},
		{
			Name: "barely parted populations", Kind: law.Genotypes, Groups: 2,
			About: "Two populations of little drift seen at few loci (Latch et al. 2006).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawPopulations(r, n, even(2), between(r, 50, 90), uniform(r, 0.01, 0.02))
			},
		},
		{
			Name: "one panmictic population", Kind: law.Genotypes, Groups: 1,
			About: "One population in Hardy-Weinberg proportions whose frequencies follow the neutral spectrum (Wright 1931; Ewens 2004).",
			Draw:  drawPanmictic,
		},
		{
			Name: "linked loci", Kind: law.Genotypes, Groups: 1,
			About: "One population with linkage disequilibrium that decays along short stretches (Hill and Robertson 1968; Montana 2005, HapSim).",
			Draw:  drawLinked,
		},
		{
			Name: "isolation by distance", Kind: law.Genotypes, Groups: 1,
			About: "Allele frequencies that change smoothly over a plane (Wright 1943; Novembre and Stephens 2008).",
			Draw:  drawIsolation,
		},
		{
			Name: "varied inbreeding", Kind: law.Genotypes, Groups: 1,
			About: "One population of partial selfing: inbreeding differs between individuals without steps, and genotypes drop out (Gao, Williamson and Bustamante 2007).",
			Draw:  drawInbred,
		},
	}
}

// lociNames makes l names of loci.
func lociNames(r *rand.Rand, l int) []string {
	switch r.IntN(3) {
	case 0:
		return padded(choose(r, "snp_", "SNP", "locus"), l)
	default:
		seen := map[int]bool{}
		var numbers []int
		for len(numbers) < l {
			if x := between(r, 10000, 9999999); !seen[x] {
				seen[x] = true
				numbers = append(numbers, x)
			}
		}
		sort.Ints(numbers)
		names := make([]string, l)
		for j, x := range numbers {
			names[j] = "rs" + whole(x)
		}
		return names
	}
}

// genotype draws copies of an allele of frequency f with inbreeding.
func genotype(r *rand.Rand, f, inbreeding float64) int {
	copies := 0
	if bernoulli(r, f) {
		copies++
	}
	if bernoulli(r, inbreeding) {
		return 2 * copies
	}
	if bernoulli(r, f) {
		copies++
	}
	return copies
}

// drawPopulations lets each population drift by its own amount about the given one.
func drawPopulations(r *rand.Rand, n int, shares []float64, loci int, drift float64) law.Data {
	frequency := zeros(len(shares), loci)
	own := make([]float64, len(shares))
	for g := range own {
		own[g] = drift * uniform(r, 0.8, 1.3)
	}
	for j := range loci {
		ancestor := uniform(r, 0.1, 0.9)
		for g, f := range own {
			frequency[g][j] = beta(r, ancestor*(1-f)/f, (1-ancestor)*(1-f)/f)
		}
	}
	group := assign(r, n, shares)
	codes := answersOf(n, loci, func(i int, row []int) {
		for j := range row {
			row[j] = genotype(r, frequency[group[i]][j], 0)
		}
	})
	return blank(r, wholeTable(lociNames(r, loci), codes, 0, group), choiceOf(r, 0, 0.01))
}

// neutralFrequency draws the frequency of a variant that is seen, with a density of
// one over the frequency.
func neutralFrequency(r *rand.Rand, least float64) float64 {
	return math.Exp(uniform(r, math.Log(least), math.Log(0.95)))
}

func drawPanmictic(r *rand.Rand, n int) law.Data {
	loci := between(r, 100, 180)
	f := make([]float64, loci)
	for j := range f {
		f[j] = neutralFrequency(r, 0.05)
	}
	codes := answersOf(n, loci, func(_ int, row []int) {
		for j := range row {
			row[j] = genotype(r, f[j], 0)
		}
	})
	return blank(r, wholeTable(lociNames(r, loci), codes, 0, nil), choiceOf(r, 0, 0.02))
}

// drawLinked cuts two normal series that run along the loci at the alleles'
// frequencies; the series starts anew after each stretch.
func drawLinked(r *rand.Rand, n int) law.Data {
	loci, stretch := between(r, 80, 140), between(r, 3, 6)
	rho := uniform(r, 0.5, 0.85)
	cut := make([]float64, loci)
	for j := range cut {
		cut[j] = normalQuantile(uniform(r, 0.1, 0.9))
	}
	codes := answersOf(n, loci, func(_ int, row []int) {
		for range 2 {
			z := 0.0
			for j := range row {
				if j%stretch == 0 {
					z = r.NormFloat64()
				} else {
					z = rho*z + math.Sqrt(1-rho*rho)*r.NormFloat64()
				}
				if z < cut[j] {
					row[j]++
				}
			}
		}
	})
	return wholeTable(lociNames(r, loci), codes, 0, nil)
}

func drawIsolation(r *rand.Rand, n int) law.Data {
	loci := between(r, 100, 180)
	base, slope := make([]float64, loci), make(matrix, loci)
	wave, phase := make(matrix, loci), uniforms(r, loci, 0, 2*math.Pi)
	steepness := uniform(r, 0.5, 1.1)
	for j := range loci {
		base[j] = normal(r, 0, 1)
		slope[j] = scaled(normals(r, 2), steepness)
		wave[j] = scaled(normals(r, 2), 2)
	}
	codes := answersOf(n, loci, func(_ int, row []int) {
		at := uniforms(r, 2, -1, 1)
		for j := range row {
			x := base[j] + dot(slope[j], at) + 0.4*math.Sin(dot(wave[j], at)+phase[j])
			row[j] = genotype(r, logistic(x), 0)
		}
	})
	return wholeTable(lociNames(r, loci), codes, 0, nil)
}

func drawInbred(r *rand.Rand, n int) law.Data {
	loci := between(r, 80, 150)
	f := make([]float64, loci)
	for j := range f {
		f[j] = uniform(r, 0.1, 0.9)
	}
	a, b := uniform(r, 1, 2), uniform(r, 2, 5)
	gone := uniform(r, 0, 0.04)
	codes := answersOf(n, loci, func(_ int, row []int) {
		inbreeding := beta(r, a, b)
		for j := range row {
			row[j] = genotype(r, f[j], inbreeding)
		}
	})
	return blank(r, wholeTable(lociNames(r, loci), codes, 0, nil), gone)
}
